import { Dice } from '../../../test/support/dice';
import { interleavingVerdict, searchWinner, type Team, teamDraft } from './interleaving';

const chance = (seed: number): (() => number) => {
  const dice = new Dice(seed);
  return () => dice.below(1 << 20) / (1 << 20);
};
const letters = (text: string): string[] => [...text];

describe('teamDraft', () => {
  it('lets each pick its best that is not shown yet, in turns that a coin begins', () => {
    const rankings = { a: letters('pqrs'), b: letters('qtpu') };
    expect(teamDraft(rankings, 4, () => 0)).toEqual({ shown: letters('pqrt'), teams: letters('abab') });
    expect(teamDraft(rankings, 4, () => 0.9)).toEqual({ shown: letters('qptr'), teams: letters('baba') });
  });

  it('shows each product once, no more than there are, and the same list where both agree', () => {
    const { shown } = teamDraft({ a: letters('pqr'), b: letters('pqr') }, 10, chance(1));
    expect(shown).toEqual(letters('pqr'));
    expect(teamDraft({ a: letters('p'), b: letters('pqrs') }, 10, () => 0)).toEqual({
      shown: letters('pqrs'),
      teams: letters('abbb'),
    });
    expect(teamDraft({ a: [], b: [] }, 10, chance(1))).toEqual({ shown: [], teams: [] });
  });

  it('gives both the same places: each begins half of the lists', () => {
    const coin = chance(3);
    const begun = Array.from(
      { length: 4000 },
      () => teamDraft({ a: letters('pq'), b: letters('rs') }, 4, coin).teams[0],
    );
    const share = begun.filter((team) => team === 'a').length / begun.length;
    expect(Math.abs(share - 0.5)).toBeLessThan(0.03);
  });
});

describe('searchWinner', () => {
  const teams = letters('abab') as Team[];

  it('is whose picks had more clicks, each counted once', () => {
    expect(searchWinner({ teams }, [0, 2, 1])).toBe('a');
    expect(searchWinner({ teams }, [1, 1, 1])).toBe('b');
    expect(searchWinner({ teams }, [0, 0, 1])).toBeNull();
    expect(searchWinner({ teams }, [])).toBeNull();
    expect(searchWinner({ teams }, [99])).toBeNull();
  });
});

describe('interleavingVerdict', () => {
  const won = (a: number, b: number, ties = 0): (Team | null)[] => [
    ...Array.from({ length: a }, (): Team => 'a'),
    ...Array.from({ length: b }, (): Team => 'b'),
    ...Array.from({ length: ties }, () => null),
  ];

  it.each([
    [60, 40, 0.05688793364098089],
    [8, 2, 0.109375],
    [1060, 940, 0.007777118901978743],
    [5, 5, 1],
    [0, 0, 1],
  ])('has the p-value of the exact sign test: %p to %p', (a, b, expected) => {
    expect(interleavingVerdict(won(a, b)).pValue).toBeCloseTo(expected, 9);
  });

  it('names the better one, or nobody', () => {
    expect(interleavingVerdict(won(70, 30, 5))).toMatchObject({ wins: { a: 70, b: 30 }, ties: 5, better: 'a' });
    expect(interleavingVerdict(won(30, 70))).toMatchObject({ better: 'b' });
    expect(interleavingVerdict(won(55, 45))).toMatchObject({ better: null });
  });
});
