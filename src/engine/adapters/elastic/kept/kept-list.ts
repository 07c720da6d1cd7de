import { personalFactor } from '../../../../ranking/score';
import type { EngineHit, EngineQuery, EngineResult, Facet } from '../../../search-engine';
import { topSlots } from '../../../../shared/top-slots';
import { channelOf } from '../query/hit-filters';
import { tierOfStep } from '../query/read-hits';
import type { ProductTable } from './product-table';

/** The hits of a neutral query as columns, in the neutral order: all of them, or as many as are ranked personally. */
export interface KeptList {
  /** Of the index that was asked. */
  version: string;
  total: number;
  /** Terms that a product matches at the least. */
  least: number;
  /** The whole number of a product that matches all terms (search-bodies.ts). */
  all: number;
  table: ProductTable;
  /** In the table. */
  rows: Uint32Array;
  /** Tier, and the step in it: higher above lower. */
  steps: Uint16Array;
  /** text × about × quality × rules. */
  scores: Float64Array;
  /** By which facets were asked for. */
  facets: Map<string, CountedFacets>;
}

export type CountedFacets = Pick<EngineResult, 'facets' | 'facetsName'>;

const HIT_BYTES = Uint32Array.BYTES_PER_ELEMENT + Uint16Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT;
/** Of the list itself and its key, of facets but for their values, and of a value, about. */
const LIST_BYTES = 2000;
const FACETS_BYTES = 2000;
const VALUE_BYTES = 300;

export function bytesOf({ rows, facets }: KeptList): number {
  let values = 0;
  for (const { facets: counted } of facets.values()) {
    for (const facet of Object.values(counted) as Facet[]) {
      values += ('values' in facet ? facet.values : facet.ranges).length;
    }
  }
  return LIST_BYTES + rows.length * HIT_BYTES + facets.size * FACETS_BYTES + values * VALUE_BYTES;
}

/** Whether a page can be read from the list. */
export const covers = ({ total, rows }: KeptList, { from, size }: EngineQuery['plan']): boolean =>
  size === 0 || rows.length === total || from + size <= rows.length;

/** A hit of the page, and the number of its document. */
export interface KeptHit {
  hit: EngineHit;
  number: number;
}

/** The page asked for, in the order of the formula: the shopper's factor is applied to every hit of the list. */
export function keptPage(list: KeptList, { plan, template, boosts }: EngineQuery): KeptHit[] {
  const { rows, steps, table } = list;
  const end = Math.min(rows.length, plan.from + plan.size);
  const scores = boosts ? personalScores(list, boosts) : list.scores;
  const first = boosts
    ? topSlots(Uint32Array.from(rows.keys()), end, aboveBy(list, scores))
    : Uint32Array.from({ length: end }, (_, slot) => slot);
  return Array.from(first.subarray(plan.from), (slot) => {
    const row = rows[slot]!;
    const step = steps[slot]!;
    const hit: EngineHit = {
      productId: table.productIds[row] ?? '',
      channel: channelOf(plan.channels, table.channels[row] ?? '', table.excludedChannels[row] ?? []),
      version: table.versions[row] ?? 0,
      score: scores[slot]!,
      tier: tierOfStep(step, plan, list.all),
      ...(template.maxShare === null ? {} : { brand: table.brands[row] ?? null, step }),
    };
    return { hit, number: table.numbers[row] ?? 0 };
  });
}

function personalScores({ table, rows, scores }: KeptList, boosts: NonNullable<EngineQuery['boosts']>): Float64Array {
  const personal = table.sums(boosts, rows);
  for (let slot = 0; slot < personal.length; slot++) {
    personal[slot] = scores[slot]! * personalFactor(boosts, personal[slot]!);
  }
  return personal;
}

/** Tier, then score, then product id. Products that the neutral order holds equal stand in the order of their ids already. */
function aboveBy(
  { steps, scores: neutral, rows, table }: KeptList,
  scores: Float64Array,
): (a: number, b: number) => boolean {
  return (a, b) => {
    if (steps[a] !== steps[b]) return steps[a]! > steps[b]!;
    if (scores[a] !== scores[b]) return scores[a]! > scores[b]!;
    if (neutral[a] === neutral[b]) return a < b;
    return compareIds(table.productIds[rows[a]!]!, table.productIds[rows[b]!]!) < 0;
  };
}

/** As the index does: by the bytes of the ids. */
export const compareIds = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
