import { type StoredKind, storedKinds } from '../../../facets';
import { numberNames, type StoredNumber } from '../../../../ranking/signal-numbers';

/**
 * A product's documents as one blob: what the search thread copies into its columns without looking at a string. Doubles
 * first (aligned), then 32-bit integers. All names are numbers of the store's terms.
 */
export interface PackedDocument extends Record<PackedList, number[]> {
  /** In the order of `storedNumbers`; NaN: none. */
  numbers: number[];
  available: boolean;
  channel: number;
  brand: number | null;
  /** By field. */
  lengths: number[];
}

/** Brands stand in the head of a document. */
export type ListedKind = Exclude<StoredKind, 'brand'>;
/** `postings` are `term * 64 + fields`. */
export type PackedList = 'excludedChannels' | 'features' | 'exact' | 'postings' | ListedKind;

/** Grows with every change of what is stored of a document, so that what an older version wrote is made anew. */
export const DOCUMENT_SCHEMA = 4;

/** What every blob ever written has. */
const FIRST_NUMBERS = 7;
const FIRST_LISTS: readonly PackedList[] = ['excludedChannels', 'category', 'features', 'exact', 'postings'];
const isLater = (kind: StoredKind): kind is ListedKind => kind !== 'brand' && !FIRST_LISTS.includes(kind);
export const laterKinds: readonly ListedKind[] = storedKinds.filter(isLater);
export const laterNumbers: readonly StoredNumber[] = numberNames.slice(FIRST_NUMBERS);
const LISTS: readonly PackedList[] = [...FIRST_LISTS, ...laterKinds];
/** The first double: the number of documents, and by how many numbers and lists they exceed the first blobs. */
const PER_NUMBER = 2 ** 20;
const PER_LIST = 2 ** 36;

const DOUBLES = numberNames.length;
/** Integers before the lists: available, channel, brand + 1, six lengths, then the lengths of the lists. */
const LIST_LENGTHS = 9;
const HEAD = LIST_LENGTHS + LISTS.length;
/** Fields of a posting, in its lowest six bits. */
export const FIELD_BITS = 6;
export const FIELD_MASK = 63;
/** The trend that is stored of a product of which nothing is learned any more. No popularity is that low. */
export const NOTHING_LEARNED = 0;
/** A removed product is remembered for this many changes: longer than any late write is under way. */
export const REMEMBERED_CHANGES = 200_000;

export function pack(documents: readonly PackedDocument[]): Buffer {
  const integers = documents.reduce(
    (sum, document) => LISTS.reduce((all, list) => all + document[list].length, sum + HEAD),
    1,
  );
  const padded = integers + (integers % 2);
  const buffer = new ArrayBuffer(documents.length * DOUBLES * 8 + 8 + padded * 4);
  const doubles = new Float64Array(buffer, 0, documents.length * DOUBLES + 1);
  doubles[0] = documents.length + laterNumbers.length * PER_NUMBER + laterKinds.length * PER_LIST;
  const ints = new Uint32Array(buffer, doubles.byteLength);
  let at = 0;
  documents.forEach((document, index) => {
    doubles.set(document.numbers, 1 + index * DOUBLES);
    const head = [document.available ? 1 : 0, document.channel, (document.brand ?? -1) + 1, ...document.lengths];
    ints.set([...head, ...LISTS.map((list) => document[list].length)], at);
    at += HEAD;
    for (const list of LISTS) {
      ints.set(document[list], at);
      at += document[list].length;
    }
  });
  return Buffer.from(buffer);
}

/** One document of a blob: where its parts are. Opened a hundred thousand times at a start, so it makes no objects. */
export class DocumentReader {
  private ints: Uint32Array = new Uint32Array(0);
  private doubles: Float64Array = new Float64Array(0);
  private head = 0;
  private document = -1;
  private count = 0;
  private end = 0;
  private numbers = 0;
  private lists = 0;

  open(blob: Uint8Array): void {
    // The driver's buffers may start at any byte; views of doubles must be aligned.
    const bytes = blob.byteOffset % 8 === 0 ? blob : new Uint8Array(blob);
    this.doubles = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);
    this.ints = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    const shape = this.doubles[0] ?? 0;
    this.count = shape % PER_NUMBER;
    this.numbers = FIRST_NUMBERS + (Math.floor(shape / PER_NUMBER) % (PER_LIST / PER_NUMBER));
    this.lists = FIRST_LISTS.length + Math.floor(shape / PER_LIST);
    this.document = -1;
    this.end = (1 + this.count * this.numbers) * 2;
  }

  next(): boolean {
    if (++this.document >= this.count) return false;
    this.head = this.end;
    this.end = this.head + LIST_LENGTHS + this.lists;
    for (let list = 0; list < this.lists; list++) this.end += this.fixed(LIST_LENGTHS + list);
    return true;
  }

  /** In the order of `storedNumbers`; NaN: none. */
  number(which: number): number {
    return which < this.numbers ? (this.doubles[1 + this.document * this.numbers + which] ?? 0) : Number.NaN;
  }

  get available(): number {
    return this.fixed(0);
  }

  get channel(): number {
    return this.fixed(1);
  }

  /** The only value of a facet: 0 where there is none, else its term + 1. */
  single(kind: StoredKind): number {
    if (kind === 'brand') return this.fixed(2);
    return this.list(kind, (ints, start, end) => (start === end ? 0 : (ints[start] ?? 0) + 1));
  }

  length(field: number): number {
    return this.fixed(3 + field);
  }

  /** Gives a list to whoever copies it: the integers, its start and its end. */
  list<T>(name: PackedList, take: (ints: Uint32Array, start: number, end: number) => T): T {
    let start = this.head + LIST_LENGTHS + this.lists;
    let list = 0;
    for (; LISTS[list] !== name; list++) start += list < this.lists ? this.fixed(LIST_LENGTHS + list) : 0;
    return take(this.ints, start, start + (list < this.lists ? this.fixed(LIST_LENGTHS + list) : 0));
  }

  /** Every term the document names, some of them more than once. */
  eachTerm(visit: (term: number) => void): void {
    visit(this.channel);
    if (this.fixed(2) > 0) visit(this.fixed(2) - 1);
    for (const list of LISTS) {
      // Hashes of texts.
      if (list === 'exact') continue;
      const shift = list === 'postings' ? FIELD_BITS : 0;
      this.list(list, (ints, start, end) => {
        for (let at = start; at < end; at++) visit((ints[at] ?? 0) >>> shift);
      });
    }
  }

  private fixed(offset: number): number {
    return this.ints[this.head + offset] ?? 0;
  }
}
