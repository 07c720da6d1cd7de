import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type FacetEntry, facets, type ValueKind, valueKinds } from '../../../facets';
import { NameTable } from './name-table';

/** A value of a facet as a term. */
export function valueTerm(kind: ValueKind, { key, label, id = key, parent = null }: FacetEntry): string {
  const { letter, tree } = facets[kind];
  return letter + JSON.stringify(tree ? [key, id, label, parent] : [key, label]);
}

/** The value a term stands for. */
export function entryOf(kind: ValueKind, term: string): FacetEntry {
  const parts = JSON.parse(term.slice(1)) as string[];
  const [key = '', second = '', label = '', parent = null] = parts;
  return facets[kind].tree ? { key, id: second, label, parent } : { key, label: second };
}

const letters = valueKinds.map((kind): string => facets[kind].letter);
/** Values have names that shoppers can be offered. */
const isValue = (term: string): boolean => term[1] === '[' && letters.includes(term.charAt(0));

/** The name of a value, by its term. */
export function labelOf(term: string): string {
  const kind = valueKinds.find((known) => term.startsWith(facets[known].letter));
  return kind ? entryOf(kind, term).label : '';
}

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
      const insert = 'INSERT INTO engine_term (store, id, term, named) VALUES (?, ?, ?, ?)';
      this.sql.run(insert, this.store, id, term, isValue(term) ? 1 : 0);
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
