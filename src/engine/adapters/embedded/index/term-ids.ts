import type { Statements } from '../../../../storage/sqlite/sqlite';
import { type FacetEntry, facets, type StoredKind, storedKinds } from '../../../facets';
import { PackedNames } from './packed-names';

/** A value of a facet as a term. */
export function valueTerm(kind: StoredKind, { key, label, id = key, parent = null, facet }: FacetEntry): string {
  const { letter, shape } = facets[kind];
  if (shape === 'plain') return letter + JSON.stringify([key, label]);
  const more = { ids: [], tree: [parent], family: [facet] }[shape];
  return letter + JSON.stringify([key, id, label, ...more]);
}

/** The value a term stands for. */
export function entryOf(kind: StoredKind, term: string): FacetEntry {
  const parts = JSON.parse(term.slice(1)) as string[];
  const [key = '', second = '', label = '', more = null] = parts;
  const { shape } = facets[kind];
  if (shape === 'plain') return { key, label: second };
  if (shape === 'tree') return { key, id: second, label, parent: more };
  return { key, id: second, label, ...(more === null ? {} : { facet: more }) };
}

const letters = storedKinds.filter((kind) => facets[kind].typed).map((kind): string => facets[kind].letter);
/** Names that shoppers can be offered. */
const isValue = (term: string): boolean => term[1] === '[' && letters.includes(term.charAt(0));

/** A value with its kind, by its term. */
export function valueOf(term: string): (FacetEntry & { kind: StoredKind }) | null {
  const kind = storedKinds.find((known) => term.startsWith(facets[known].letter));
  return kind ? { kind, ...entryOf(kind, term) } : null;
}

/** A number that stands for a term. */
export type GivenTerm = [id: number, term: string];

/** As the database gives a text back: whole, and in valid Unicode. */
const readable = (term: string): string => term.replaceAll('\0', '\uFFFD').toWellFormed();

/** Terms read at once. */
const READ_AT_ONCE = 5000;

/**
 * Numbers of a store's terms (tokens, features, brands, categories, channels: told apart by their first letter). A number
 * stands for one term until no product names it any more; then it is freed, and given to another. Kept in memory by the writer,
 * which alone gives them out.
 */
export class TermIds {
  private readonly names = new PackedNames();
  private readonly freed: number[] = [];
  /** Given out, and not in the table of the database yet. A write that fails before it saves them leaves them to be dropped with these terms. */
  private given: [id: number, term: string, named: 0 | 1][] = [];

  /** `changes`: how many numbers were given out and freed so far. */
  constructor(
    private readonly sql: Statements,
    private readonly store: string,
    readonly epoch: number,
    public changes: number,
  ) {
    for (const terms of termsInParts(sql, store)) for (const [id, term] of terms) this.names.set(id, term);
    for (let id = this.end - 1; id >= 0; id--) if (!this.names.has(id)) this.freed.push(id);
  }

  /** Terms that have a number. */
  get size(): number {
    return this.names.size;
  }

  /** Above every number. */
  get end(): number {
    return this.names.end;
  }

  id(term: string): number {
    const known = this.names.number(term);
    if (known !== undefined) return known;
    const id = this.freed.pop() ?? this.end;
    this.names.set(id, term);
    this.given.push([id, readable(term), isValue(term) ? 1 : 0]);
    this.changes++;
    return id;
  }

  /** Writes what was given out since the last time, all at once: a statement each costs several times as much. `revision`: the write it is for. */
  save(revision: number): void {
    if (this.given.length === 0) return;
    const insert = `INSERT INTO engine_term (store, id, term, named, since)
      SELECT ?, value ->> 0, value ->> 1, value ->> 2, ? FROM json_each(?)`;
    this.sql.run(insert, this.store, revision, JSON.stringify(this.given));
    this.given = [];
  }

  isGiven(id: number): boolean {
    return this.names.has(id);
  }

  /** Takes back numbers that no product names. */
  free(ids: readonly number[]): void {
    const list = JSON.stringify(ids);
    this.sql.run(
      'DELETE FROM engine_term WHERE store = ? AND id IN (SELECT value FROM json_each(?))',
      this.store,
      list,
    );
    for (const id of ids) this.names.drop(id);
    this.freed.push(...ids);
    this.changes += ids.length;
  }
}

/** All terms with their numbers, in order and in parts. */
export function* termsInParts(sql: Statements, store: string): Generator<GivenTerm[], void> {
  const part = `SELECT id, term FROM engine_term WHERE store = ? AND id >= ? ORDER BY id LIMIT ${READ_AT_ONCE}`;
  for (let from = 0, full = true; full;) {
    const terms = readTerms(sql, part, [store, from]);
    yield terms;
    full = terms.length === READ_AT_ONCE;
    from = (terms.at(-1)?.[0] ?? 0) + 1;
  }
}

/** Terms whose number was given out after a revision. */
export function termsSince(sql: Statements, store: string, revision: number): GivenTerm[] {
  // Numbers given out before revisions were kept have 0, and are in no index.
  const newer = 'SELECT id, term FROM engine_term WHERE store = ? AND since > ? AND since > 0 ORDER BY since';
  return readTerms(sql, newer, [store, revision]);
}

/** The numbers of a range that stand for a term. */
export function givenIds(sql: Statements, store: string, range: { from: number; to: number }): number[] {
  const ids = 'SELECT json_group_array(id) FROM engine_term WHERE store = ? AND id >= ? AND id < ?';
  return JSON.parse(String(sql.one(ids, store, range.from, range.to)?.[0] ?? '[]')) as number[];
}

/** One row for all of them: many times faster than a row each. */
function readTerms(sql: Statements, query: string, args: unknown[]): GivenTerm[] {
  const [ids, terms] = sql.one(`SELECT json_group_array(id), json_group_array(term) FROM (${query})`, ...args) ?? [];
  const names = JSON.parse(String(terms ?? '[]')) as string[];
  return (JSON.parse(String(ids ?? '[]')) as number[]).map((id, index) => [id, names[index] ?? '']);
}
