import { Dice } from '../../../../../test/support/dice';
import { nameHash } from './name-table';
import { PackedNames } from './packed-names';

test('names of any script and length are found by themselves, while they come and go', () => {
  const dice = new Dice(7);
  const packed = new PackedNames();
  const names = new Map<number, string>();
  const endings = ['', 'é', '\0', '日本', '😀', '\ud83d', '\uffff', 'x'.repeat(200), 'ç'.repeat(130)];
  const made: string[] = [];
  for (let round = 0; round < 20_000; round++) {
    const number = dice.below(3000);
    if (names.delete(number)) {
      packed.drop(number);
    } else {
      const name = `w${round}${endings[dice.below(endings.length)]}`;
      packed.set(number, name);
      names.set(number, name);
      made.push(name);
    }
  }
  expect(packed.size).toBe(names.size);
  expect([...names.values()].map((name) => packed.number(name))).toEqual([...names.keys()]);
  const all = Array.from({ length: packed.end + 1 }, (_, number) => number);
  expect(all.filter((number) => packed.has(number))).toEqual([...names.keys()].toSorted((a, b) => a - b));
  const living = new Set(names.values());
  expect(made.filter((name) => !living.has(name) && packed.number(name) !== undefined)).toEqual([]);
});

test('names that begin with others are other names', () => {
  const packed = new PackedNames();
  const names = ['w', 'wa', 'waa', 'W', 'w\0', 'wa\u0080', 'wa\u0100', ''];
  names.forEach((name, number) => packed.set(number, name));
  expect(names.map((name) => packed.number(name))).toEqual(names.map((_, number) => number));
  expect(['a', 'waaa', 'w\u0080'].map((name) => packed.number(name))).toEqual([undefined, undefined, undefined]);
});

test('names of the same hash are other names', () => {
  const [first, second] = ['w80', 'wvfv'];
  expect(nameHash('', first) >>> 0).toBe(nameHash('', second) >>> 0);
  const packed = new PackedNames();
  packed.set(0, first);
  expect([first, second].map((name) => packed.number(name))).toEqual([0, undefined]);
  packed.set(1, second);
  expect([first, second].map((name) => packed.number(name))).toEqual([0, 1]);
  packed.drop(0);
  expect([first, second].map((name) => packed.number(name))).toEqual([undefined, 1]);
});

test('the room of names that went is given back', () => {
  const packed = new PackedNames();
  const long = (round: number): string => `${round}${'x'.repeat(1000)}`;
  for (let round = 0; round < 5000; round++) {
    packed.set(round % 10, long(round));
    if (round < 4990) packed.drop(round % 10);
  }
  expect(packed.room).toBeLessThan(200_000);
  expect(Array.from({ length: 10 }, (_, number) => packed.number(long(4990 + number)))).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ]);
});
