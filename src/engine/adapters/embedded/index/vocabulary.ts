import { editDistance, forgivenEdits, isCorrectable } from '../../../analysis/edit-distance';
import { type FacetEntry, facets, type ValueKind, valueKinds } from '../../../facets';
import { NameTable } from './name-table';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';
import { entryOf } from './term-ids';

/** The values of one facet by number; the label of the latest document counts. */
export class FacetTable {
  /** Number 0 of a facet with a single value is nobody's. */
  readonly entries: FacetEntry[];
  private readonly numbers = new Map<string, number>();
  private readonly opened = new Map<number, FacetEntry>();

  /** `text`: the text of a term. */
  constructor(
    private readonly kind: ValueKind,
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

/** A store's terms by number, and what their first letters say of them. */
export class Vocabulary {
  private readonly table = new NameTable();
  readonly terms = this.table.names;
  private readonly wordsByLetter = new Map<string, number[]>();
  private readonly text = (term: number): string => this.terms[term] ?? '';
  readonly values = Object.fromEntries(valueKinds.map((kind) => [kind, new FacetTable(kind, this.text)])) as Readonly<
    Record<ValueKind, FacetTable>
  >;

  append(terms: readonly string[]): void {
    for (const term of terms) this.list(term, this.table.add(term));
  }

  save(writer: SnapshotWriter): void {
    this.table.save(writer);
    writer.json(valueKinds.map((kind) => this.values[kind].entries));
  }

  /** Into an empty vocabulary. */
  load(reader: SnapshotReader): void {
    this.table.load(reader);
    this.terms.forEach((term, id) => this.list(term, id));
    const saved = reader.json() as FacetEntry[][];
    valueKinds.forEach((kind, index) => this.values[kind].load(saved[index] ?? []));
  }

  id(term: string): number | undefined {
    return this.table.number(term);
  }

  idOfHash(hash: number): number | undefined {
    return this.table.numberOfHash(hash);
  }

  /** Words with the same first letter within the forgiven distance. */
  near(word: string): { word: string; distance: number }[] {
    if (!isCorrectable(word)) return [];
    const most = forgivenEdits(word);
    const found: { word: string; distance: number }[] = [];
    for (const id of this.wordsByLetter.get(word.charAt(0)) ?? []) {
      const known = this.text(id);
      if (Math.abs(known.length - 1 - word.length) > most) continue;
      const candidate = known.slice(1);
      const distance = editDistance(word, candidate, most);
      if (distance <= most) found.push({ word: candidate, distance });
    }
    return found;
  }

  private list(term: string, id: number): void {
    if (!term.startsWith('w')) return;
    const word = term.slice(1);
    if (!isCorrectable(word)) return;
    const letter = word.charAt(0);
    const words = this.wordsByLetter.get(letter);
    if (words) words.push(id);
    else this.wordsByLetter.set(letter, [id]);
  }
}
