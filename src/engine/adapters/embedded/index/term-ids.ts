import type { Statements } from '../../../../storage/sqlite/sqlite';
import { NameTable } from './name-table';

/**
 * Numbers of a store's terms (tokens, features, brands, categories, channels: told apart by their first letter), given out
 * from 0 upwards and never again. Kept in memory by the writer, which alone gives them out.
 */
export class TermIds {
  private readonly table = new NameTable();

  constructor(
    private readonly sql: Statements,
    private readonly store: string,
    readonly epoch: number,
  ) {
    for (const term of readTerms(sql, store, 0)) this.table.add(term);
  }

  get size(): number {
    return this.table.names.length;
  }

  id(term: string): number {
    let id = this.table.number(term);
    if (id === undefined) {
      id = this.table.add(term);
      // Brands and categories have names that shoppers can be offered.
      const named = /^[bc]\[/.test(term) ? 1 : 0;
      this.sql.run('INSERT INTO engine_term (store, id, term, named) VALUES (?, ?, ?, ?)', this.store, id, term, named);
    }
    return id;
  }
}

/** The terms from a number on, in order. One row for all of them: many times faster than a row each. */
export function readTerms(sql: Statements, store: string, from: number): string[] {
  const row = sql.one(
    'SELECT json_group_array(term) FROM (SELECT term FROM engine_term WHERE store = ? AND id >= ? ORDER BY id)',
    store,
    from,
  );
  return JSON.parse(String(row?.[0] ?? '[]')) as string[];
}
