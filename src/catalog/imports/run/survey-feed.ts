import type { ImportReport } from '../../../jobs/imports/import-report';
import { Pacer } from '../../../shared/async/pacer';
import { ApiError } from '../../../shared/api-error';
import { textOf } from '../../product/sent-values';
import type { FeedWorkspace } from './feed-workspace';
import { beginningOf, type FeedEntry, type FeedRow, type FoundSyntax } from '../formats/feed-format';
import { findSyntax } from '../formats/find-syntax';
import { readFeed } from '../formats/read-feed';
import type { ImportPayload } from '../import-payload';
import { itemReader } from '../items/feed-item';
import { FEED_LIMITS } from '../limits';
import { type OpenBody, unpacked } from '../unpack/unpack';

interface SurveyedFeed extends Pick<ImportPayload, 'syntax' | 'columns' | 'mapping'> {
  open: OpenBody;
  currency: string;
  /** When the feed came, epoch ms. */
  receivedAt: number;
  signal: AbortSignal;
  /** Is told how many rows were read so far. */
  onRows(rows: number): Promise<void>;
  /** Is told how the feed is read, before its first row is. */
  onSyntax?(syntax: FoundSyntax): void;
}

/**
 * Reads a feed to its end into the workspace before anything of it is written: one that breaks off, or is no feed, changes nothing. Rows that are
 * refused are reported.
 */
export async function surveyFeed(feed: SurveyedFeed, workspace: FeedWorkspace, report: ImportReport): Promise<void> {
  const { signal, receivedAt, currency, columns, mapping } = feed;
  const read = await unpacked(feed.open, { folder: workspace.folder, limits: FEED_LIMITS });
  const syntax = await findSyntax(read, feed.syntax);
  feed.onSyntax?.(syntax);
  const decimalComma = syntax.format === 'csv' && syntax.delimiter === ';';
  const itemOf = itemReader({ format: syntax.format, columns, mapping, currency, decimalComma, now: receivedAt });
  const pacer = new Pacer();
  let rows = 0;
  for await (const entries of readFeed(read(), syntax, FEED_LIMITS)) {
    for (const entry of entries) {
      if ('row' in entry) keep(entry.line, entry.row);
      else report.reject(refused(entry.line, entry.problem, entry.text));
      await pacer.breathe();
    }
    rows += entries.length;
    signal.throwIfAborted();
    await feed.onRows(rows);
  }

  function keep(line: number, row: FeedRow): void {
    try {
      workspace.add(line, itemOf(row));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      report.reject({ ...idOf(row), ...refused(line, error, beginningOf(JSON.stringify(row))) });
    }
  }
}

type Refused = Extract<FeedEntry, { problem: ApiError }>;

const refused = (line: number, problem: Refused['problem'], text: string) => ({
  line,
  error: problem.code,
  message: problem.message,
  ...(text === '' ? {} : { text }),
});

/** As the row itself says it, whether or not it is one. */
export function idOf(row: FeedRow): { id?: string } {
  const id = textOf(row['id']);
  return id === null ? {} : { id: id.slice(0, 256) };
}
