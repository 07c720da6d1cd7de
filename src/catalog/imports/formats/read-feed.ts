import type { FeedLimits } from '../limits';
import { asUtf8 } from './encoding';
import type { FeedEntry, FoundSyntax } from './feed-format';
import { readJson } from './read-json';
import { readNdjson } from './read-ndjson';
import { readTable } from './read-table';
import { readXml } from './read-xml';

/**
 * The rows of an unpacked feed, in its order, a few at a time, so that memory stays fixed. A row that can't be read is an entry with its problem;
 * a feed that can't be read on throws JobFailure.
 */
export function readFeed(
  bytes: AsyncIterable<Buffer>,
  syntax: FoundSyntax,
  limits: FeedLimits,
): AsyncGenerator<FeedEntry[]> {
  const text = asUtf8(bytes, syntax.encoding);
  switch (syntax.format) {
    case 'ndjson':
      return readNdjson(text, limits);
    case 'json':
      return readJson(text, limits);
    case 'google-xml':
      return readXml(text, limits);
    default:
      return readTable(text, syntax, limits);
  }
}
