import { defineWriterCommands } from '../../../../storage/sqlite/writer-commands';
import type { Statements } from '../../../../storage/sqlite/sqlite';
import {
  type Contribution,
  namesOf,
  pack,
  shownUntil,
  unpack,
  withContributions,
  withoutShoppers,
} from '../../contributions';
import { KEPT_TERMS, MOST_TERMS, type TermCount } from '../../query-terms';

type Term = Record<'store' | 'term', string>;

function record(sql: Statements, { store, counts, now }: { store: string; counts: TermCount[]; now: number }): null {
  for (const { term, searches, size, by } of counts) {
    const key = { store, term };
    const before = contributionsTo(sql, key);
    const after = withContributions(before, by, now);
    sql.run(
      `INSERT INTO query_term (store, term, searches, size, last, contributions, shown_until) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (store, term) DO UPDATE SET searches = searches + excluded.searches, size = excluded.size,
       last = excluded.last, contributions = excluded.contributions, shown_until = excluded.shown_until`,
      store,
      term,
      searches,
      size,
      now,
      pack(after),
      shownUntil(after),
    );
    rename(sql, key, before, after);
  }
  const terms = Number(sql.one('SELECT COUNT(*) FROM query_term WHERE store = ?', store)?.[0] ?? 0);
  if (terms > MOST_TERMS) {
    removeThose(sql, 'store = ? ORDER BY shown_until, searches, last LIMIT ?', store, terms - KEPT_TERMS);
  }
  return null;
}

function contributionsTo(sql: Statements, { store, term }: Term): Contribution[] {
  const row = sql.one('SELECT contributions FROM query_term WHERE store = ? AND term = ?', store, term);
  return row ? unpack(String(row[0])) : [];
}

/** Keeps the names up to date by which a term is found. */
function rename(
  sql: Statements,
  { store, term }: Term,
  before: readonly Contribution[],
  after: readonly Contribution[],
): void {
  const [old, now] = [new Set(namesOf(before)), new Set(namesOf(after))];
  for (const name of old) {
    if (now.has(name)) continue;
    sql.run('DELETE FROM query_term_shopper WHERE store = ? AND shopper = ? AND term = ?', store, name, term);
  }
  for (const name of now) {
    if (old.has(name)) continue;
    sql.run('INSERT OR IGNORE INTO query_term_shopper (store, shopper, term) VALUES (?, ?, ?)', store, name, term);
  }
}

/** The number of terms these shoppers were in. */
function forget(sql: Statements, { store, shoppers }: { store: string; shoppers: string[] }): number {
  const names = new Set(shoppers);
  const sqlOf = 'SELECT term FROM query_term_shopper WHERE store = ? AND shopper = ?';
  const terms = new Set(shoppers.flatMap((name) => sql.all(sqlOf, store, name).map(([term]) => String(term))));
  for (const term of terms) {
    const before = contributionsTo(sql, { store, term });
    const after = withoutShoppers(before, names);
    rename(sql, { store, term }, before, after);
    // A term of nobody is none.
    if (after.length === 0) removeThose(sql, 'store = ? AND term = ?', store, term);
    else {
      const change = 'UPDATE query_term SET contributions = ?, shown_until = ? WHERE store = ? AND term = ?';
      sql.run(change, pack(after), shownUntil(after), store, term);
    }
  }
  return terms.size;
}

function removeUnsearched(sql: Statements, since: number): number {
  return removeThose(sql, 'last <= ?', since);
}

function removeThose(sql: Statements, condition: string, ...values: unknown[]): number {
  const rows = sql.all(`SELECT store, term, contributions FROM query_term WHERE ${condition}`, ...values);
  for (const [store, term, contributions] of rows) {
    rename(sql, { store: String(store), term: String(term) }, unpack(String(contributions)), []);
    sql.run('DELETE FROM query_term WHERE store = ? AND term = ?', store, term);
  }
  return rows.length;
}

function removeStore(sql: Statements, store: string): number {
  sql.run('DELETE FROM query_term_shopper WHERE store = ?', store);
  return sql.run('DELETE FROM query_term WHERE store = ?', store);
}

export const commands = defineWriterCommands({
  'queryTerms.record': record,
  'queryTerms.forget': forget,
  'queryTerms.removeUnsearched': removeUnsearched,
  'queryTerms.removeStore': removeStore,
});
