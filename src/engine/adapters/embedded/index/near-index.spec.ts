import { plainDistance, randomWord } from '../../../../../test/builders/random-words';
import { Dice } from '../../../../../test/support/dice';
import { forgivenEdits, isCorrectable } from '../../../analysis/edit-distance';
import { Vocabulary } from './vocabulary';

const unbounded = () => ({ left: Number.POSITIVE_INFINITY });

/** Every word compared, as it was before there was an index. */
function scan(words: Iterable<string>, word: string): { word: string; distance: number }[] {
  const most = forgivenEdits(word);
  return [...words]
    .filter((other) => isCorrectable(other) && other[0] === word[0])
    .map((other) => ({ word: other, distance: plainDistance(word, other) }))
    .filter(({ distance }) => distance <= most);
}

const sorted = (found: readonly { word: string; distance: number }[] | null) =>
  (found ?? [])
    .map(({ word, distance }) => `${distance} ${word}`)
    .sort()
    .join('\n');

describe('near words', () => {
  it('are those a scan of every word finds, while words come, go and change their numbers', () => {
    const dice = new Dice(3);
    const vocabulary = new Vocabulary();
    const byId = new Map<number, string>();
    const give = (): void => {
      const [id, word] = [dice.below(400), randomWord(dice, 8)];
      for (const [other, known] of byId) if (known === word) byId.delete(other);
      byId.set(id, word);
      vocabulary.set(id, `w${word}`);
    };
    const drop = (): void => {
      const range = { from: dice.below(400), to: 400 };
      const kept = [...byId.keys()].filter((id) => id < range.from || dice.below(2) === 0);
      vocabulary.keepOnly(range, kept);
      for (const id of byId.keys()) if (!kept.includes(id)) byId.delete(id);
    };
    for (let round = 0; round < 60; round++) {
      for (let times = 0; times < 40; times++) give();
      if (round % 7 === 6) drop();
      if (round % 14 === 13) expect([...vocabulary.sweep()].length).toBeGreaterThan(0);
      expect(vocabulary.size).toBe(byId.size);
      for (let asked = 0; asked < 20; asked++) {
        const word = randomWord(dice, 9);
        const found = isCorrectable(word) ? scan(byId.values(), word) : [];
        expect(sorted(vocabulary.near(word, unbounded()))).toBe(sorted(found));
      }
    }
    for (const [id, word] of byId) expect(vocabulary.id(`w${word}`)).toBe(id);
  });

  it('of words as long as they get are found, and none of a word that is longer', () => {
    const vocabulary = new Vocabulary();
    const longest = 'ab'.repeat(20);
    vocabulary.set(0, `w${longest}`);
    expect(vocabulary.near(`${longest.slice(0, -1)}x`, unbounded())).toMatchObject([{ word: longest, distance: 1 }]);
    expect(vocabulary.near(`${longest}x`, unbounded())).toEqual([]);
  });

  it('are given up where there are more words to look at than a request may, until what was forgotten is swept', () => {
    const vocabulary = new Vocabulary();
    for (let id = 0; id < 1000; id++) vocabulary.set(id, `wcafe${String.fromCharCode(0x430 + id)}`);
    const budget = { left: 500 };
    expect(vocabulary.near('cafes', budget)).toBeNull();
    expect(vocabulary.near('cafes', unbounded())).not.toBeNull();
    expect(vocabulary.near('bola', { left: 500 })).toEqual([]);
    vocabulary.keepOnly({ from: 0, to: 1000 }, []);
    expect(vocabulary.near('cafes', budget)).toBeNull();
    for (const _ of vocabulary.sweep());
    expect(vocabulary.near('cafes', { left: 0 })).toEqual([]);
  });
});
