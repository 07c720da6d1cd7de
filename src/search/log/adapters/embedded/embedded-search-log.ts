import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../../../shared/api-error';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { rowPages } from '../../../../storage/sqlite/row-pages';
import { writeTrouble } from '../../../../storage/sqlite/write-trouble';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import { joined } from '../../join-outcomes';
import type { JoinedSearch } from '../../logged-search';
import type { StoredOutcome } from '../../possible-outcome';
import { type LogBatch, type LogQuery, type LogRemoval, SearchLog } from '../../search-log';
import type { commands } from './search-log.commands';
import { OUTCOME_COLUMNS, SEARCH_COLUMNS, searchOf, searchRow, storedOutcomeOf } from './search-rows';

const PAGE = 200;

/** The search log in the embedded database. */
export class EmbeddedSearchLog extends SearchLog {
  private readonly call: Calls<typeof commands>;

  constructor(private readonly database: EmbeddedDatabase) {
    super();
    this.call = database.writer.calls<typeof commands>();
  }

  override async *read({ store, from, to, shopper }: LogQuery): AsyncGenerator<JoinedSearch[]> {
    const own = shopper === undefined ? '' : 'AND shopper = ?';
    const sql = `SELECT at, id, ${SEARCH_COLUMNS} FROM search_log WHERE store = ? AND at < ? ${own}
      AND (at, id) > (?, ?) ORDER BY at, id LIMIT ?`;
    const values = [store, to, ...(shopper === undefined ? [] : [shopper])];
    for (const rows of rowPages(this.database.reader, { sql, values, after: [from, ''], size: PAGE })) {
      const searches = rows.map(([, , ...row]) => searchOf(row));
      yield joined(
        searches,
        this.outcomes(
          store,
          searches.map(({ searchId }) => searchId),
        ),
      );
      // Lets requests run between the pages.
      await nextTurn();
    }
  }

  override async remove(removal: LogRemoval): Promise<number> {
    for (let removed = 0; ;) {
      const { searches, outcomes } = await this.call('searchLog.remove', removal);
      removed += searches;
      if (searches + outcomes === 0) return removed;
    }
  }

  override async count(store: string, from = 0): Promise<number> {
    const sql = 'SELECT count(*) FROM search_log WHERE store = ? AND at >= ?';
    return Number(this.database.reader.one(sql, store, from)?.[0] ?? 0);
  }

  override async stores(): Promise<ReadonlySet<string>> {
    return new Set(this.storesIn('search_log'));
  }

  override async storesBefore(time: number): Promise<ReadonlySet<string>> {
    const old = (['search_log', 'search_outcome'] as const).flatMap((table) => {
      const sql = `SELECT 1 FROM ${table} WHERE store = ? AND at < ? LIMIT 1`;
      return [...this.storesIn(table)].filter((store) => this.database.reader.one(sql, store, time));
    });
    return new Set(old);
  }

  /** Jumps from one to the next in the index. */
  private *storesIn(table: 'search_log' | 'search_outcome'): Generator<string> {
    for (let last = ''; ;) {
      const next = this.database.reader.one(`SELECT MIN(store) FROM ${table} WHERE store > ?`, last)?.[0];
      if (typeof next !== 'string') return;
      yield next;
      last = next;
    }
  }

  protected override async write({ searches, done }: LogBatch): Promise<void> {
    try {
      await this.call('searchLog.write', { searches: searches.map(searchRow), done });
    } catch (error) {
      const trouble = writeTrouble(error);
      throw trouble === null ? error : new ApiError('unavailable', trouble, { cause: error });
    }
  }

  private outcomes(store: string, searches: readonly string[]): StoredOutcome[] {
    const sql = `SELECT ${OUTCOME_COLUMNS} FROM search_outcome WHERE store = ?
      AND search IN (SELECT value FROM json_each(?)) ORDER BY at, seq`;
    return this.database.reader.all(sql, store, JSON.stringify(searches)).map(storedOutcomeOf);
  }
}
