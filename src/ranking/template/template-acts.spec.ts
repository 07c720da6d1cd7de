import { buildBoosts, type StatsLookup } from '../affinity';
import { aggregateEvents } from '../vectors/aggregate';
import type { EvidenceEvent } from '../vectors/evidence';
import { productFeatures } from '../vectors/features';
import { mergePatch } from './merge-patch';
import { type BoostTemplate, boostTemplateSchema, defaultTemplate } from './template';
import { emptyVector } from '../vectors/vector';

/** What engines act by is tested on each of them (test/contract/search-engine-template). */
const OF_ENGINES = /^(maxQuality|maxShare|about\.\w+|fields\.\w+|text\.(k1|b\.\w+)|signals\..+)$/;
/** Names, and the `k` of a curve that has none. */
const OF_NOTHING = new Set(['name', 'affinities.brand@leaf.k']);

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);

function leavesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
}

/** Another value that the schema accepts. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 0.5 : value / 2;
  if (value === 'ln' || value === 'lift') return 'saturate';
  if (value === 'saturate') return 'ln';
  return Array.isArray(value) ? [...(value as unknown[]), 'brand'] : value;
}

const valueAt = (template: BoostTemplate, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], template);

const changed = (path: readonly string[]): BoostTemplate => {
  const value = otherValue(valueAt(defaultTemplate, path));
  const patch = path.reduceRight<unknown>((part, name) => ({ [name]: part }), value);
  return boostTemplateSchema.parse(mergePatch(defaultTemplate, patch));
};

const bought = productFeatures({
  id: '1',
  brand: 'acme',
  categories: [['shoes', 'running']],
  tags: ['light'],
  details: { colour: ['blue'] },
  price: 20,
});
const items = [{ product: bought }];
const events = (['transaction', 'cart', 'click', 'product'] as const).map((kind, index): EvidenceEvent => ({
  seq: index + 1,
  at: NOW - index * DAY,
  kind,
  items,
}));
const searched: EvidenceEvent = { seq: 5, at: NOW, kind: 'search', items: [{ product: bought }] };
const browsed: EvidenceEvent = { seq: 6, at: NOW, kind: 'category', items: [], features: ['category:shoes'] };

const stats: StatsLookup = {
  share: () => 0.01,
  product: () => ({ related: [['2', 50]], repurchase: 0.5 }),
};

const vector = aggregateEvents(emptyVector({ transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY }), [
  ...events,
  searched,
  browsed,
]);

/** Everything that ranks of a shopper, as text. */
function ranked(template: BoostTemplate): string {
  const { strength, maxBoost, featureWeights, prices } = buildBoosts({ vectors: [vector], template, stats, now: NOW });
  return JSON.stringify([strength, maxBoost, [...featureWeights], [...(prices ?? [])]]);
}

const leaves = leavesOf(defaultTemplate).filter((path) => {
  const name = path.join('.');
  return !OF_ENGINES.test(name) && !OF_NOTHING.has(name);
});

test('a template has settings beside those that engines read', () => {
  expect(leaves.length).toBeGreaterThan(30);
});

test.each(leaves.map((path) => [path.join('.'), path] as const))('%s acts on a shopper’s boosts', (_name, path) => {
  expect(ranked(changed(path))).not.toBe(ranked(defaultTemplate));
});
