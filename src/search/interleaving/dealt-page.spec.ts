import type { EngineHit } from '../../engine/search-engine';
import { deal, DEALT, holding } from './dealt-page';

const hits = (ids: string, pinned = ''): EngineHit[] =>
  [...ids].map((productId) => ({
    productId,
    channel: 'default',
    version: 1,
    score: 1,
    tier: pinned.includes(productId) ? 'pin' : 'all',
  }));
const dealt = (a: EngineHit[], b: EngineHit[]) => deal(a, b, () => 0).mixed;

describe('deal', () => {
  it('deals both rankings, and says whose pick each product is', () => {
    expect(dealt(hits('pqrs'), hits('qtpu'))).toEqual({ shown: [...'pqrt'], teams: 'abab' });
    expect(dealt(hits('pqrs'), hits('pqsr'))).toEqual({ shown: [...'pqrs'], teams: '--ab' });
    expect(dealt([], [])).toEqual({ shown: [], teams: '' });
  });

  it('leaves what is pinned where it is: nobody picked it', () => {
    expect(dealt(hits('pXqr', 'X'), hits('sXtu', 'X'))).toEqual({ shown: [...'pXsq'], teams: 'a-ba' });
  });

  it('deals as many places as a page has', () => {
    const many = Array.from({ length: 40 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    expect(dealt(hits(many), hits([...many].toReversed().join(''))).shown).toHaveLength(DEALT);
  });
});

describe('holding', () => {
  it('holds what was dealt at its places; other pins and rules stay', () => {
    const pins = [
      { product: 'q', position: 1, rule: 'r' },
      { product: 'z', position: 30, rule: 'r' },
    ];
    const held = holding({ shown: ['p', 'q'], teams: 'ab' }, { hidden: ['h'], factors: [], pins });
    expect(held.hidden).toEqual(['h']);
    expect(held.pins.map(({ product, position }) => [product, position])).toEqual([
      ['p', 1],
      ['q', 2],
      ['z', 30],
    ]);
    expect(holding({ shown: [], teams: '' }, undefined)).toEqual({ hidden: [], factors: [], pins: [] });
  });
});
