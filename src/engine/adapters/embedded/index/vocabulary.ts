import { isCorrectable } from '../../../analysis/edit-distance';
import { type FacetEntry, facets, type StoredKind, storedKinds } from '../../../facets';
import { wordToken } from '../../../field-words';
import { NameTable } from './name-table';
import { type Budget, type FoundWord, NearIndex } from './near-index';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';
import { entryOf } from './term-ids';
import { WordStarts } from './word-starts';

/** The values of one facet by number; the label of the latest document counts. */
export class FacetTable {
  /** Number 0 of a facet with a single value is nobody's. */
  readonly entries: FacetEntry[];
  private readonly numbers = new Map<string, number>();
  private readonly opened = new Map<number, FacetEntry>();

  /** `text`: the text of a term. */
  constructor(
    private readonly kind: StoredKind,
    private readonly text: (term: number) => string,
  ) {
    this.entries = facets[kind].single ? [{ key: '', label: '' }] : [];
  }

  numberOf(key: string): number | undefined {
    return this.numbers.get(key);
  }

  /** A term that stands for a value -> the value's number. */
  open(term: number): number {
    let entry = this.opened.get(term);
    if (!entry) this.opened.set(term, (entry = entryOf(this.kind, this.text(term))));
    const number = this.numbers.get(entry.key) ?? this.entries.length;
    if (this.entries[number] !== entry) {
      this.numbers.set(entry.key, number);
      this.entries[number] = entry;
    }
    return number;
  }

  /** The number of a term stands for another one, or nothing. */
  forget(term: number): void {
    this.opened.delete(term);
  }

  openAll(terms: Uint32Array, start: number, end: number): number[] {
    const numbers: number[] = [];
    for (let at = start; at < end; at++) numbers.push(this.open(terms[at] ?? 0));
    return numbers;
  }

  /** Into an empty table. */
  load(entries: readonly FacetEntry[]): void {
    for (const entry of entries.slice(this.entries.length)) this.numbers.set(entry.key, this.entries.push(entry) - 1);
  }
}

const WORD = wordToken('');

/** A store's terms by number, and what their first letters say of them. */
export class Vocabulary {
  private readonly table = new NameTable();
  readonly terms = this.table.names;
  private readonly text = (term: number): string => this.terms[term] ?? '';
  /** Empty where the number stands for what is no word, or for nothing, any more. */
  private readonly word = (term: number): string => wordOf(this.text(term));
  private readonly words = new NearIndex(this.word);
  readonly starts = new WordStarts(this.word);
  readonly values = Object.fromEntries(storedKinds.map((kind) => [kind, new FacetTable(kind, this.text)])) as Readonly<
    Record<StoredKind, FacetTable>
  >;

  /** How many numbers stand for a term. */
  get size(): number {
    return this.table.size;
  }

  /** Another one whenever a number stands for another term. */
  get version(): number {
    return this.table.version;
  }

  /** From now on the number stands for the term. */
  set(id: number, term: string): void {
    if (this.terms[id] === term) return;
    this.forget(id);
    // A term that nobody named for a while has a new number; the old one is nobody's.
    const before = this.table.number(term);
    if (before !== undefined) this.forget(before);
    this.table.set(id, term);
    this.index(id, term);
  }

  /** Forgets the terms of a range of numbers but those given. What their words leave behind is for `sweep`. */
  keepOnly(range: { from: number; to: number }, given: readonly number[]): void {
    const kept = new Set(given);
    for (let id = range.from; id < Math.min(range.to, this.terms.length); id++) {
      if (!kept.has(id) && this.terms[id] !== '') this.drop(id);
    }
  }

  /** Gives back the room of words that were forgotten, a bucket of words in each step. */
  *sweep(): Generator<void, void> {
    yield* this.words.sweep();
    yield* this.starts.sweep();
  }

  save(writer: SnapshotWriter): void {
    this.table.save(writer);
    writer.json(storedKinds.map((kind) => this.values[kind].entries));
  }

  /** Into an empty vocabulary. */
  load(reader: SnapshotReader): void {
    this.table.load(reader);
    this.terms.forEach((term, id) => this.index(id, term));
    const saved = reader.json() as FacetEntry[][];
    storedKinds.forEach((kind, index) => this.values[kind].load(saved[index] ?? []));
  }

  id(term: string): number | undefined {
    return this.table.number(term);
  }

  idOfHash(hash: number): number | undefined {
    return this.table.numberOfHash(hash);
  }

  /** Words with the same first letter within the forgiven distance, in no order; null where the budget did not last. */
  near(word: string, budget: Budget): FoundWord[] | null {
    return isCorrectable(word) ? this.words.find(word, budget) : [];
  }

  private index(id: number, term: string): void {
    const word = wordOf(term);
    if (word === '') return;
    this.starts.add(id, word);
    if (isCorrectable(word)) this.words.add(id, word);
  }

  private forget(id: number): void {
    const word = wordOf(this.text(id));
    if (word !== '') this.starts.remove(id, word);
    if (isCorrectable(word)) this.words.remove(id, word);
    this.drop(id);
  }

  private drop(id: number): void {
    this.table.drop(id);
    for (const kind of storedKinds) this.values[kind].forget(id);
  }
}

/** The word that a term stands for; empty where it is no word. */
const wordOf = (term: string): string => (term.startsWith(WORD) ? term.slice(WORD.length) : '');
