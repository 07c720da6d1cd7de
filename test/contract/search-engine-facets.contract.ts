import fc from 'fast-check';
import { familyKey, facetName, type FacetKind } from '../../src/engine/facets';
import type { PlanFilter } from '../../src/engine/plan/query-plan';
import type { EngineDocument, EngineResult } from '../../src/engine/search-engine';
import { anEngineDocument, type DocumentSpec } from '../builders/an-engine-document';
import { Dice } from '../support/dice';
import type { EngineBench } from '../support/engine-bench';

/** Every facet is counted once more, from the documents that were written. */

const BRANDS = ['acme', 'bolt', 'Ácido'];
/** Names and values with signs that mean something to one engine or the other. */
const NAMES = ['size', 'a+b (cm) [x]>', 'cor "x"', 'ÇÃO.*'];
const VALUES = ['40', '41', 'azul|verde', 'x.y*', 'M/G'];
const LEAVES = [
  ['shoes', 'running'],
  ['shoes', 'trail'],
  ['home', 'lamps'],
];
const ALL: FacetKind[] = ['brand', 'category', 'price', 'tag', 'availability', 'discount', 'spec.*', 'detail.*'];

const key = (label: string): string => label.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');

function aCatalog(dice: Dice, count: number): DocumentSpec[] {
  const some = <T>(of: readonly T[]): T[] => of.filter(() => dice.below(3) === 0);
  const entries = (): EngineDocument['specs'] =>
    some(NAMES).flatMap((name) =>
      some(VALUES).map((label) => ({ key: familyKey(name, label), id: `id ${label}`, label, facet: name })),
    );
  return Array.from({ length: count }, (_, number) => {
    const brand = BRANDS[dice.below(BRANDS.length + 1)];
    const [top = '', leaf = ''] = LEAVES[dice.below(LEAVES.length)] ?? [];
    const price = 5 + dice.below(4000) / 10;
    return {
      productId: `p${number}`,
      name: dice.below(2) === 0 ? 'tenis' : 'mesa',
      brand: brand === undefined ? null : { key: key(brand), label: brand },
      categories: [
        { key: top, id: `1${top}`, label: top, parent: null },
        { key: `${top}/${leaf}`, id: `2${leaf}`, label: leaf, parent: top },
      ],
      price,
      oldPrice: dice.below(2) === 0 ? null : Math.round(price * (110 + dice.below(200))) / 100,
      available: dice.below(3) > 0,
      facetTags: some(VALUES).map((label) => ({ key: key(label), id: label, label })),
      specs: entries(),
      details: entries(),
    };
  });
}

const percentOf = ({ price, oldPrice }: EngineDocument): number | null =>
  oldPrice !== null && oldPrice > price ? Math.round((1 - price / oldPrice) * 10_000) / 100 : null;

/** The keys of a document's values by facet, as the documentation says, not as the engines do it. */
function valuesOf(document: EngineDocument): Map<string, string[]> {
  const values = new Map<string, string[]>([
    ['brand', document.brand ? [document.brand.key] : []],
    ['category', document.categories.map((level) => level.key)],
    ['tag', document.tags.map((tag) => tag.key)],
    ['availability', [document.available ? 'available' : 'unavailable']],
  ]);
  for (const family of ['spec', 'detail'] as const) {
    for (const { facet, label } of document[`${family}s`]) {
      const kind = `${family}.${facetName(facet)}`;
      values.set(kind, [...(values.get(kind) ?? []), key(label)]);
    }
  }
  return values;
}

function passes(document: EngineDocument, filter: PlanFilter): boolean {
  if ('keys' in filter) return (valuesOf(document).get(filter.kind) ?? []).some((own) => filter.keys.includes(own));
  const number = filter.kind === 'price' ? document.price : percentOf(document);
  if (number === null) return false;
  return filter.ranges.some(({ min, max }) => (min === null || number >= min) && (max === null || number <= max));
}

interface Counted {
  total: number;
  sizes: Record<string, Record<string, number>>;
  numbers: Record<string, number[]>;
}

function recount(documents: readonly EngineDocument[], filters: readonly PlanFilter[]): Counted {
  const passing = (kind: string): EngineDocument[] =>
    documents.filter((document) => filters.every((filter) => filter.kind === kind || passes(document, filter)));
  const kinds = new Set(documents.flatMap((document) => [...valuesOf(document).keys()]));
  const sizes: Counted['sizes'] = {};
  for (const kind of kinds) {
    const own: Record<string, number> = {};
    for (const document of passing(kind)) {
      for (const value of valuesOf(document).get(kind) ?? []) own[value] = (own[value] ?? 0) + 1;
    }
    if (Object.keys(own).length > 0) sizes[kind] = own;
  }
  return {
    total: passing('').length,
    sizes,
    numbers: {
      price: passing('price').map(({ price }) => price),
      discount: passing('discount').flatMap((document) => percentOf(document) ?? []),
    },
  };
}

function counted({ facets }: EngineResult): Counted['sizes'] {
  const sizes: Counted['sizes'] = {};
  for (const facet of Object.values(facets)) {
    if (!facet || 'ranges' in facet || facet.values.length === 0) continue;
    sizes[facet.kind] = Object.fromEntries(facet.values.map((value) => [value.key, value.size]));
  }
  return sizes;
}

const filterOf: fc.Arbitrary<PlanFilter> = fc.oneof(
  fc.record({ kind: fc.constant('brand' as const), keys: fc.subarray(BRANDS.map(key), { minLength: 1 }) }),
  fc.record({
    kind: fc.constant('category' as const),
    keys: fc.subarray(['shoes', 'shoes/trail', 'home/lamps'], { minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('tag' as const), keys: fc.subarray(VALUES.map(key), { minLength: 1 }) }),
  fc.record({
    kind: fc.constant('availability' as const),
    keys: fc.subarray(['available', 'unavailable'], { minLength: 1 }),
  }),
  fc.record({
    kind: fc
      .tuple(fc.constantFrom('spec' as const, 'detail' as const), fc.constantFrom(...NAMES.map(facetName)))
      .map(([family, name]) => `${family}.${name}` as const),
    keys: fc.subarray([...VALUES.map(key), 'nobody'], { minLength: 1 }),
  }),
  fc.record({
    kind: fc.constantFrom('price' as const, 'discount' as const),
    ranges: fc.array(
      fc
        .tuple(fc.option(fc.integer({ min: 0, max: 200 })), fc.integer({ min: 0, max: 300 }))
        .map(([min, more]) => ({ min, max: more === 300 ? null : (min ?? 0) + more })),
      { minLength: 1, maxLength: 2 },
    ),
  }),
);

export function describeFacets(bench: () => EngineBench): void {
  describe('every facet', () => {
    it('has the counts of the catalog, whatever is filtered', async () => {
      const specs = aCatalog(new Dice(7), 90);
      const documents = specs.map(anEngineDocument);
      await bench().write(specs);
      const words = await bench().planFor('tenis');
      const property = async (filters: PlanFilter[], isSearch: boolean): Promise<void> => {
        const { match } = isSearch ? words : bench().plan();
        const result = await bench().search({ plan: bench().plan({ match, filters, facets: ALL, size: 0 }) });
        const found = documents.filter(({ text }) => !isSearch || text.name === 'tenis');
        const truth = recount(found, filters);
        expect(result.total).toBe(truth.total);
        expect(counted(result)).toEqual(truth.sizes);
        for (const kind of ['price', 'discount'] as const)
          expectRanges(result, kind, truth.numbers[kind] ?? [], filters);
      };
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(filterOf, { maxLength: 4, selector: ({ kind }) => kind }),
          fc.boolean(),
          property,
        ),
        { numRuns: 60, seed: 15 },
      );
    });

    it('is named as the store names it, its values with their own ids', async () => {
      const entry = { key: familyKey('Tamanho', 'G'), id: 'g-1', label: 'G', facet: 'Tamanho' };
      await bench().write([{ productId: 'a', specs: [entry] }, { productId: 'b' }]);
      const { facets } = await bench().search({ plan: bench().plan({ facets: ['spec.*', 'spec.cor', 'detail.*'] }) });
      expect(facets).toEqual({
        'spec.tamanho': {
          kind: 'spec.tamanho',
          of: 2,
          name: 'Tamanho',
          values: [{ key: 'g', label: 'G', parent: null, idO: 'g-1', size: 1 }],
        },
        'spec.cor': { kind: 'spec.cor', of: 2, values: [] },
      });
    });

    it('answers as many values as are asked for, the most frequent ones, and what is selected', async () => {
      const brand = (label: string) => ({ key: label, label });
      const brands = ['a', 'a', 'a', 'b', 'b', 'c', 'd'];
      await bench().write(brands.map((label, number) => ({ productId: `p${number}`, brand: brand(label) })));
      const filters = [{ kind: 'brand' as const, keys: ['d'] }];
      const plan = bench().plan({ facets: ['brand'], mostValues: 2 });
      const keys = async (more: object) => {
        const { facets } = await bench().search({ plan: { ...plan, ...more } });
        return facets.brand && 'values' in facets.brand ? facets.brand.values.map((value) => value.key) : [];
      };
      expect(await keys({})).toEqual(['a', 'b']);
      expect(await keys({ filters })).toEqual(['a', 'b', 'd']);
    });
  });
}

function expectRanges(
  { facets }: EngineResult,
  kind: 'price' | 'discount',
  numbers: readonly number[],
  filters: readonly PlanFilter[],
): void {
  const facet = facets[kind];
  if (!facet || !('ranges' in facet)) throw new Error(`No ranges of ${kind}`);
  const within = (min: number | null, max: number | null): number =>
    numbers.filter((number) => number >= (min ?? -Infinity) && number <= (max ?? Infinity)).length;
  const bounds = { min: Math.floor(Math.min(...numbers)), max: Math.ceil(Math.max(...numbers)) };
  expect(facet.whole).toEqual(numbers.length === 0 ? null : { ...bounds, size: numbers.length });
  for (const { min, max, size } of facet.ranges)
    expect([kind, min, max, size]).toEqual([kind, min, max, within(min, max)]);
  expect(facet.ranges.reduce((sum, { size }) => sum + size, 0)).toBe(numbers.length);
  const asked = filters.flatMap((filter) => (filter.kind === kind && 'ranges' in filter ? filter.ranges : []));
  expect(facet.selected).toEqual(asked.map(({ min, max }) => ({ min, max, size: within(min, max) })));
}
