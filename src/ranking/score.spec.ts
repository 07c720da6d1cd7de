import type { Boosts } from './affinity';
import { explainQuality, qualityFormula, trendValue } from './quality';
import { expectedTrend, signalData, type SignalFields } from './signal-numbers';
import { boostKeys, explainHit, type PersonalBoost } from './score';
import { boostTemplateSchema, defaultTemplate } from './template/template';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const plain = { available: true, price: 10 };
const quality = (
  { trend = null, ...data }: Partial<SignalFields> & { trend?: number | null },
  template = defaultTemplate,
) => explainQuality(qualityFormula(template, NOW), signalData({ ...plain, ...data }, trend));
const trend = { short: '7d', middle: '30d', long: '365d', prior: 3 };

const boosts: Boosts = {
  strength: 50,
  maxBoost: 3,
  featureWeights: new Map([
    ['product:1', 1],
    ['brand:acme', 0.5],
    ['related:1', 0.1],
  ]),
  affinities: new Map([['product:1', 0.7]]),
  evidence: 10,
};
const target = { id: '1', features: ['brand:acme', 'category:shoes'] };

describe('quality', () => {
  it('is 1 where there are no data, each signal listed', () => {
    const { factor, factors } = quality({});
    expect(factor).toBe(1);
    expect(factors.map(({ name }) => name)).toEqual(['trend', 'rating', 'freshness', 'availability', 'discount']);
    expect(factors.every((one) => one.factor === 1)).toBe(true);
  });

  it('follows the short memory where buyers are many, the long one where they are few', () => {
    const none = { S: 0, M: 0, L: 0 };
    expect(trendValue(none, trend)).toBeCloseTo(0.001, 5);
    const expected = (146 * 30) / 365;
    const lately = (expected * (3 + 24)) / (3 + expected);
    const ofShort = (lately * 7) / 30;
    expect(trendValue({ S: 10, M: 24, L: 146 }, trend)).toBeCloseTo((ofShort * 13) / (3 + ofShort), 12);
    expect(trendValue({ S: 0, M: 0, L: 9 }, trend)).toBeLessThan(trendValue({ S: 0, M: 2, L: 9 }, trend));
    expect(trendValue({ S: 0, M: 2, L: 9 }, trend)).toBeLessThan(trendValue({ S: 1, M: 2, L: 9 }, trend));
    expect(trendValue({ ...none, sold: 500 }, trend)).toBeGreaterThan(trendValue({ ...none, sold: 5 }, trend));
    expect(quality({ trend: 10 }).factor).toBeCloseTo(10 ** 0.1, 12);
  });

  it('follows what the feed says was sold as long as nothing was learned', () => {
    expect([0, -1, 0.5, 1].map(expectedTrend)).toEqual([1, 1, 1, 1]);
    expect(expectedTrend(7)).toBe(3);
    expect(expectedTrend(Number.NaN)).toBeNaN();
    expect(expectedTrend(1e308)).toBeCloseTo(308 * Math.log2(10), 6);
    expect(quality({ sold: 7 }).factor).toBeCloseTo(3 ** 0.1, 12);
    expect(quality({ sold: 7, trend: 2 }).factor).toBeCloseTo(2 ** 0.1, 12);
    expect(quality({ sold: null }).factor).toBe(1);
  });

  it('draws few ratings to the mean', () => {
    const few = quality({ rating: { average: 5, count: 1 } }).factor;
    const many = quality({ rating: { average: 5, count: 1000 } }).factor;
    expect(few).toBeGreaterThan(1);
    expect(many).toBeGreaterThan(few);
    expect(quality({ rating: { average: 1, count: 1000 } }).factor).toBeLessThan(1);
  });

  it('favours new, reduced and available products, gently', () => {
    expect(quality({ created: NOW }).factor).toBeCloseTo(1.1, 12);
    expect(quality({ created: NOW - 30 * DAY }).factor).toBeCloseTo(1.05, 12);
    expect(quality({ price: 5, oldPrice: 10 }).factor).toBeCloseTo(1.05, 12);
    expect(quality({ price: 10, oldPrice: 5 }).factor).toBe(1);
    expect(quality({ available: false }).factor).toBe(0.5);
  });

  it('holds the trend within maxQuality both ways, and says so', () => {
    const strict = boostTemplateSchema.parse({ maxQuality: 1.5, signals: { trend: {} } });
    for (const data of [{ trend: 1e6 }, { trend: 0 }]) {
      const { factor, factors } = quality(data, strict);
      expect([1.5, 1 / 1.5]).toContain(factor);
      expect(factors.reduce((product, one) => product * one.factor, 1)).toBeCloseTo(factor, 12);
      expect(factors.at(-1)?.name).toBe('trend_clamp');
    }
  });
});

describe('a hit’s score', () => {
  it('is text × about × quality × personal, personal linear in the features', () => {
    expect(explainHit({ text: 2, about: 1, quality: quality({ available: false }), boosts, target }).score).toBeCloseTo(
      2 * 0.5 * (1 + 0.5 * 1.6),
      12,
    );
    expect(explainHit({ text: 2, about: 1, quality: quality({}), boosts: null, target }).score).toBe(2);
    expect(explainHit({ text: 2, about: 0.25, quality: quality({}), boosts: null, target }).score).toBe(0.5);
  });

  it('never exceeds maxBoost, whatever the feature weights', () => {
    const wild = { ...boosts, strength: 100, featureWeights: new Map([['product:1', 50]]) };
    expect(explainHit({ text: 1, about: 1, quality: quality({}), boosts: wild, target }).score).toBe(3);
    expect(
      explainHit({ text: 1, about: 1, quality: quality({}), boosts: { ...wild, strength: 0 }, target }).score,
    ).toBe(1);
  });

  it('is explained by its parts', () => {
    const {
      score,
      text,
      boosts: reasons,
    } = explainHit({ text: 2, about: 1, quality: quality({ trend: 3 }), boosts, target });
    expect(reasons.reduce((product, { factor }) => product * factor, text)).toBeCloseTo(score, 12);
    const personal = reasons.at(-1) as PersonalBoost;
    expect(personal).toMatchObject({ name: 'personal', clamped: false });
    expect(personal.parts).toContainEqual({ name: 'product:1', weight: 0.7, add: 0.5 });
    expect(personal.parts.reduce((sum, { add }) => sum + add, 0)).toBeCloseTo(personal.factor - 1, 12);
  });

  it('says where the clamp acted: the parts then sum to more', () => {
    const wild = { ...boosts, maxBoost: 1.2 };
    const personal = explainHit({ text: 1, about: 1, quality: quality({}), boosts: wild, target }).boosts.at(
      -1,
    ) as PersonalBoost;
    expect(personal).toMatchObject({ factor: 1.2, clamped: true });
    expect(personal.parts.reduce((sum, { add }) => sum + add, 0)).toBeCloseTo(0.8, 12);
  });

  it('counts a feature once, listed twice or not', () => {
    expect(boostKeys('1', ['product:1', 'brand:acme', 'brand:acme'])).toEqual(['product:1', 'related:1', 'brand:acme']);
  });
});
