/**
 * A product's documents as one blob: what the search thread copies into its columns without looking at a string. Doubles
 * first (aligned), then 32-bit integers. All names are numbers of the store's terms.
 */
export interface PackedDocument {
  version: number;
  price: number;
  oldPrice: number | null;
  created: number;
  sold: number | null;
  rating: { average: number; count: number } | null;
  available: boolean;
  channel: number;
  excludedChannels: number[];
  brand: number | null;
  /** By field. */
  lengths: number[];
  categories: number[];
  features: number[];
  exact: number[];
  /** `term * 64 + fields`. */
  postings: number[];
}

const DOUBLES = 7;
/** Integers before the lists: available, channel, brand + 1, six lengths, then the five list lengths. */
const FIXED = 14;
const LIST_LENGTHS = 9;
/** Fields of a posting, in its lowest six bits. */
export const FIELD_BITS = 6;
export const FIELD_MASK = 63;

export type PackedList = 'excludedChannels' | 'categories' | 'features' | 'exact' | 'postings';
const LISTS: readonly PackedList[] = ['excludedChannels', 'categories', 'features', 'exact', 'postings'];

export function pack(documents: readonly PackedDocument[]): Buffer {
  const integers = documents.reduce(
    (sum, document) => LISTS.reduce((all, list) => all + document[list].length, sum + FIXED),
    1,
  );
  const padded = integers + (integers % 2);
  const buffer = new ArrayBuffer(documents.length * DOUBLES * 8 + 8 + padded * 4);
  const doubles = new Float64Array(buffer, 0, documents.length * DOUBLES + 1);
  doubles[0] = documents.length;
  const ints = new Uint32Array(buffer, doubles.byteLength);
  let at = 0;
  documents.forEach((document, index) => {
    const { rating, lengths } = document;
    const numbers = [
      document.price,
      document.oldPrice,
      document.created,
      document.sold,
      rating?.average,
      rating?.count,
      document.version,
    ];
    doubles.set(
      numbers.map((value) => value ?? Number.NaN),
      1 + index * DOUBLES,
    );
    const head = [document.available ? 1 : 0, document.channel, (document.brand ?? -1) + 1, ...lengths];
    ints.set([...head, ...LISTS.map((list) => document[list].length)], at);
    at += FIXED;
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

  open(blob: Uint8Array): void {
    // Buffers of the driver may start anywhere; views of doubles may not.
    const bytes = blob.byteOffset % 8 === 0 ? blob : new Uint8Array(blob);
    this.doubles = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);
    this.ints = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    this.count = this.doubles[0] ?? 0;
    this.document = -1;
    this.end = (1 + this.count * DOUBLES) * 2;
  }

  next(): boolean {
    if (++this.document >= this.count) return false;
    this.head = this.end;
    this.end = this.head + FIXED;
    for (let list = 0; list < LISTS.length; list++) this.end += this.fixed(LIST_LENGTHS + list);
    return true;
  }

  /** price, oldPrice, created, sold, rating average, rating count, version; NaN: none. */
  number(which: number): number {
    return this.doubles[1 + this.document * DOUBLES + which] ?? 0;
  }

  get available(): number {
    return this.fixed(0);
  }

  get channel(): number {
    return this.fixed(1);
  }

  /** 0: none, else the term + 1. */
  get brand(): number {
    return this.fixed(2);
  }

  length(field: number): number {
    return this.fixed(3 + field);
  }

  /** Gives a list to whoever copies it: the integers, its start and its end. */
  list<T>(name: PackedList, take: (ints: Uint32Array, start: number, end: number) => T): T {
    let start = this.head + FIXED;
    let list = 0;
    for (; LISTS[list] !== name; list++) start += this.fixed(LIST_LENGTHS + list);
    return take(this.ints, start, start + this.fixed(LIST_LENGTHS + list));
  }

  private fixed(place: number): number {
    return this.ints[this.head + place] ?? 0;
  }
}
