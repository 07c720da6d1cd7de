import { defineProcedures } from '../../../../storage/procedures';
import type { Statements } from '../../../../storage/sqlite';

/** Terms kept per store: the least searched leave first. */
const MOST_TERMS = 20_000;
/** Cut back this far at once, so that counting and sorting is rare. */
const KEPT_TERMS = 16_000;

export interface TermCount {
  term: string;
  searches: number;
  size: number;
}

function record(sql: Statements, { store, counts, now }: { store: string; counts: TermCount[]; now: number }): null {
  for (const { term, searches, size } of counts) {
    sql.run(
      `INSERT INTO query_term (store, term, searches, size, last) VALUES (?, ?, ?, ?, ?) ON CONFLICT (store, term)
       DO UPDATE SET searches = searches + excluded.searches, size = excluded.size, last = excluded.last`,
      store,
      term,
      searches,
      size,
      now,
    );
  }
  const terms = Number(sql.one('SELECT COUNT(*) FROM query_term WHERE store = ?', store)?.[0] ?? 0);
  if (terms > MOST_TERMS) {
    const rarest = 'SELECT term FROM query_term WHERE store = ? ORDER BY searches, last LIMIT ?';
    sql.run(`DELETE FROM query_term WHERE store = ? AND term IN (${rarest})`, store, store, terms - KEPT_TERMS);
  }
  return null;
}

function removeStore(sql: Statements, store: string): number {
  return sql.run('DELETE FROM query_term WHERE store = ?', store);
}

export const procedures = defineProcedures({ 'queryTerms.record': record, 'queryTerms.removeStore': removeStore });
