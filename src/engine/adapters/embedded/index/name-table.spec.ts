import { Dice } from '../../../../../test/support/dice';
import { NameTable, nameHash } from './name-table';

test('names are found by themselves and by their hash, while they come and go', () => {
  const dice = new Dice(4);
  const table = new NameTable();
  const names = new Map<number, string>();
  for (let round = 0; round < 20_000; round++) {
    const number = dice.below(3000);
    if (names.has(number)) {
      table.drop(number);
      names.delete(number);
    } else {
      const name = `n${round}`;
      table.set(number, name);
      names.set(number, name);
    }
  }
  expect(table.size).toBe(names.size);
  const living = [...names.values()];
  expect(living.map((name) => table.number(name))).toEqual([...names.keys()]);
  expect(living.map((name) => table.numberOfHash(nameHash('', name)))).toEqual([...names.keys()]);
  expect(table.names.filter((name) => name !== '').length).toBe(names.size);
  const gone = Array.from({ length: 20_000 }, (_, round) => `n${round}`).filter((name) => !living.includes(name));
  expect(gone.filter((name) => table.number(name) !== undefined)).toEqual([]);
});

test('a name that went has no number any more', () => {
  const table = new NameTable();
  for (let number = 0; number < 500; number++) table.add(`a${number}`);
  const version = table.version;
  for (let number = 0; number < 500; number += 2) table.drop(number);
  const numbers = Array.from({ length: 500 }, (_, number) => table.number(`a${number}`));
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, number) => (number % 2 ? number : undefined)));
  expect(table.version).not.toBe(version);
});
