import { Archive } from '../../../../storage/archive';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import { outcomeLine, partsOf, SEARCH_ENTRIES, type SearchArchiveEntry, searchLine } from '../../search-archive';
import type { commands } from './search-log.commands';
import { OUTCOME_COLUMNS, SEARCH_COLUMNS, searchOf, searchRow, storedOutcomeOf } from './search-rows';

/** The search log of the embedded database. */
export class EmbeddedSearchArchive extends Archive<SearchArchiveEntry> {
  override readonly types = SEARCH_ENTRIES;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
  }

  override async *read(): AsyncGenerator<SearchArchiveEntry[]> {
    const { reader } = this.database;
    const all = (columns: string, table: string): string =>
      `SELECT seq, ${columns} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`;
    for (const rows of rowPages(reader, { sql: all(SEARCH_COLUMNS, 'search_log'), after: [0] })) {
      yield rows.map(([, ...row]) => searchLine(searchOf(row)));
    }
    for (const rows of rowPages(reader, { sql: all(OUTCOME_COLUMNS, 'search_outcome'), after: [0] })) {
      yield rows.map(([, ...row]) => outcomeLine(storedOutcomeOf(row)));
    }
  }

  override async restore(entries: readonly SearchArchiveEntry[]): Promise<void> {
    const { searches, outcomes } = partsOf(entries);
    const call = this.database.writer.calls<typeof commands>();
    await call('searchLog.restore', { searches: searches.map(searchRow), outcomes });
  }

  override async state(): Promise<string> {
    const sql = `SELECT (SELECT max(seq) FROM search_log), (SELECT count(*) FROM search_log),
      (SELECT max(seq) FROM search_outcome), (SELECT count(*) FROM search_outcome), (SELECT sum(micros) FROM search_outcome)`;
    return JSON.stringify(this.database.reader.one(sql));
  }
}
