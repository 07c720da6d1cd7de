import { productFeatures } from './vectors/features';
import type { EvidenceEvent } from './vectors/evidence';
import { aggregateEvents } from './vectors/aggregate';
import type { ProductStats } from './learning/learn';
import { emptyVector } from './vectors/vector';
import {
  buildBoosts,
  lift,
  productStatsKey,
  MOST_FEATURE_WEIGHTS,
  requiredStats,
  shareKey,
  type StatsLookup,
} from './affinity';
import { type BoostTemplate, boostTemplateSchema, defaultTemplate } from './template/template';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };

const product = (id: string, brand = 'acme') =>
  productFeatures({ id, brand, categories: [['Shoes', 'Running']], price: 20 });
const bought = (...ids: string[]): EvidenceEvent[] =>
  ids.map((id, index) => ({ seq: index + 1, at: NOW, kind: 'transaction', items: [{ product: product(id) }] }));
const vectorOf = (events: EvidenceEvent[]) => aggregateEvents(emptyVector(halfLife), events);
const statsLookup = (values: ReadonlyMap<string, unknown>): StatsLookup => ({
  share: (feature) => values.get(shareKey(feature)) as number | undefined,
  product: (productId) => values.get(productStatsKey(productId)) as ProductStats | undefined,
});
const nothing = statsLookup(new Map());
const shared = (share: number) => statsLookup(new Map([[shareKey('brand:acme'), share]]));

const template = (document: unknown): BoostTemplate => boostTemplateSchema.parse(document);

const boosts = (events: EvidenceEvent[], stats = nothing, using = defaultTemplate) =>
  buildBoosts({ vectors: [vectorOf(events)], template: using, stats, now: NOW });

describe('a shopper’s boosts', () => {
  it('adds 1.5 × x/(x+1) for a bought product, from the first purchase on', () => {
    expect(boosts(bought('1')).featureWeights.get('product:1')).toBeCloseTo(1.5 * 0.5, 12);
  });

  it('shrinks everything else by n/(n+5)', () => {
    const { featureWeights, evidence } = boosts(bought('1'));
    expect(evidence).toBeCloseTo(1, 12);
    expect(featureWeights.get('brand@leaf:acme@shoes/running')).toBeCloseTo((0.1 * Math.LN2) / 6, 12);
  });

  it('takes a feature by its lift over the store’s share, not by its count', () => {
    expect(boosts(bought('1', '2'), shared(1)).featureWeights.has('brand:acme')).toBe(false);
    const expected = 0.02 * (2 / 7) * Math.log((2 + 40 * 0.1) / ((2 + 40) * 0.1));
    expect(boosts(bought('1', '2'), shared(0.1)).featureWeights.get('brand:acme')).toBeCloseTo(expected, 12);
  });

  it('has a lift that is never negative and needs a share', () => {
    expect(lift({ x: 0, n: 100 }, 0.5, 40)).toBe(0);
    expect(lift({ x: 10, n: 10 }, 0, 40)).toBe(0);
    expect(lift({ x: 10, n: 10 }, 0.1, 40)).toBeCloseTo(Math.log(14 / 5), 12);
  });

  it('multiplies a product’s own add by how readily it is bought again', () => {
    const stats = statsLookup(new Map([[productStatsKey('1'), { related: [], repurchase: 0.2 }]]));
    expect(boosts(bought('1'), stats).featureWeights.get('product:1')).toBeCloseTo(0.15, 12);
  });

  it('leaves alone what was only looked at: that can’t be bought again', () => {
    const stats = statsLookup(new Map([[productStatsKey('1'), { related: [], repurchase: 0 }]]));
    const look: EvidenceEvent = { seq: 1, at: NOW, kind: 'product', items: [{ product: product('1') }] };
    expect(boosts([look], stats).featureWeights.get('product:1')).toBeCloseTo((1.5 * 0.125) / 1.125, 12);
    expect(boosts(bought('1'), stats).featureWeights.has('product:1')).toBe(false);
  });

  it('spreads from latest products to related ones', () => {
    const stats = statsLookup(new Map([[productStatsKey('1'), { related: [['9', 50]], repurchase: 1 }]]));
    const expected = 0.1 * (1 / 6) * Math.log((50 + 40) / (1 + 40));
    expect(boosts(bought('1'), stats).featureWeights.get('related:9')).toBeCloseTo(expected, 12);
    const weak = statsLookup(new Map([[productStatsKey('1'), { related: [['9', 0.5]], repurchase: 1 }]]));
    expect(boosts(bought('1'), weak).featureWeights.has('related:9')).toBe(false);
  });

  it('is sorted strongest first, positive and bounded', () => {
    const related = Array.from({ length: 2 * MOST_FEATURE_WEIGHTS }, (_, index): [string, number] => [
      `r${index}`,
      100 + index,
    ]);
    const { featureWeights } = boosts(
      bought('1'),
      statsLookup(new Map([[productStatsKey('1'), { related, repurchase: 1 }]])),
    );
    const values = [...featureWeights.values()];
    expect(featureWeights.size).toBe(MOST_FEATURE_WEIGHTS);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    expect(values.every((value) => value > 0)).toBe(true);
  });

  describe('interest', () => {
    const opened = (times: number): EvidenceEvent[] =>
      Array.from({ length: times }, (_, index) => ({
        seq: index + 1,
        at: NOW,
        kind: 'category',
        items: [],
        features: ['category:shoes', 'category:shoes/running'],
      }));
    const half = statsLookup(
      new Map([
        [shareKey('category:shoes'), 1],
        [shareKey('category:shoes/running'), 0.5],
      ]),
    );
    const running = 'category:shoes/running';
    const lifted = (x: number, share: number): number => (x / (x + 5)) * lift({ x, n: x }, share, 40);

    it('takes what was opened from the first view on, above the store’s share', () => {
      const once = boosts(opened(1), half).featureWeights;
      expect(once.get(running)).toBeCloseTo(0.02 * (lifted(0.06, 0.5) + (10 * 0.03) / 0.18), 12);
      const often = boosts(opened(4), half).featureWeights;
      expect(often.get(running)).toBeCloseTo(0.02 * (lifted(0.24, 0.5) + (10 * 0.12) / 0.36), 12);
      expect(often.has('category:shoes')).toBe(false);
    });

    it('takes the brands and categories of what a search led to, once whatever their number, and not their words', () => {
      const items = ['1', '2', '3', '4'].map((id) => ({ product: product(id) }));
      const search: EvidenceEvent = { seq: 1, at: NOW, kind: 'search', items };
      const { featureWeights, affinities } = boosts([search], shared(0.25));
      const interest = (10 * 0.045) / 0.18;
      expect(featureWeights.get('brand:acme')).toBeCloseTo(0.02 * (lifted(0.06, 0.25) + interest), 12);
      expect(affinities.get('brand:acme')).toBeCloseTo(lift({ x: 0.06, n: 0.06 }, 0.25, 40) + interest, 12);
      expect(featureWeights.get('brand@leaf:acme@shoes/running')).toBeCloseTo(
        (0.1 * 0.06 * Math.log1p(0.06)) / 5.06,
        12,
      );
    });

    it('is nothing of what was bought or looked at, and nothing where the template says so', () => {
      const without = template({ interest: { weight: 0 } });
      const weights = (events: EvidenceEvent[], using = defaultTemplate) => [
        ...boosts(events, shared(0.25), using).featureWeights,
      ];
      expect(weights(bought('1', '2'))).toEqual(weights(bought('1', '2'), without));
      expect(boosts(opened(4), half, without).featureWeights.get(running)).toBeCloseTo(0.02 * lifted(0.24, 0.5), 12);
    });

    it('counts in full where a category is new to the store', () => {
      expect(boosts(opened(1)).featureWeights.get(running)).toBeCloseTo((0.02 * 10 * 0.06) / 0.18, 12);
    });
  });

  it('adds up what is known of the user and of the device', () => {
    const both = buildBoosts({
      vectors: [vectorOf(bought('1')), vectorOf(bought('1'))],
      template: defaultTemplate,
      stats: nothing,
      now: NOW,
    });
    expect(both.evidence).toBeCloseTo(2, 12);
    expect(both.featureWeights.get('product:1')).toBeCloseTo(1, 12);
  });

  it('knows nothing of nobody', () => {
    const none = buildBoosts({ vectors: [], template: defaultTemplate, stats: nothing, now: NOW });
    expect(none).toMatchObject({ featureWeights: new Map(), evidence: 0 });
    expect(boosts([]).featureWeights.size).toBe(0);
  });

  it('lists what must be read: shares of lifted features, stats of products', () => {
    expect(requiredStats([vectorOf(bought('1'))], defaultTemplate).sort()).toEqual(
      [
        productStatsKey('1'),
        ...['brand:acme', 'brand@category:acme@shoes', 'category:shoes', 'category:shoes/running'].map(shareKey),
      ].sort(),
    );
    const none = template({ affinities: { brand: { importance: 0 } } });
    expect(requiredStats([vectorOf(bought('1'))], none)).not.toContain(shareKey('brand:acme'));
  });

  it('has prices only where the template gives them importance', () => {
    expect(boosts(bought('1')).prices).toBeUndefined();
    const priced = boosts(bought('1'), nothing, template({ affinities: { price: { importance: 1 } } }));
    expect(priced.prices?.get('shoes')?.mean).toBeCloseTo(Math.log(20), 12);
  });

  it('gives the same bits for the same vector, read back from JSON or not', () => {
    const vector = vectorOf(bought('1', '2', '3'));
    const read = JSON.parse(JSON.stringify(vector)) as typeof vector;
    const build = (one: typeof vector) => [
      ...buildBoosts({ vectors: [one], template: defaultTemplate, stats: nothing, now: NOW + 1 }).featureWeights,
    ];
    expect(build(read)).toEqual(build(vector));
  });
});
