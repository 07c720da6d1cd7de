import { LONGEST_WORD } from './tokens';
import { unlikelihood } from './typing-cost';

/** Above every distance that is asked for. */
const FAR = 0xffff;
/** Rows of the table, kept: a look-up compares hundreds of words. */
let rows = [0, 1, 2].map(() => new Uint16Array(64)) as [Uint16Array, Uint16Array, Uint16Array];

/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each costing 1 (Damerau 1964).
 * Returns `most + 1` as soon as the distance must be above `most`. Only cells that `most` edits can reach are computed, and none for
 * what both begin or end with.
 */
export function editDistance(a: string, b: string, most: number): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > most) return most + 1;
  let start = 0;
  while (start < short.length && short.charCodeAt(start) === long.charCodeAt(start)) start++;
  let [shortEnd, longEnd] = [short.length, long.length];
  while (shortEnd > start && short.charCodeAt(shortEnd - 1) === long.charCodeAt(longEnd - 1)) {
    shortEnd--;
    longEnd--;
  }
  if (shortEnd === start) return longEnd - start;
  return alignedDistance(short.slice(start, shortEnd), long.slice(start, longEnd), most);
}

function alignedDistance(short: string, long: string, most: number): number {
  const width = short.length;
  if (rows[0].length <= width) rows = rows.map(() => new Uint16Array(width * 2)) as typeof rows;
  let [before, previous, current] = rows;
  for (let column = 0; column <= width; column++) previous[column] = column;
  for (let row = 1; row <= long.length; row++) {
    const first = Math.max(1, row - most);
    const last = Math.min(width, row + most);
    const unit = long.charCodeAt(row - 1);
    let least = (current[first - 1] = first === 1 ? row : FAR);
    for (let column = first; column <= last; column++) {
      const other = short.charCodeAt(column - 1);
      let cost = previous[column - 1]! + (unit === other ? 0 : 1);
      if (current[column - 1]! + 1 < cost) cost = current[column - 1]! + 1;
      // Above the band of the row before there is nothing yet.
      if (column < row + most && previous[column]! + 1 < cost) cost = previous[column]! + 1;
      const swapped =
        row > 1 && column > 1 && unit === short.charCodeAt(column - 2) && long.charCodeAt(row - 2) === other;
      if (swapped && before[column - 2]! + 1 < cost) cost = before[column - 2]! + 1;
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[width]!, most + 1);
}

/** Typing mistakes forgiven in a word: none up to 2 letters, 1 up to 5, else 2. */
export function forgivenEdits(word: string): number {
  return word.length <= 2 ? 0 : word.length <= 5 ? 1 : 2;
}

/** Near words answered at most. */
const MOST_NEAR = 8;

/** Whether a word can be corrected, or be a correction: not short words and numbers, nor what is longer than any word of an index. */
export const isCorrectable = (word: string): boolean =>
  forgivenEdits(word) > 0 && word.length <= LONGEST_WORD && !/\d/.test(word);

interface Near {
  word: string;
  distance: number;
  /** What typing the word wrongly costs (`typingCost`). */
  cost: number;
  documents: number;
}

/** Those of the words that occur in any product which were most likely meant, the likeliest first. */
export function nearestWords<W extends Near>(found: readonly W[]): W[] {
  const known = found.filter(({ documents }) => documents > 0);
  known.sort(
    (a, b) => unlikelihood(a.cost, a.documents) - unlikelihood(b.cost, b.documents) || (a.word < b.word ? -1 : 1),
  );
  return known.slice(0, MOST_NEAR);
}

/**
 * The same, where counting products is the costly part. `most`: as many products as a word can have. Only words that may be among
 * the nearest are counted.
 */
export function nearestCounted<C extends Omit<Near, 'documents'> & { most: number }>(
  found: readonly C[],
  count: (candidate: C) => number,
): Near[] {
  let nearest: Near[] = [];
  const atBest = ({ cost, most }: C): number => unlikelihood(cost, most);
  for (const candidate of [...found].sort((a, b) => atBest(a) - atBest(b))) {
    const { word, distance, cost } = candidate;
    const last = nearest[MOST_NEAR - 1];
    if (last && unlikelihood(last.cost, last.documents) < atBest(candidate)) break;
    nearest = nearestWords([...nearest, { word, distance, cost, documents: count(candidate) }]);
  }
  return nearest;
}
