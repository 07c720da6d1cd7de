import { isBlocked } from './blocked-terms';
import { TermLimits } from './term-limits';

describe('the terms a store has blocked', () => {
  const blocked = ['Réplica', 'segunda mão', '  '];

  it.each([
    ['relogio replica', true],
    ['replica', true],
    ['celular de segunda mao barato', true],
    ['segunda', false],
    ['mao segunda', false],
    ['replicas', false],
    ['relogio', false],
  ])('%s: %s', (query, expected) => expect(isBlocked(query, blocked)).toBe(expected));

  it('may be none', () => expect(isBlocked('relogio', [])).toBe(false));
});

describe('a search', () => {
  const DAY = 86_400_000;
  const search = { store: 's', term: 'mesa', shopper: 'u', address: 'x', now: 0 };

  it('counts once a day for a shopper and term', () => {
    const limits = new TermLimits();
    expect([limits.admit(search), limits.admit(search)]).toEqual([true, false]);
    expect(limits.admit({ ...search, term: 'bola' })).toBe(true);
    expect(limits.admit({ ...search, store: 't' })).toBe(true);
    expect(limits.admit({ ...search, now: DAY })).toBe(true);
  });

  it('counts for two shoppers of an address without keys, and for all of a backend', () => {
    const of = (address: string | null): number => {
      const limits = new TermLimits();
      const shoppers = Array.from({ length: 50 }, (_, at) => `u${at}`);
      return shoppers.filter((shopper) => limits.admit({ ...search, shopper, address })).length;
    };
    expect([of('x'), of(null)]).toEqual([2, 50]);
  });

  it('counts for 500 terms a day of an address without keys', () => {
    const limits = new TermLimits();
    const terms = Array.from({ length: 600 }, (_, at) => `t${at}`);
    expect(terms.filter((term) => limits.admit({ ...search, term })).length).toBe(500);
    expect(limits.admit({ ...search, address: 'y' })).toBe(true);
  });
});
