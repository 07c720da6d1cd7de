import type { Clock } from '../../../../shared/clock';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import type { Calls } from '../../../../storage/sqlite/writer-commands';
import { labelOf } from '../../../../engine/adapters/embedded/index/term-ids';
import { MOST_NAMES, MOST_READ, type TermCount, type QueryTerm, QueryTerms } from '../../query-terms';
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

  protected override async searched(store: string): Promise<QueryTerm[]> {
    const sql = 'SELECT term, size FROM query_term WHERE store = ? ORDER BY searches DESC, term LIMIT ?';
    return this.database.reader
      .all(sql, store, MOST_READ)
      .map(([term, size]) => ({ query: String(term), size: Number(size) }));
  }

  protected override async names(store: string): Promise<string[]> {
    const sql = 'SELECT term FROM engine_term WHERE store = ? AND named = 1 ORDER BY id LIMIT ?';
    return this.database.reader.all(sql, store, MOST_NAMES).map(([term]) => labelOf(String(term)));
  }
}
