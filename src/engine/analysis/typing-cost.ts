/** What a slip costs, one letter typed for another being 1: the likelier it happens, the less. */
const REPLACED = 1;
const LEFT_OUT = 0.9;
const SWAPPED = 0.6;
/** A letter typed twice, or once where it belongs twice. */
const DOUBLED = 0.5;
/** Letters that are heard alike. */
const HEARD_ALIKE = 0.6;

const ALIKE = new Set(
  ['sz', 'sc', 'sx', 'zx', 'cz', 'ck', 'cq', 'kq', 'iy', 'vw', 'gj', 'bv', 'mn'].flatMap((pair) => [
    pair,
    [...pair].reverse().join(''),
  ]),
);
/** Two letters that are heard as one. */
const ONE_SOUND = new Set(['phf', 'ssc', 'chx', 'quk', 'quc', 'shx', 'tht', 'cks', 'ckk', 'ouu']);

/**
 * How unlikely somebody who meant a word typed another one: an alignment as in `editDistance`, with swaps, doubled letters and letters
 * that are heard alike for less than an exchange of any others. 0 for the same word; `smartfone` -> `smartphone` 0.6.
 */
export function typingCost(typed: string, meant: string): number {
  const rows = Array.from({ length: typed.length + 1 }, () => new Float64Array(meant.length + 1));
  for (let row = 0; row <= typed.length; row++) {
    for (let column = 0; column <= meant.length; column++) {
      if (row + column > 0) rows[row]![column] = cheapest(rows, { typed, meant, row, column });
    }
  }
  return rows[typed.length]![meant.length]!;
}

interface Cell {
  typed: string;
  meant: string;
  row: number;
  column: number;
}

function cheapest(rows: readonly Float64Array[], { typed, meant, row, column }: Cell): number {
  const at = (up: number, left: number): number =>
    row < up || column < left ? Number.POSITIVE_INFINITY : rows[row - up]![column - left]!;
  const [own, other] = [typed.charAt(row - 1), meant.charAt(column - 1)];
  let cost = Math.min(
    at(1, 0) + (row > 1 && own === typed.charAt(row - 2) ? DOUBLED : LEFT_OUT),
    at(0, 1) + (column > 1 && other === meant.charAt(column - 2) ? DOUBLED : LEFT_OUT),
  );
  if (row === 0 || column === 0) return cost;
  cost = Math.min(cost, at(1, 1) + (own === other ? 0 : ALIKE.has(own + other) ? HEARD_ALIKE : REPLACED));
  if (row > 1 && column > 1 && own === meant.charAt(column - 2) && other === typed.charAt(row - 2))
    cost = Math.min(cost, at(2, 2) + SWAPPED);
  if (column > 1 && ONE_SOUND.has(meant.charAt(column - 2) + other + own))
    cost = Math.min(cost, at(1, 2) + HEARD_ALIKE);
  if (row > 1 && ONE_SOUND.has(typed.charAt(row - 2) + own + other)) cost = Math.min(cost, at(2, 1) + HEARD_ALIKE);
  return cost;
}

/** Of two words, one is meant as often as the other where its slip costs 1 more and it is in so many times more products. */
const TIMES_MORE = Math.log(20);

/** How unlikely a word of the store was meant, lowest first: the slip, and how many products have the word. */
export const unlikelihood = (cost: number, documents: number): number =>
  cost * TIMES_MORE - Math.log(Math.max(0.5, documents));
