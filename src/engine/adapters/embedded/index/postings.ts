import { FIELD_BITS, FIELD_MASK } from './packed';
import { Growable } from './growable';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

const EMPTY = new Uint32Array(0);
/** New postings are kept apart until there are this many, and this share of the packed ones. */
const REPACK_SHARE = 0.25;
const MOST_PENDING = 1_000_000;
const REPACK_LEAST = 50_000;

/**
 * Rows by term, in memory: `row * 64 + fields`, rows ascending. Packed end to end by term, with what came since in
 * lists of their own. A posting never leaves: a row that is replaced is marked dead and a new row appended.
 */
export class Postings {
  private starts = new Uint32Array(1);
  private packed = EMPTY;
  private readonly recent = new Map<number, number[]>();
  private recentCount = 0;
  /** Appended and not yet filed: row, number of postings, then `term * 64 + fields` each. */
  private readonly pending = Growable.ints();
  private pendingCount = 0;

  append(row: number, postings: Uint32Array, start: number, end: number): void {
    this.pending.push(row);
    this.pending.push(end - start);
    this.pending.append(postings, start, end);
    this.pendingCount += end - start;
  }

  /** True when so much was appended that filing it saves memory. */
  get full(): boolean {
    return this.pendingCount > MOST_PENDING;
  }

  /** Makes what was appended searchable. `terms`: how many there are. */
  file(terms: number): void {
    if (this.pendingCount === 0) return;
    if (this.recentCount + this.pendingCount > REPACK_LEAST + this.packed.length * REPACK_SHARE) this.repack(terms);
    else this.eachPending((term, posting) => this.fileRecent(term, posting));
    this.pending.length = 0;
    this.pendingCount = 0;
  }

  /** The packed part of a term's postings, then the recent part. */
  of(term: number): readonly [Uint32Array, readonly number[]] {
    const start = this.starts[term];
    const end = this.starts[term + 1];
    const packed = start === undefined || end === undefined ? EMPTY : this.packed.subarray(start, end);
    return [packed, this.recent.get(term) ?? []];
  }

  trim(): void {
    this.pending.trim();
  }

  /** Only after `file`. */
  save(writer: SnapshotWriter): void {
    writer.numbers(this.starts);
    writer.numbers(this.packed);
    const pairs = new Uint32Array(this.recentCount * 2);
    let at = 0;
    for (const [term, list] of this.recent) {
      for (const posting of list) {
        pairs[at++] = term;
        pairs[at++] = posting;
      }
    }
    writer.numbers(pairs);
  }

  load(reader: SnapshotReader): void {
    this.starts = reader.ints();
    this.packed = reader.ints();
    const pairs = reader.ints();
    for (let at = 0; at < pairs.length; at += 2) this.fileRecent(pairs[at]!, pairs[at + 1]!);
  }

  private fileRecent(term: number, posting: number): void {
    const list = this.recent.get(term);
    if (list) list.push(posting);
    else this.recent.set(term, [posting]);
    this.recentCount++;
  }

  private eachPending(visit: (term: number, posting: number) => void): void {
    const { data, length } = this.pending;
    for (let at = 0; at < length;) {
      const row = data[at] ?? 0;
      const end = at + 2 + (data[at + 1] ?? 0);
      for (at += 2; at < end; at++) {
        const value = data[at] ?? 0;
        visit(value >>> FIELD_BITS, row * (FIELD_MASK + 1) + (value & FIELD_MASK));
      }
    }
  }

  /** A counting sort: sizes, then offsets, then everything moved once. */
  private repack(terms: number): void {
    const starts = new Uint32Array(terms + 1);
    const count = (term: number, more: number): void => void (starts[term + 1] = (starts[term + 1] ?? 0) + more);
    for (let term = 0; term + 1 < this.starts.length; term++)
      count(term, (this.starts[term + 1] ?? 0) - (this.starts[term] ?? 0));
    for (const [term, list] of this.recent) count(term, list.length);
    this.eachPending((term) => count(term, 1));
    for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    const packed = new Uint32Array(starts[terms] ?? 0);
    const next = starts.slice(0, terms);
    const put = (term: number, posting: number): void => {
      const at = next[term] ?? 0;
      packed[at] = posting;
      next[term] = at + 1;
    };
    for (let term = 0; term + 1 < this.starts.length; term++) {
      const old = this.packed.subarray(this.starts[term], this.starts[term + 1]);
      packed.set(old, next[term]);
      next[term] = (next[term] ?? 0) + old.length;
    }
    for (const [term, list] of this.recent) for (const posting of list) put(term, posting);
    this.eachPending(put);
    this.starts = starts;
    this.packed = packed;
    this.recent.clear();
    this.recentCount = 0;
  }
}
