import { plainDistance, randomWord } from '../../../test/builders/random-words';
import { Dice } from '../../../test/support/dice';
import { editDistance } from '../../shared/edit-distance';
import { forgivenEdits, isCorrectable, nearestCounted, nearestWords } from './edit-distance';

describe('edit distance', () => {
  it.each([
    ['cafeteira', 'cafetera', 1],
    ['tenis', 'tneis', 1],
    ['bola', 'bola', 0],
    ['geladeira', 'geladira', 1],
    ['teclado', 'telcdao', 2],
    ['abc', 'xyz', 3],
    ['', 'ab', 2],
  ])('of %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b, 3)).toBe(distance);
    expect(editDistance(b, a, 3)).toBe(distance);
  });

  it('gives up above the most that is asked', () => {
    expect(editDistance('computador', 'refrigerador', 2)).toBe(3);
  });

  it('forgives more in longer words', () => {
    expect(['tv', 'bola', 'bolas', 'bolado'].map(forgivenEdits)).toEqual([0, 1, 1, 2]);
  });

  it('is what the whole table says, of any two words', () => {
    const dice = new Dice(1);
    const pairs = Array.from({ length: 20_000 }, () => {
      return { a: randomWord(dice, 9), b: randomWord(dice, 9), most: dice.below(4) };
    });
    const wrong = pairs.filter(({ a, b, most }) => {
      return editDistance(a, b, most) !== Math.min(plainDistance(a, b), most + 1);
    });
    expect(wrong).toEqual([]);
  });

  it('of long words too', () => {
    const [a, b] = ['ab'.repeat(100), 'ba'.repeat(100)];
    expect(editDistance(a, b, 300)).toBe(plainDistance(a, b));
    expect(editDistance(`x${a}`, `${b}y`, 2)).toBe(Math.min(3, plainDistance(`x${a}`, `${b}y`)));
  });
});

describe('the nearest words', () => {
  it('are the same where only those that may be among them are counted', () => {
    const dice = new Dice(2);
    for (let round = 0; round < 2000; round++) {
      const found = [...new Set(Array.from({ length: dice.below(30) }, () => randomWord(dice, 4)))].map((word) => {
        const documents = dice.below(4);
        const cost = (1 + dice.below(4)) / 2;
        return { word, distance: 1 + dice.below(2), cost, documents, most: documents + dice.below(3) };
      });
      const counted = nearestCounted(found, ({ documents }) => documents);
      const all = found.map(({ word, distance, cost, documents }) => ({ word, distance, cost, documents }));
      expect(counted).toEqual(nearestWords(all));
    }
  });

  it('are not counted beyond what is needed', () => {
    const found = Array.from({ length: 1000 }, (_, number) => ({
      word: `w${number}`,
      distance: 1,
      cost: 1,
      most: 1000 - number,
    }));
    const count = jest.fn(({ most }: { most: number }) => most);
    expect(nearestCounted(found, count)).toHaveLength(8);
    expect(count).toHaveBeenCalledTimes(8);
  });
});

it('corrects no words that are short, numbers, or longer than those of an index', () => {
  expect(['tv', 'bola', 'wh1000', 'x'.repeat(40), 'x'.repeat(41)].map(isCorrectable)).toEqual([
    false,
    true,
    false,
    true,
    false,
  ]);
});
