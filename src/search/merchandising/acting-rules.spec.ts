import { actingRules } from './acting-rules';
import type { Rule } from './merchandising-schemas';
import type { Occasion } from './scopes';

const NOW = Date.UTC(2026, 0, 15, 12);
/** What a text means to the store: its `11` is `moda/tenis`, and so is the name of that level. */
const named: Occasion['named'] = (spelled) => (['11', 'Tênis'].includes(spelled) ? ['moda/tenis'] : []);
const anywhere: Occasion = { queries: [], categories: [], named, hotsite: null, now: NOW };
const rule = (id: string, type: Rule['type'], fields: Partial<Rule> = {}): Rule => ({
  id,
  type,
  enabled: true,
  products: ['a'],
  ...fields,
});
const ids = (rules: Rule[], occasion: Partial<Occasion> = {}): readonly string[] =>
  actingRules(rules, { ...anywhere, ...occasion })?.hidden ?? [];

describe('rules act', () => {
  test.each<[string, Partial<Rule>, Partial<Occasion>, boolean]>([
    ['everywhere where they name nothing', {}, {}, true],
    ['on their query', { query: 'Tênis!' }, { queries: ['tenis'] }, true],
    ['on a corrected query', { query: 'tenis' }, { queries: ['tennis', 'tenis'] }, true],
    ['on no longer query', { query: 'tenis' }, { queries: ['tenis azul'] }, false],
    ['on no list', { query: 'tenis' }, {}, false],
    ['in their category', { category: 'Moda/Tênis' }, { categories: ['moda/tenis'] }, true],
    ['below it', { category: 'moda' }, { categories: ['moda/tenis'] }, true],
    ['by its id', { category: '11' }, { categories: ['moda/tenis/corrida'] }, true],
    ['by the name of its level', { category: 'Tênis' }, { categories: ['moda/tenis'] }, true],
    ['in none that has another id', { category: '11' }, { categories: ['moda/calcas'] }, false],
    ['in none that begins alike', { category: 'mod' }, { categories: ['moda'] }, false],
    ['not above it', { category: 'moda/tenis' }, { categories: ['moda'] }, false],
    ['in their hotsite', { hotsite: 'Promo' }, { hotsite: 'promo' }, true],
    ['in no other', { hotsite: 'Promo' }, { hotsite: 'outro' }, false],
    ['where all of it holds', { hotsite: 'promo', query: 'x' }, { hotsite: 'promo' }, false],
    ['from a time on', { from: new Date(NOW).toISOString() }, {}, true],
    ['not before it', { from: new Date(NOW + 1).toISOString() }, {}, false],
    ['until a time', { to: new Date(NOW + 1).toISOString() }, {}, true],
    ['not from then on', { to: new Date(NOW).toISOString() }, {}, false],
    ['where they are enabled', { enabled: false }, {}, false],
  ])('%s', (_where, fields, occasion, acts) => {
    expect(ids([rule('r', 'hide', fields)], occasion)).toEqual(acts ? ['a'] : []);
  });

  test('as the first of the list says, and hiding wins', () => {
    const acting = actingRules(
      [
        rule('first', 'boost', { products: ['a', 'b'] }),
        rule('second', 'bury', { products: ['b', 'c'] }),
        rule('pins', 'pin', { products: ['a', 'c', 'd'], position: 4 }),
        rule('more', 'pin', { products: ['a', 'e'] }),
        rule('hides', 'hide', { products: ['c'] }),
      ],
      anywhere,
    );
    expect(acting).toEqual({
      hidden: ['c'],
      factors: [
        { product: 'a', factor: 2, rule: 'first', type: 'boost' },
        { product: 'b', factor: 2, rule: 'first', type: 'boost' },
      ],
      pins: [
        { product: 'a', position: 4, rule: 'pins' },
        { product: 'd', position: 6, rule: 'pins' },
        { product: 'e', position: null, rule: 'more' },
      ],
    });
  });
});
