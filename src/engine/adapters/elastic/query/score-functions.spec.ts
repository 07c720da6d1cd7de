import { boostsOf } from '../../../../../test/builders/an-engine-document';
import { defaultTemplate } from '../../../../ranking/template/template';
import { groupedBoosts, personalGroups, withPersonal } from './personal-functions';
import { withQuality } from './quality-query';

const query = { match_all: {} };
const product = { boost_mode: 'multiply' };

describe('quality as nested function scores', () => {
  it('multiplies trend and availability, and what is 1 + x one by one', () => {
    const noon = Date.UTC(2026, 0, 15, 12);
    const bound = 10 * Math.log(3);
    const growth = {
      exp: { trendLog: { origin: 64, offset: 64 - bound, scale: 1, decay: Math.exp(-0.1) } },
      weight: Math.exp(0.1 * bound),
    };
    const factors = {
      query,
      functions: [growth, { filter: { term: { available: false } }, weight: 0.5 }],
      score_mode: 'multiply',
      ...product,
    };
    const fresh = {
      query: { function_score: factors },
      functions: [
        { weight: 1 },
        {
          filter: { range: { created: { lte: noon } } },
          exp: { created: { origin: noon, scale: '2592000000ms', decay: 0.5 } },
          weight: 0.1,
        },
        { filter: { range: { created: { gt: noon } } }, weight: 0.1 },
      ],
      score_mode: 'sum',
      ...product,
    };
    const discounted = {
      query: { function_score: fresh },
      functions: [{ weight: 1 }, { field_value_factor: { field: 'discount', factor: 0.1, missing: 0 } }],
      score_mode: 'sum',
      ...product,
    };
    expect(withQuality(query, defaultTemplate, noon + 1_800_000)).toEqual({
      function_score: {
        query: { function_score: discounted },
        functions: [
          { weight: expect.closeTo(0.93, 9) },
          { field_value_factor: { field: 'ratingRise', factor: 0.1, missing: 0 } },
        ],
        score_mode: 'sum',
        ...product,
      },
    });
  });

  it('is the query itself for a template without signals', () => {
    expect(withQuality(query, { ...defaultTemplate, signals: {} }, 0)).toBe(query);
  });
});

describe('the personal factor as functions', () => {
  it('adds a weight for each group of features, strength applied, and a bell over the price', () => {
    const boosts = {
      ...boostsOf({ 'product:a': 1, 'related:b': 0.5, 'brand:x': 0.1 }),
      strength: 50,
      prices: new Map([['shoes', { mean: 2, spread: 0.5, add: 0.2 }]]),
    };
    const priced = { bool: { filter: [{ term: { topCategory: 'shoes' } }, { exists: { field: 'priceLog' } }] } };
    expect(withPersonal(query, boosts)).toEqual({
      function_score: {
        query,
        functions: [
          { weight: 1 },
          { filter: { terms: { productId: ['a'] } }, weight: 0.5 },
          { filter: { terms: { productId: ['b'] } }, weight: 0.25 },
          { filter: { terms: { features: ['brand:x'] } }, weight: 0.05 },
          {
            filter: priced,
            gauss: { priceLog: { origin: 2, scale: 0.5, decay: Math.exp(-0.5) } },
            weight: 0.1,
          },
        ],
        score_mode: 'sum',
        ...product,
        max_boost: 3,
      },
    });
  });

  it('has at most 64 groups, each of features that weigh nearly alike', () => {
    const featureWeights = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`brand:b${index}`, 1 / (index + 1)]),
    );
    const groups = personalGroups(boostsOf(featureWeights));
    expect(groups.length).toBeLessThanOrEqual(64);
    expect(groups.flatMap(({ features }) => features)).toHaveLength(500);
    expect(groups[0]).toEqual({ field: 'features', features: ['brand:b0'], weight: 1 });
  });

  it('keeps apart the tags of one product, which weigh exactly the same', () => {
    const shoppers = Array.from({ length: 40 }, (_, index) => 0.01 + index / 1000);
    const featureWeights = shoppers.flatMap((add, index) =>
      ['one', 'two', 'three'].map((tag): [string, number] => [`tag@category:${tag}${index}@all`, add]),
    );
    const boosts = boostsOf(Object.fromEntries(featureWeights));
    for (const [index, add] of shoppers.entries()) {
      const features = ['one', 'two', 'three'].map((tag) => `tag@category:${tag}${index}@all`);
      const applied = [...groupedBoosts(boosts, { id: 'p', features }).featureWeights.values()];
      expect(applied).toHaveLength(3);
      expect(applied.reduce((sum, one) => sum + one, 0)).toBeCloseTo(3 * add, 1);
    }
    expect(personalGroups(boosts).length).toBeLessThanOrEqual(64);
  });
});
