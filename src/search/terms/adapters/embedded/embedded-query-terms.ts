import type { Clock } from '../../../../shared/clock';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import { valueOf } from '../../../../engine/adapters/embedded/index/term-ids';
import {
  MOST_NAMES,
  MOST_READ,
  type OfferedName,
  type QueryTerm,
  QueryTerms,
  type SearchedTerm,
  type TermCount,
} from '../../query-terms';
import type { commands } from './query-terms.commands';

const FLUSH_MS = 1000;

/** Query terms in the embedded database. */
export class EmbeddedQueryTerms extends QueryTerms {
  private readonly call: Calls<typeof commands>;

  constructor(
    private readonly database: EmbeddedDatabase,
    clock: Clock,
  ) {
    super(clock, FLUSH_MS);
    this.call = database.writer.calls<typeof commands>();
  }

  protected override async add(store: string, counts: TermCount[], now: number): Promise<void> {
    await this.call('queryTerms.record', { store, counts, now });
  }

  protected override async remove(store: string): Promise<void> {
    await this.call('queryTerms.removeStore', store);
  }

  protected override erase(store: string, shoppers: string[]): Promise<number> {
    return this.call('queryTerms.forget', { store, shoppers });
  }

  protected override removeUnsearched(since: number): Promise<number> {
    return this.call('queryTerms.removeUnsearched', since);
  }

  protected override async of(store: string, shoppers: string[]): Promise<SearchedTerm[]> {
    const sql = `SELECT term, last FROM query_term_shopper JOIN query_term USING (store, term)
      WHERE query_term_shopper.store = ? AND shopper = ?`;
    const rows = shoppers.flatMap((shopper) => this.database.reader.all(sql, store, shopper));
    const byTerm = new Map(rows.map(([term, last]) => [String(term), Number(last)]));
    return Array.from(byTerm, ([query, last]) => ({ query, last }));
  }

  protected override async searched(store: string, now: number): Promise<QueryTerm[]> {
    // The first comparison is that of the index.
    const sql = `SELECT term, size FROM query_term WHERE store = ? AND shown_until > 0 AND shown_until > ?
      ORDER BY searches DESC, term LIMIT ?`;
    return this.database.reader
      .all(sql, store, now, MOST_READ)
      .map(([term, size]) => ({ query: String(term), size: Number(size) }));
  }

  protected override async names(store: string): Promise<OfferedName[]> {
    const sql = 'SELECT term FROM engine_term WHERE store = ? AND named = 1 ORDER BY id LIMIT ?';
    return this.database.reader.all(sql, store, MOST_NAMES).map(([term]) => nameOf(String(term)));
  }
}

function nameOf(term: string): OfferedName {
  const value = valueOf(term);
  if (!value) return { name: '' };
  const { kind, label: name, key, id = key } = value;
  return kind === 'category' ? { name, categoryId: id } : { name };
}
