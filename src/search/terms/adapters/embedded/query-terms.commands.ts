import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import { KEPT_TERMS, MOST_TERMS, type TermCount } from '../../query-terms';

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

export const commands = defineWriterCommands({ 'queryTerms.record': record, 'queryTerms.removeStore': removeStore });
