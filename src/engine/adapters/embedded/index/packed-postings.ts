import { copy, slotOf, type Segment } from './posting-segment';
import { isBeingSaved, type SnapshotReader, type SnapshotWriter } from './snapshot-file';

const EMPTY = new Uint32Array(0);
/** Postings of a part, about, and as much as one step moves: a few milliseconds. A term costs as much as so many of its postings, and each segment that is looked into one more. */
const PART = 400_000;
const TERM_COST = 10;
/** A part that takes the memory of another one over may be so much longer. */
const ROOM = 17 / 16;
/** Memory that is so many times as long as a new part would get is too long for it. */
const TOO_LONG = 5 / 4;
/** Of the memory that is taken over, the latest pieces: what follows is about as long. */
const MOST_SPARE = 4;

/** Of the terms from `first` on. Not changed while it is one of the parts, nor while a snapshot is writing it. */
interface Part {
  first: number;
  /** Where the postings of each term begin; one more for the end. */
  starts: Uint32Array;
  postings: Uint32Array;
}

const endOf = ({ first, starts }: Part): number => first + starts.length - 1;

/**
 * Postings by term, laid end to end. In parts, so that those that came since are added a part at a time: in one piece, all that there is
 * would be in memory twice.
 */
export class PackedPostings {
  private readonly parts: Part[] = [];
  /**
   * Of parts that were replaced, for the next new ones. Without it, all that there was would be in memory until it is collected, beside all
   * that there is.
   */
  private spare: ArrayBufferLike[] = [];
  /** Of all terms. */
  length = 0;

  /** The highest term that may have any, and one. */
  get terms(): number {
    const last = this.parts.at(-1);
    return last ? endOf(last) : 0;
  }

  of(term: number): Uint32Array {
    const part = this.partOf(term);
    if (!part) return EMPTY;
    const start = part.starts[term - part.first]!;
    const end = part.starts[term - part.first + 1]!;
    return start === end ? EMPTY : part.postings.subarray(start, end);
  }

  count(term: number): number {
    const part = this.partOf(term);
    return part ? part.starts[term - part.first + 1]! - part.starts[term - part.first]! : 0;
  }

  /**
   * Appends the postings of segments, a part in each step. After each, the terms below the answered one have theirs, the others
   * have not.
   */
  *add(segments: readonly Segment[]): Generator<number, void> {
    const terms = Math.max(this.terms, ...segments.map((segment) => (segment.terms.at(-1) ?? -1) + 1));
    try {
      for (let number = 0, first = 0; first < terms; number++) {
        const part = this.merged({ first, terms }, segments);
        first = endOf(part);
        this.replace(number, part);
        yield first;
      }
    } finally {
      this.spare = [];
    }
  }

  /** In the order of their terms. */
  save(writer: SnapshotWriter): void {
    writer.json(this.parts.map(({ first }) => first));
    for (const { starts, postings } of this.parts) {
      writer.numbers(starts);
      writer.numbers(postings);
    }
  }

  /** Into empty ones. */
  load(reader: SnapshotReader): void {
    for (const first of reader.json() as number[]) {
      const part = { first, starts: reader.ints(), postings: reader.ints(ROOM) };
      this.parts.push(part);
      this.length += part.postings.length;
    }
  }

  private partOf(term: number): Part | null {
    let [low, high] = [0, this.parts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.parts[middle]!.first <= term) low = middle + 1;
      else high = middle;
    }
    const part = this.parts[low - 1];
    return part && term < endOf(part) ? part : null;
  }

  /** A new part from a term on: as many terms as fit. */
  private merged({ first, terms }: { first: number; terms: number }, segments: readonly Segment[]): Part {
    const slots = segments.map((segment) => slotOf(segment, first));
    const ends = [0];
    const at = [...slots];
    const termCost = TERM_COST + segments.length;
    for (let term = first, size = 0; term < terms && size + ends.length * termCost < PART; term++) {
      size += this.count(term);
      for (let index = 0; index < segments.length; index++) {
        const { terms: own, starts } = segments[index]!;
        if (own[at[index]!] === term) size += starts[++at[index]!]! - starts[at[index]! - 1]!;
      }
      ends.push(size);
    }
    const starts = Uint32Array.from(ends);
    const postings = this.room(starts.at(-1) ?? 0);
    for (let term = first, next = 0; term < first + starts.length - 1; term++) {
      next = this.copyOf(term, postings, next);
      for (let index = 0; index < segments.length; index++) {
        if (segments[index]!.terms[slots[index]!] === term)
          next = copy(segments[index]!, slots[index]!++, postings, next);
      }
    }
    return { first, starts, postings };
  }

  /** For the postings of a new part. What was in it before is overwritten. */
  private room(length: number): Uint32Array {
    const bytes = Math.ceil(length * ROOM) * EMPTY.BYTES_PER_ELEMENT;
    const fits = ({ byteLength }: ArrayBufferLike): boolean =>
      byteLength >= length * EMPTY.BYTES_PER_ELEMENT && byteLength <= bytes * TOO_LONG;
    const at = this.spare.findIndex(fits);
    const [buffer = new ArrayBuffer(bytes)] = at < 0 ? [] : this.spare.splice(at, 1);
    return new Uint32Array(buffer, 0, length);
  }

  /** Writes what there is of a term into others; answers where it ends. */
  private copyOf(term: number, into: Uint32Array, length: number): number {
    const part = this.partOf(term);
    return part ? copy(part, term - part.first, into, length) : length;
  }

  /** Puts a part where there was something of its terms. */
  private replace(number: number, part: Part): void {
    const end = endOf(part);
    let old = number;
    let before = 0;
    while (old < this.parts.length && endOf(this.parts[old]!) <= end) {
      const { postings } = this.parts[old++]!;
      before += postings.length;
      if (!isBeingSaved(postings)) this.spare.push(postings.buffer);
      if (this.spare.length > MOST_SPARE) this.spare.shift();
    }
    const cut = this.parts[old];
    if (cut && cut.first < end) {
      const rest = behind(cut, end);
      before += cut.postings.length - rest.postings.length;
      this.parts[old] = rest;
    }
    this.parts.splice(number, old - number, part);
    this.length += part.postings.length - before;
  }
}

/** The terms of a part from one on. */
function behind({ first, starts, postings }: Part, term: number): Part {
  const start = starts[term - first]!;
  return {
    first: term,
    starts: starts.slice(term - first).map((at) => at - start),
    postings: postings.subarray(start),
  };
}
