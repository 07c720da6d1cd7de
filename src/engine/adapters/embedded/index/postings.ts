import { FIELD_BITS, FIELD_MASK } from './packed';
import { Growable } from './growable';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

const EMPTY = new Uint32Array(0);
/** New postings are kept apart until there are this many, and this share of the packed ones. */
const REPACK_SHARE = 0.25;
const MOST_PENDING = 500_000;
/** More than that are packed at once, where they are this share of the packed ones: a list each takes longer, but packing takes the memory of all. */
const MANY_PENDING = 100_000;
const MANY_SHARE = 1 / 16;
const REPACK_LEAST = 50_000;
/** What one step moves: a few milliseconds. A term costs as much as so many of its postings. */
const MOVED_AT_ONCE = 400_000;
const TERM_COST = 10;

/** Postings that are filed in one step: about two milliseconds. */
const FILED_AT_ONCE = 20_000;

type RecentLists = Map<number, number[]>;
type VisitPosting = (term: number, posting: number) => void;
const NONE: readonly number[] = [];

/**
 * Rows by term, in memory: `row * 64 + fields`, rows ascending. Packed end to end by term, with what came since in
 * lists of their own. A posting never leaves: a row that is replaced is marked dead and a new row appended.
 */
export class Postings {
  private starts = new Uint32Array(1);
  private packed = EMPTY;
  /** Before the recent ones, while they are packed in steps. */
  private moving: RecentLists | null = null;
  private movingCount = 0;
  private recent: RecentLists = new Map();
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

  /** True when there is so much beside the packed part that packing it saves memory. */
  get crowded(): boolean {
    return this.moving === null && this.recentCount > this.fewRecent;
  }

  /** Makes what was appended searchable, in short steps; no search and no write may come between them. `terms`: how many there are. */
  *file(terms: number): Generator<void, void> {
    if (this.pendingCount === 0) return;
    // What a serving index is crowded by is packed later, while it serves.
    if (this.moving === null && this.areManyPending) yield* this.repack(terms);
    else yield* this.filePending();
    this.pending.length = 0;
    this.pendingCount = 0;
  }

  /** Packs what came since in short steps, between which the index is searched and added to. */
  *packRecent(): Generator<void, void> {
    const moving = this.recent;
    const packed = new Uint32Array(this.packed.length + this.recentCount);
    const terms = [...moving.keys()].reduce((highest, term) => Math.max(highest, term + 1), this.starts.length - 1);
    const starts = new Uint32Array(terms + 1);
    [this.moving, this.movingCount] = [moving, this.recentCount];
    [this.recent, this.recentCount] = [new Map(), 0];
    for (let term = 0, at = 0, work = 0; term < terms; term++) {
      const old = this.packedOf(term);
      const more = moving.get(term) ?? NONE;
      packed.set(old, at);
      packed.set(more, at + old.length);
      at += old.length + more.length;
      starts[term + 1] = at;
      work += old.length + more.length + TERM_COST;
      if (work < MOVED_AT_ONCE) continue;
      work = 0;
      yield;
    }
    [this.starts, this.packed, this.moving, this.movingCount] = [starts, packed, null, 0];
  }

  /** A term's postings: the packed ones, those that are being packed, and those that came since. */
  of(term: number): readonly (Uint32Array | readonly number[])[] {
    const recent = this.recent.get(term) ?? NONE;
    const moving = this.moving?.get(term);
    return moving ? [this.packedOf(term), moving, recent] : [this.packedOf(term), recent];
  }

  /** As many rows as a term can have. */
  count(term: number): number {
    return this.of(term).reduce((sum, list) => sum + list.length, 0);
  }

  trim(): void {
    this.pending.trim();
  }

  /** Only after `file`. */
  save(writer: SnapshotWriter): void {
    writer.numbers(this.starts);
    writer.numbers(this.packed);
    const pairs = new Uint32Array((this.movingCount + this.recentCount) * 2);
    let at = 0;
    for (const lists of this.moving ? [this.moving, this.recent] : [this.recent]) {
      for (const [term, list] of lists) {
        for (const posting of list) {
          pairs[at++] = term;
          pairs[at++] = posting;
        }
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

  private get fewRecent(): number {
    return REPACK_LEAST + this.packed.length * REPACK_SHARE;
  }

  private get areManyPending(): boolean {
    if (this.pendingCount <= Math.min(MANY_PENDING, this.fewRecent)) return false;
    return this.pendingCount + this.recentCount > this.packed.length * MANY_SHARE;
  }

  private packedOf(term: number): Uint32Array {
    const start = this.starts[term];
    const end = this.starts[term + 1];
    return start === undefined || end === undefined ? EMPTY : this.packed.subarray(start, end);
  }

  private fileRecent(term: number, posting: number): void {
    const list = this.recent.get(term);
    if (list) list.push(posting);
    else this.recent.set(term, [posting]);
    this.recentCount++;
  }

  private *filePending(): Generator<void, void> {
    let filed = 0;
    const file = (term: number, posting: number): void => this.fileRecent(term, posting);
    for (const at of this.pendingRows()) {
      filed += this.eachOfRow(at, file);
      if (filed < FILED_AT_ONCE) continue;
      filed = 0;
      yield;
    }
  }

  private eachPending(visit: VisitPosting): void {
    for (const at of this.pendingRows()) this.eachOfRow(at, visit);
  }

  /** Where each row that is pending begins. */
  private *pendingRows(): Generator<number, void> {
    const { data, length } = this.pending;
    for (let at = 0; at < length; at += 2 + (data[at + 1] ?? 0)) yield at;
  }

  /** The postings of a pending row; answers how many. */
  private eachOfRow(at: number, visit: VisitPosting): number {
    const { data } = this.pending;
    const [row = 0, count = 0] = [data[at], data[at + 1]];
    for (let position = at + 2; position < at + 2 + count; position++) {
      const value = data[position] ?? 0;
      visit(value >>> FIELD_BITS, row * (FIELD_MASK + 1) + (value & FIELD_MASK));
    }
    return count;
  }

  /** A counting sort: sizes, then offsets, then everything moved once. */
  private *repack(terms: number): Generator<void, void> {
    const starts = new Uint32Array(terms + 1);
    const count = (term: number, more: number): void => void (starts[term + 1] = (starts[term + 1] ?? 0) + more);
    for (let term = 0; term + 1 < this.starts.length; term++)
      count(term, (this.starts[term + 1] ?? 0) - (this.starts[term] ?? 0));
    for (const [term, list] of this.recent) count(term, list.length);
    this.eachPending((term) => count(term, 1));
    for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
    yield;
    const packed = new Uint32Array(starts[terms] ?? 0);
    const next = starts.slice(0, terms);
    for (let term = 0, work = 0; term + 1 < this.starts.length; term++) {
      const old = this.packedOf(term);
      packed.set(old, next[term]);
      next[term] = (next[term] ?? 0) + old.length;
      work += old.length + TERM_COST;
      if (work < MOVED_AT_ONCE) continue;
      work = 0;
      yield;
    }
    const put = (term: number, posting: number): void => {
      const at = next[term] ?? 0;
      packed[at] = posting;
      next[term] = at + 1;
    };
    for (const [term, list] of this.recent) for (const posting of list) put(term, posting);
    yield;
    this.eachPending(put);
    this.starts = starts;
    this.packed = packed;
    this.recent.clear();
    this.recentCount = 0;
  }
}
