/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each costing 1 (Damerau 1964).
 * Returns `most + 1` as soon as the distance must be above `most`.
 */
export function editDistance(a: string, b: string, most: number): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > most) return most + 1;
  let before: number[] = [];
  let previous = Array.from({ length: short.length + 1 }, (_, index) => index);
  for (let row = 1; row <= long.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= short.length; column++) {
      const same = long[row - 1] === short[column - 1];
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && long[row - 1] === short[column - 2] && long[row - 2] === short[column - 1];
      if (swapped) cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      current.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    before = previous;
    previous = current;
  }
  return Math.min(previous[short.length] ?? 0, most + 1);
}

/** Typing mistakes forgiven in a word: none up to 2 letters, 1 up to 5, else 2. */
export function forgivenEdits(word: string): number {
  return word.length <= 2 ? 0 : word.length <= 5 ? 1 : 2;
}

/** Near words answered at most. */
const MOST_NEAR = 8;

/** Whether a word can be corrected, or be a correction: not short words and numbers. */
export const isCorrectable = (word: string): boolean => forgivenEdits(word) > 0 && !/\d/.test(word);

/** The nearest of the words that occur in any product; of equally near ones the more frequent first. */
export function nearestWords<W extends { word: string; distance: number; documents: number }>(
  found: readonly W[],
): W[] {
  const known = found.filter(({ documents }) => documents > 0);
  known.sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1));
  return known.slice(0, MOST_NEAR);
}
