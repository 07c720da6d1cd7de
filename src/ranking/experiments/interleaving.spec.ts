import { Dice } from '../../../test/support/dice';
import { searchWinner, teamDraft, teamsOf } from './interleaving';

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

describe('teamsOf', () => {
  const teams = (a: string, b: string): string => {
    const rankings = { a: letters(a), b: letters(b) };
    return teamsOf(rankings, teamDraft(rankings, 4, () => 0).teams);
  };

  it('is a letter for each product, and says nothing of what both begin with', () => {
    expect(teams('pqrs', 'qtpu')).toBe('abab');
    expect(teams('pqrs', 'pqtu')).toBe('--ab');
    expect(teams('pqrs', 'pqrs')).toBe('----');
    expect(teams('', '')).toBe('');
  });
});

describe('searchWinner', () => {
  it('is whose picks had more clicks, each counted once', () => {
    expect(searchWinner('abab', [0, 2, 1])).toBe('a');
    expect(searchWinner('abab', [1, 1, 1])).toBe('b');
    expect(searchWinner('abab', [0, 0, 1])).toBeNull();
    expect(searchWinner('abab', [])).toBeNull();
    expect(searchWinner('abab', [99])).toBeNull();
    expect(searchWinner('-bab', [0])).toBeNull();
    expect(searchWinner('-bab', [0, 1])).toBe('b');
  });
});
