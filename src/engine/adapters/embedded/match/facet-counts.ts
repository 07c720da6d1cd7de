import {
  type CountedValue,
  facetRequests,
  familyFacets,
  MOST_FACET_VALUES,
  MOST_FAMILY_VALUES,
  mostFrequent,
  rangesFacetOf,
  selectedKeys,
  selectedRanges,
  valuesFacetOf,
} from '../../../facet-values';
import { edgeBin, type RangeCounts } from '../../../facet-ranges';
import {
  facets,
  type FacetKind,
  type FamilyKind,
  isRangeKind,
  type RangeKind,
  rangesFacet,
  splitStored,
  storedAs,
  type StoredKind,
  type ValueKind,
} from '../../../facets';
import type { PlanFilter, QueryPlan } from '../../../plan/query-plan';
import type { EngineResult, Facet } from '../../../search-engine';
import { FINE_PRICE } from '../index/columns';
import { Lists } from '../index/growable';
import type { StoreIndex } from '../index/store-index';
import type { CandidateRows } from './candidates';
import type { SearchArrays } from './search-arrays';
import { type Failures, rangeValues } from './filters';

export function countFacets(
  index: StoreIndex,
  candidates: CandidateRows,
  failures: Failures,
  plan: Pick<QueryPlan, 'facets' | 'filters' | 'mostValues'>,
  arrays: SearchArrays,
): EngineResult['facets'] {
  if (plan.facets.length === 0) return {};
  const { kinds, families } = facetRequests(plan.facets, plan.filters);
  const counter = new FacetCounter(index, candidates, failures, plan, arrays);
  const apart = new Set<string>(kinds);
  return Object.fromEntries([
    ...families.flatMap((family) => counter.family(family, apart)),
    ...kinds.map((kind): [FacetKind, Facet] => [kind, counter.facet(kind)]),
  ]);
}

type Counted = Pick<QueryPlan, 'filters' | 'mostValues'>;

class FacetCounter {
  private hits: Uint32Array | null = null;
  /** Of the hits, by kind: several facets of a family are counted at once. */
  private readonly ofHits = new Map<StoredKind, Uint32Array>();

  constructor(
    private readonly index: StoreIndex,
    private readonly candidates: CandidateRows,
    private readonly failures: Failures,
    private readonly plan: Counted,
    private readonly arrays: SearchArrays,
  ) {}

  facet(kind: FacetKind): Facet {
    const rows = this.rowsOf(kind);
    if (isRangeKind(kind)) return rangesOf(this.index, kind, rows, this.plan.filters);
    const { stored, prefix } = storedAs(kind);
    const values = this.values(stored, rows, (key) => key.startsWith(prefix));
    const most = this.plan.mostValues ?? MOST_FACET_VALUES;
    return valuesFacetOf(kind, rows.length, mostFrequent(values, most, selectedKeys(this.plan.filters, kind)));
  }

  /** All facets of a family but those counted apart. */
  family(family: FamilyKind, apart: ReadonlySet<string>): [ValueKind, Facet][] {
    const rows = this.rowsOf(`${family}.*`);
    const values = this.values(family, rows, (key) => !apart.has(splitStored(family, key).kind));
    return familyFacets(family, rows.length, mostFrequent(values, MOST_FAMILY_VALUES));
  }

  /** Rows that pass every filter but the facet's own. */
  private rowsOf(kind: FacetKind): Uint32Array {
    const { numbers } = this.failures;
    const own = numbers.get(kind);
    if (own === undefined) return (this.hits ??= this.passing(0));
    return this.passing(own);
  }

  private passing(own: number): Uint32Array {
    const { rows, count } = this.candidates;
    const { failed } = this.failures;
    const passing = this.arrays.ints(count);
    let passed = 0;
    for (let slot = 0; slot < count; slot++) {
      const number = failed[slot] ?? 0;
      if (number === 0 || number === own) passing[passed++] = rows[slot] ?? 0;
    }
    return passing.subarray(0, passed);
  }

  private *values(kind: StoredKind, rows: Uint32Array, counts: (key: string) => boolean): Generator<CountedValue> {
    const sizes = this.sizes(kind, rows);
    const { entries } = this.index.vocabulary.values[kind];
    for (let number = 0; number < sizes.length; number++) {
      const size = sizes[number]!;
      const entry = entries[number];
      if (size === 0 || !entry || !counts(entry.key)) continue;
      const { key, id = splitStored(kind, key).key, label, parent = null, facet } = entry;
      yield { key, label, parent, idO: id, size, facet };
    }
  }

  private sizes(kind: StoredKind, rows: Uint32Array): Uint32Array {
    if (rows !== this.hits) return countStored(this.index, kind, rows, this.arrays);
    const sizes = this.ofHits.get(kind) ?? countStored(this.index, kind, rows, this.arrays);
    this.ofHits.set(kind, sizes);
    return sizes;
  }
}

/** How many rows have each value, by its number. */
function countStored(
  { columns, vocabulary }: StoreIndex,
  kind: StoredKind,
  rows: Uint32Array,
  arrays: SearchArrays,
): Uint32Array {
  const values = columns.values[kind];
  const sizes = arrays.ints(vocabulary.values[kind].entries.length).fill(0);
  if (values instanceof Lists) countLists(values, rows, sizes);
  else for (let index = 0, { data } = values; index < rows.length; index++) sizes[data[rows[index]!]!]!++;
  // Number 0 of a single value stands for none.
  if (facets[kind].single) sizes[0] = 0;
  return sizes;
}

function countLists({ data, starts }: Lists, rows: Uint32Array, sizes: Uint32Array): void {
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const end = starts[row + 1]!;
    for (let at = starts[row]!; at < end; at++) sizes[data[at]!]!++;
  }
}

function rangesOf(index: StoreIndex, kind: RangeKind, rows: Uint32Array, filters: readonly PlanFilter[]): Facet {
  const counts = kind === 'price' ? countPrices(index, rows) : countRanges(index, kind, rows);
  const selected = selectedRanges(filters, kind).map(({ min, max }) => ({
    min,
    max,
    size: countWithin(rangeValues(index, kind), rows, min, max),
  }));
  return rangesFacetOf(kind, rows.length, { counts, selected });
}

function countWithin(numbers: Float64Array, rows: Uint32Array, min: number | null, max: number | null): number {
  const [low, high] = [min ?? -Infinity, max ?? Infinity];
  let size = 0;
  for (let index = 0; index < rows.length; index++) {
    const number = numbers[rows[index]!]!;
    if (number >= low && number <= high) size++;
  }
  return size;
}

function countPrices({ columns }: StoreIndex, rows: Uint32Array): RangeCounts {
  const prices = columns.numbers.price.data;
  const bins = columns.priceBins.data;
  const sizes = new Uint32Array(rangesFacet('price').edges.length + 1);
  let [lowest, highest, fine] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index]!;
    const price = prices[row]!;
    const bin = bins[row]!;
    sizes[bin & ~FINE_PRICE]!++;
    fine |= bin & FINE_PRICE;
    if (price < lowest) lowest = price;
    if (price > highest) highest = price;
  }
  return { sizes: Array.from(sizes), lowest, highest, inCents: fine === 0 };
}

function countRanges(index: StoreIndex, kind: RangeKind, rows: Uint32Array): RangeCounts {
  const numbers = rangeValues(index, kind);
  const { edges } = rangesFacet(kind);
  const sizes = new Uint32Array(edges.length + 1);
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < rows.length; at++) {
    const number = numbers[rows[at]!]!;
    if (Number.isNaN(number)) continue;
    sizes[edgeBin(edges, number)]!++;
    if (number < lowest) lowest = number;
    if (number > highest) highest = number;
  }
  return { sizes: Array.from(sizes), lowest, highest, inCents: true };
}
