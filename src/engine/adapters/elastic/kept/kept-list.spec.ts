import fc from 'fast-check';
import type { Boosts } from '../../../../ranking/affinity';
import { explainHit } from '../../../../ranking/score';
import { defaultTemplate } from '../../../../ranking/template/template';
import type { QueryPlan } from '../../../plan/query-plan';
import { compareIds, type KeptList, keptPage } from './kept-list';
import { type KeptProduct, ProductTable } from './product-table';

const FEATURES = ['brand:a', 'brand:b', 'category:x', 'category:x/y', 'tag@category:t@x'];
const IDS = ['p1', 'p2', 'P3', 'é4', '😀5', 'ﬀ6', 'p10', 'p11'];

const products = fc.uniqueArray(
  fc.record({
    productId: fc.constantFrom(...IDS),
    features: fc.subarray(FEATURES),
    step: fc.nat(3),
    score: fc.integer({ min: 1, max: 4 }),
  }),
  { selector: ({ productId }) => productId },
);
const weights = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...FEATURES, 'product:p1', 'related:p1', 'related:p10', 'brand:z'), fc.nat(8)),
  { selector: ([feature]) => feature },
);

const boostsOf = (entries: [string, number][]): Boosts => {
  const featureWeights = new Map(entries.map(([feature, weight]) => [feature, weight / 4]));
  return { strength: 50, maxBoost: 3, featureWeights, affinities: featureWeights, evidence: 1 };
};

type Spec = { productId: string; features: string[]; step: number; score: number };

const keptProduct = ({ productId, features }: Spec, number: number): KeptProduct => ({
  number,
  seqNo: number,
  productId,
  version: 1,
  channel: '*',
  excludedChannels: [],
  brand: null,
  features,
});

/** As it is read: in the neutral order. */
function listOf(specs: readonly Spec[], table: ProductTable): KeptList {
  const sorted = specs.toSorted((a, b) => b.step - a.step || b.score - a.score || compareIds(a.productId, b.productId));
  const rows = Uint32Array.from(sorted, (spec, at) => table.add(keptProduct(spec, at)));
  const steps = Uint16Array.from(sorted, ({ step }) => step);
  const scores = Float64Array.from(sorted, ({ score }) => score);
  const total = specs.length;
  return { version: 'v', total, least: 1, all: 2, table, rows, steps, scores, facets: new Map() };
}

function pageOf(list: KeptList, boosts: Boosts | null, { from, size }: Pick<QueryPlan, 'from' | 'size'>) {
  const plan: QueryPlan = {
    store: 's',
    channels: ['default'],
    language: 'pt',
    match: { kind: 'terms', terms: [], exact: '', someBelow: 0, minimumSome: 1 },
    filters: [],
    availableOnly: false,
    sortBy: 'relevance',
    from,
    size,
    facets: [],
    now: 0,
  };
  return keptPage(list, { plan, template: defaultTemplate, boosts, explain: false }).map(({ hit }) => hit);
}

describe('a page of kept hits', () => {
  it('is in the order of the formula, and has its scores, for every shopper who asks the same list', () => {
    fc.assert(
      fc.property(
        products,
        fc.array(weights, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        (specs, shoppers, size) => {
          const list = listOf(specs, new ProductTable());
          for (const entries of shoppers) {
            const boosts = boostsOf(entries);
            const scored = specs.map((spec) => {
              const target = { id: spec.productId, features: spec.features };
              const quality = { factor: 1, factors: [] };
              return { ...spec, all: explainHit({ text: spec.score, about: 1, quality, boosts, target }).score };
            });
            scored.sort((a, b) => b.step - a.step || b.all - a.all || compareIds(a.productId, b.productId));
            const found = [0, size].flatMap((from) =>
              pageOf(list, boosts, { from, size: from === 0 ? size : IDS.length }),
            );
            expect(found.map(({ productId }) => productId)).toEqual(scored.map(({ productId }) => productId));
            found.forEach(({ score }, at) => expect(score).toBeCloseTo(scored[at]!.all, 12));
          }
          const neutral = pageOf(list, null, { from: 0, size: IDS.length });
          expect(neutral.map(({ score }) => score)).toEqual(Array.from(list.scores));
        },
      ),
    );
  });

  it('says in which tier a product is', () => {
    const specs = [0, 1, 2, 3].map((step) => ({ productId: `p${step}`, features: [], step, score: 1 }));
    const list = listOf(specs, new ProductTable());
    expect(pageOf(list, null, { from: 0, size: 9 }).map(({ tier }) => tier)).toEqual(['exact', 'all', 'some', 'some']);
  });
});

describe('the products of a store', () => {
  it('are known as they were at one sequence number', () => {
    const table = new ProductTable();
    const spec = { productId: 'a', features: ['brand:a'], step: 0, score: 1 };
    const row = table.add({ ...keptProduct(spec, 7), seqNo: 3 });
    expect([table.rowOf(7, 3), table.rowOf(7, 4), table.rowOf(8, 3)]).toEqual([row, undefined, undefined]);
    const next = table.add({ ...keptProduct({ ...spec, features: ['brand:b'] }, 7), seqNo: 4 });
    expect([table.rowOf(7, 3), table.rowOf(7, 4)]).toEqual([undefined, next]);
    const boosts = boostsOf([
      ['brand:b', 4],
      ['product:a', 8],
    ]);
    expect(Array.from(table.sums(boosts, Uint32Array.of(row, next)))).toEqual([2, 3]);
  });

  it('are weighed for a shopper as they come: a product in its row, whoever was asked for before it came', () => {
    fc.assert(
      fc.property(fc.array(products, { minLength: 1, maxLength: 4 }), weights, (reads, entries) => {
        const table = new ProductTable();
        const early = boostsOf(entries);
        for (const [at, specs] of reads.entries()) {
          const rows = Uint32Array.from(specs, (spec, slot) => table.add(keptProduct(spec, 10 * at + slot)));
          expect(table.sums(early, rows)).toEqual(table.sums(boostsOf(entries), rows));
        }
      }),
    );
  });

  it('are weighed by all that touches them, where one comes after a shopper was first asked for', () => {
    const table = new ProductTable();
    const entries: [string, number][] = FEATURES.map((feature) => [feature, 4]);
    const boosts = boostsOf([...entries, ['product:p2', 8], ['related:p2', 2]]);
    const spec = { features: ['brand:a', 'category:x'], step: 0, score: 1 };
    const first = table.add(keptProduct({ ...spec, productId: 'p1' }, 1));
    expect(Array.from(table.sums(boosts, Uint32Array.of(first)))).toEqual([2]);
    const second = table.add(keptProduct({ ...spec, productId: 'p2', features: ['brand:a', 'brand:b'] }, 2));
    expect(Array.from(table.sums(boosts, Uint32Array.of(first, second)))).toEqual([2, 4.5]);
    expect(Array.from(table.sums(boosts, Uint32Array.of(second)))).toEqual([4.5]);
  });

  it('are counted in bytes', () => {
    const table = new ProductTable();
    const before = table.bytes;
    table.add(keptProduct({ productId: 'a', features: FEATURES, step: 0, score: 1 }, 1));
    expect(table.bytes).toBeGreaterThan(before);
  });
});
