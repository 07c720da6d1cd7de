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
