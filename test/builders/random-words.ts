import type { Dice } from '../support/dice';

/** Few letters, so that words are near each other; of several scripts, with signs that fall on the same bits and halves of pairs. */
const LETTERS = ['a', 'a', 'a', 'b', 'b', 'c', 'ã', 'б', 'а', 'क', '\u0941', '한', '😀', '\ud83d', 'A', '\u3041'];

/** A word of letters that come often, of at most so many of them. */
export function randomWord(dice: Dice, longest: number): string {
  const letters = dice.below(3) === 0 ? LETTERS.length : 6;
  return Array.from({ length: 1 + dice.below(longest) }, () => LETTERS[dice.below(letters)]).join('');
}

/** Optimal string alignment by its whole table, as the textbook has it. */
export function plainDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const costs = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (same ? 0 : 1)];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) costs.push(at(row - 2, column - 2) + 1);
      (table[row] ?? [])[column] = Math.min(...costs);
    }
  }
  return at(a.length, b.length);
}
