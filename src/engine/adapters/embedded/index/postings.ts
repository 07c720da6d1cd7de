import { FIELD_BITS, FIELD_MASK } from './packed';
import { Growable } from './growable';
import { PackedPostings } from './packed-postings';
import {
  countIn,
  loadSegment,
  mergeSegments,
  postingsIn,
  saveSegment,
  type Segment,
  segmentFrom,
  segmentOf,
  segmentOfSorted,
} from './posting-segment';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

/** New postings are kept apart until there are this many, and this share of the packed ones. */
const REPACK_SHARE = 0.25;
const REPACK_LEAST = 50_000;
const MOST_PENDING = 500_000;
/** More than that are sorted at once, and packed at once where what is kept apart is this share of the packed ones: searches look into fewer segments. */
const MANY_PENDING = 100_000;
const MANY_SHARE = 1 / 16;
/** Postings in lists by term, which take ten times the memory of a segment, but take single ones. */
const MOST_LISTED = 20_000;
/** Of segments that are made one, which takes about five milliseconds. */
const MOST_MERGED = 500_000;
/** With more of them the index is packed: each is looked into for each term. */
const MOST_SEGMENTS = 16;
/** Postings that are filed in one step: about two milliseconds. */
const FILED_AT_ONCE = 20_000;

type VisitPosting = (term: number, posting: number) => void;

/**
 * Rows by term, in memory: `row * 64 + fields`, rows ascending. Packed end to end by term, with what came since in segments, and the latest
 * in lists. A posting never leaves: a row that is replaced is marked dead and a new row appended.
 */
export class Postings {
  private readonly packed = new PackedPostings();
  /** In the order they came: each is at least twice as long as the next one, or as long as segments get. */
  private readonly segments: Segment[] = [];
  /** So many of the first segments are being packed: of terms below that one they are no more looked at. */
  private packing: { segments: number; below: number } | null = null;
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

  /** True when there is so much beside the packed part that packing it saves time. */
  get crowded(): boolean {
    return this.packing === null && (this.unpacked > this.fewRecent || this.segments.length > MOST_SEGMENTS);
  }

  /** Whether something was appended and is not searchable yet. */
  get hasPending(): boolean {
    return this.pendingCount > 0;
  }

  /** Makes what was appended searchable, in short steps; no search and no write may come between them. `terms`: how many there are. */
  *file(terms: number): Generator<void, void> {
    if (this.pendingCount === 0) return;
    const areMany = this.pendingCount > Math.min(MANY_PENDING, this.fewRecent);
    if (areMany) yield* this.sortPending(terms);
    else yield* this.listPending();
    this.pending.length = 0;
    this.pendingCount = 0;
    // What a serving index is crowded by is packed later, while it serves.
    if (areMany && !this.packing && this.unpacked > this.packed.length * MANY_SHARE) yield* this.packRecent();
  }

  /** Packs what came since in short steps, between which the index is searched and added to. */
  *packRecent(): Generator<void, void> {
    this.seal();
    const packing = { segments: this.segments.length, below: 0 };
    this.packing = packing;
    try {
      for (const below of this.packed.add([...this.segments])) {
        packing.below = below;
        yield;
      }
      packing.below = Infinity;
    } finally {
      // Where it failed on the way, what is not packed stays.
      const packed = this.segments.splice(0, packing.segments);
      if (packing.below < Infinity)
        this.segments.unshift(...packed.map((segment) => segmentFrom(segment, packing.below)));
      this.packing = null;
    }
  }

  /** A term's postings in the order they came. */
  of(term: number): readonly (Uint32Array | readonly number[])[] {
    const lists: (Uint32Array | readonly number[])[] = [this.packed.of(term)];
    for (let index = this.firstOf(term); index < this.segments.length; index++) {
      const postings = postingsIn(this.segments[index]!, term);
      if (postings.length > 0) lists.push(postings);
    }
    const recent = this.recent.get(term);
    if (recent) lists.push(recent);
    return lists;
  }

  /** As many rows as a term can have. */
  count(term: number): number {
    let count = this.packed.count(term) + (this.recent.get(term)?.length ?? 0);
    for (let index = this.firstOf(term); index < this.segments.length; index++)
      count += countIn(this.segments[index]!, term);
    return count;
  }

  trim(): void {
    this.pending.trim();
  }

  /** Only after `file`. */
  save(writer: SnapshotWriter): void {
    this.seal();
    this.packed.save(writer);
    const { segments = 0, below = 0 } = this.packing ?? {};
    writer.json(this.segments.length);
    this.segments.forEach((segment, index) =>
      saveSegment(index < segments ? segmentFrom(segment, below) : segment, writer),
    );
  }

  load(reader: SnapshotReader): void {
    this.packed.load(reader);
    const segments = reader.json() as number;
    for (let index = 0; index < segments; index++) this.segments.push(loadSegment(reader));
  }

  /** Postings that came since those that are packed or being packed. */
  private get unpacked(): number {
    const segments = this.segments.slice(this.packing?.segments ?? 0);
    return segments.reduce((sum, { postings }) => sum + postings.length, this.recentCount);
  }

  private get fewRecent(): number {
    return REPACK_LEAST + this.packed.length * REPACK_SHARE;
  }

  /** The first segment whose postings of a term are not packed. */
  private firstOf(term: number): number {
    return this.packing && term < this.packing.below ? this.packing.segments : 0;
  }

  /** The lists become a segment. */
  private seal(): void {
    if (this.recentCount === 0) return;
    this.push(segmentOf(this.recent));
    this.recent.clear();
    this.recentCount = 0;
  }

  /** Makes one of the last segments while they are as short as the new one, so that there are few of them. */
  private push(segment: Segment): void {
    let latest = segment;
    while (this.segments.length > (this.packing?.segments ?? 0)) {
      const { length } = this.segments.at(-1)!.postings;
      if (length >= 2 * latest.postings.length || length + latest.postings.length > MOST_MERGED) break;
      latest = mergeSegments(this.segments.pop()!, latest);
    }
    this.segments.push(latest);
  }

  private *listPending(): Generator<void, void> {
    let filed = 0;
    const file = (term: number, posting: number): void => {
      const list = this.recent.get(term);
      if (list) list.push(posting);
      else this.recent.set(term, [posting]);
      this.recentCount++;
    };
    for (const at of this.pendingRows()) {
      filed += this.eachOfRow(at, file);
      if (this.recentCount > MOST_LISTED) this.seal();
      if (filed < FILED_AT_ONCE) continue;
      filed = 0;
      yield;
    }
  }

  /** A counting sort of what is pending: sizes, then offsets, then everything moved once. */
  private *sortPending(terms: number): Generator<void, void> {
    this.seal();
    const starts = new Uint32Array(terms + 1);
    this.eachPending((term) => void starts[term + 1]!++);
    for (let term = 0; term < terms; term++) starts[term + 1]! += starts[term]!;
    yield;
    const sorted = new Uint32Array(starts[terms]!);
    const next = starts.slice(0, terms);
    this.eachPending((term, posting) => void (sorted[next[term]!++] = posting));
    yield;
    this.push(segmentOfSorted(sorted, starts));
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
}
