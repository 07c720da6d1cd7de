import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

const EMPTY = new Uint32Array(0);

/** Postings of some terms, in 4 bytes each and 8 a term. Never changed: a snapshot may be writing it. */
export interface Segment {
  /** Ascending. */
  terms: Uint32Array;
  /** Where the postings of each term begin; one more for the end. */
  starts: Uint32Array;
  postings: Uint32Array;
}

/** Of lists by term. */
export function segmentOf(lists: ReadonlyMap<number, readonly number[]>): Segment {
  const terms = Uint32Array.from(lists.keys()).sort();
  const starts = new Uint32Array(terms.length + 1);
  terms.forEach((term, at) => (starts[at + 1] = starts[at]! + lists.get(term)!.length));
  const postings = new Uint32Array(starts[terms.length]!);
  terms.forEach((term, at) => postings.set(lists.get(term)!, starts[at]));
  return { terms, starts, postings };
}

/** Of postings that are sorted by term; `starts`: where those of each term begin, from term 0 on. */
export function segmentOfSorted(postings: Uint32Array, starts: Uint32Array): Segment {
  let count = 0;
  for (let term = 0; term + 1 < starts.length; term++) if (starts[term] !== starts[term + 1]) count++;
  const segment = { terms: new Uint32Array(count), starts: new Uint32Array(count + 1), postings };
  for (let term = 0, at = 0; term + 1 < starts.length; term++) {
    if (starts[term] === starts[term + 1]) continue;
    segment.terms[at++] = term;
    segment.starts[at] = starts[term + 1]!;
  }
  return segment;
}

/** Of two; a term that both have has those of the first one before those of the second. */
export function mergeSegments(first: Segment, second: Segment): Segment {
  const terms = new Uint32Array(first.terms.length + second.terms.length);
  const starts = new Uint32Array(terms.length + 1);
  const postings = new Uint32Array(first.postings.length + second.postings.length);
  let [count, length, a, b] = [0, 0, 0, 0];
  while (a < first.terms.length || b < second.terms.length) {
    const term = Math.min(first.terms[a] ?? Infinity, second.terms[b] ?? Infinity);
    if (first.terms[a] === term) length = copy(first, a++, postings, length);
    if (second.terms[b] === term) length = copy(second, b++, postings, length);
    terms[count++] = term;
    starts[count] = length;
  }
  return { terms: terms.slice(0, count), starts: starts.slice(0, count + 1), postings };
}

/** Writes the postings of a segment's term into others; answers where they end. A loop: most runs are short. */
export function copy(
  { starts, postings }: Pick<Segment, 'starts' | 'postings'>,
  at: number,
  into: Uint32Array,
  length: number,
): number {
  let next = length;
  for (let from = starts[at]!; from < starts[at + 1]!; from++) into[next++] = postings[from]!;
  return next;
}

/** The slot of the first term that is not below this one. */
export function slotOf({ terms }: Segment, term: number): number {
  let [low, high] = [0, terms.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (terms[middle]! < term) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function postingsIn(segment: Segment, term: number): Uint32Array {
  const at = slotOf(segment, term);
  return segment.terms[at] === term ? segment.postings.subarray(segment.starts[at], segment.starts[at + 1]) : EMPTY;
}

export function countIn(segment: Segment, term: number): number {
  const at = slotOf(segment, term);
  return segment.terms[at] === term ? segment.starts[at + 1]! - segment.starts[at]! : 0;
}

/** The terms that are not below this one. */
export function segmentFrom(segment: Segment, term: number): Segment {
  const at = slotOf(segment, term);
  const start = segment.starts[at]!;
  return {
    terms: segment.terms.subarray(at),
    starts: segment.starts.slice(at).map((end) => end - start),
    postings: segment.postings.subarray(start),
  };
}

export function saveSegment({ terms, starts, postings }: Segment, writer: SnapshotWriter): void {
  for (const numbers of [terms, starts, postings]) writer.numbers(numbers);
}

export const loadSegment = (reader: SnapshotReader): Segment => ({
  terms: reader.ints(),
  starts: reader.ints(),
  postings: reader.ints(),
});
