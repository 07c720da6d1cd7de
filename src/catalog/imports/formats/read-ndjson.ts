import { parseJson } from '../../../http/body-parsers';
import { ApiError } from '../../../shared/api-error';
import { lineBatches, type NdjsonLine } from '../../../shared/ndjson';
import type { FeedLimits } from '../limits';
import { beginningOf, type FeedEntry, ROWS_AT_ONCE } from './feed-format';
import { objectRow } from './object-row';

/** One JSON object a line; a bad line is one bad row. */
export async function* readNdjson(bytes: AsyncIterable<Buffer>, limits: FeedLimits): AsyncGenerator<FeedEntry[]> {
  for await (const lines of lineBatches(bytes, { longest: limits.item, lines: ROWS_AT_ONCE })) {
    yield lines.map((line) => entryOf(line, limits));
  }
}

function entryOf({ number: line, bytes }: NdjsonLine, limits: FeedLimits): FeedEntry {
  if (bytes === null) {
    const problem = new ApiError('body_too_large', `The line is longer than the ${limits.item} bytes accepted`);
    return { line, problem, text: '' };
  }
  try {
    return { line, row: objectRow(parseJson(bytes)) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { line, problem: error, text: beginningOf(bytes.subarray(0, 1000).toString('utf8')) };
  }
}
