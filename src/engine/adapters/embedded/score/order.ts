import { aboutFactor } from '../../../../ranking/about';
import { qualityFactor, qualityFormula } from '../../../../ranking/quality';
import type { BoostTemplate } from '../../../../ranking/template/template';
import { discountShare } from '../../../../ranking/signal-numbers';
import { sortOf } from '../../../plan/sorts';
import { personalWindow } from '../../../plan/personal-window';
import type { CandidateRows } from '../match/candidates';
import type { SearchArrays } from '../match/search-arrays';
import { type PersonalScratch, PersonalWeights } from './personal-weights';
import type { SentQuery } from './sent-boosts';
import type { StoreIndex } from '../index/store-index';
import { type Above, topSlots } from '../../../../shared/top-slots';
import { firstSlots } from './top';

export interface OrderRequest extends Pick<SentQuery, 'plan' | 'template' | 'boosts'> {
  index: StoreIndex;
  hits: NeutralHits;
  scratch: PersonalScratch;
}

/** What is the same for every shopper: hits, and what they score for nobody. */
export interface NeutralHits {
  /** All there are; `slots` may be fewer: those that are ranked personally. */
  total: number;
  candidates: CandidateRows;
  /** Which of the candidates are hits. */
  slots: Uint32Array;
  /** By slot. Ordering them for a shopper changes them. */
  scores: Float64Array;
}

export interface Ordered {
  slots: Uint32Array;
  /** By slot. */
  scores: Float64Array;
  execution: string;
}

/** The page asked for, in order. */
export function orderHits(request: OrderRequest): Ordered {
  const { index, plan, boosts } = request;
  const { total, slots, scores, candidates } = request.hits;
  const personal = boosts ? new PersonalWeights(index, boosts, request.scratch) : null;
  if (plan.sortBy !== 'relevance' || plan.match.kind === 'ids') return bySortKey(request, personal);
  if (personal && total > personalWindow.above) return inWindow(request, personal);
  personal?.multiply(scores, slots, candidates.rows);
  const page = topSlots(slots, plan.from + plan.size, above(request, scores, true)).slice(plan.from);
  return { slots: page, scores, execution: personal ? 'all' : 'neutral' };
}

function bySortKey(request: OrderRequest, personal: PersonalWeights | null): Ordered {
  const { plan, hits } = request;
  const { candidates, slots, scores } = hits;
  const page = topSlots(slots, plan.from + plan.size, above(request, sortKeys(request), false)).slice(plan.from);
  personal?.multiply(scores, page, candidates.rows);
  return { slots: page, scores, execution: plan.match.kind === 'ids' ? 'ids' : 'sorted' };
}

function inWindow(request: OrderRequest, personal: PersonalWeights): Ordered {
  const { plan, hits } = request;
  const { scores, candidates } = hits;
  const end = plan.from + plan.size;
  const { size } = personalWindow;
  const higher = above(request, scores, true);
  const first = firstHits(request, Math.max(end, size));
  if (end > size) first.sort((a, b) => (higher(a, b) ? -1 : 1));
  const window = first.subarray(0, size);
  personal.multiply(scores, window, candidates.rows);
  const page = topSlots(window, Math.min(end, size), higher);
  const whole = end <= size ? page : Uint32Array.of(...page, ...first.subarray(size));
  return { slots: whole.slice(plan.from, end), scores, execution: 'window' };
}

/** The first hits of the neutral order, in no order. */
export function firstHits(request: Pick<OrderRequest, 'index' | 'hits'>, size: number): Uint32Array {
  const { candidates, slots, scores } = request.hits;
  return firstSlots(slots, size, candidates.tiers, scores, above(request, scores, true));
}

interface NeutralRequest extends Pick<SentQuery, 'plan' | 'template'> {
  index: StoreIndex;
  candidates: CandidateRows;
  slots: Uint32Array;
  arrays: SearchArrays;
}

/** By slot: text × about × quality × rules. */
export function neutralScores({ index, plan, template, candidates, slots, arrays }: NeutralRequest): Float64Array {
  const quality = index.quality.values(template, plan.now);
  const formula = qualityFormula(template, plan.now);
  const scores = arrays.doubles(candidates.count);
  const { rows } = candidates;
  const textOf = textFactor(template, candidates);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    const row = rows[slot]!;
    let factor = quality[row] ?? Number.NaN;
    if (Number.isNaN(factor)) {
      factor = qualityFactor(formula, index.columns.signalsOf(row));
      quality[row] = factor;
    }
    scores[slot] = textOf(slot) * factor;
  }
  multiplyRules(scores, { index, plan, candidates, slots });
  return scores;
}

/** By slot: text × about. */
export function textFactor(
  template: BoostTemplate,
  { text, behind }: Pick<CandidateRows, 'text' | 'behind'>,
): (slot: number) => number {
  const about = [0, 1, 2].map((step) => aboutFactor(template, step));
  return (slot) => (text ? (text[slot] ?? 0) : 1) * (behind ? about[behind[slot]!]! : 1);
}

/** What the store's rules boost and bury. */
function multiplyRules(
  scores: Float64Array,
  { index: { columns }, plan, candidates, slots }: Omit<NeutralRequest, 'template' | 'arrays'>,
): void {
  const factors = new Map<number, number>();
  for (const { product, factor } of plan.rules?.factors ?? []) {
    const number = columns.productNumber(product);
    if (number !== undefined) factors.set(number, factor);
  }
  if (factors.size === 0) return;
  const product = columns.product.data;
  for (const slot of slots) {
    const factor = factors.get(product[candidates.rows[slot] ?? 0] ?? 0);
    if (factor !== undefined) scores[slot] = (scores[slot] ?? 0) * factor;
  }
}

/** Tier, then key, then product id. A search sees at most one document of a product, so ids never tie. */
function above({ index, hits }: Pick<OrderRequest, 'index' | 'hits'>, keys: Float64Array, tiered: boolean): Above {
  const { tiers, rows } = hits.candidates;
  const { product, productIds } = index.columns;
  const idOf = (slot: number): string => productIds[product.data[rows[slot] ?? 0] ?? 0] ?? '';
  return (a, b) => {
    if (tiered) {
      const tier = (tiers[a] ?? 0) - (tiers[b] ?? 0);
      if (tier !== 0) return tier > 0;
    }
    const [key, otherKey] = [keys[a] ?? 0, keys[b] ?? 0];
    return key === otherKey ? idOf(a) < idOf(b) : key > otherKey;
  };
}

/** Higher comes first; an unknown number comes last in either direction. */
function sortKeys({ index, plan, hits }: OrderRequest): Float64Array {
  const { candidates, slots } = hits;
  const keys = new Float64Array(candidates.count);
  const { rows } = candidates;
  const { by, order } = sortOf(plan.sortBy);
  if (by === undefined) {
    // By product id alone; of products asked by id, in the order asked.
    if (plan.sortBy === 'relevance') for (const slot of slots) keys[slot] = -slot;
    return keys;
  }
  const sign = order === 'asc' ? -1 : 1;
  const { numbers } = index.columns;
  const { data } = numbers[by === 'discount' ? 'price' : by];
  const old = numbers.oldPrice.data;
  for (const slot of slots) {
    const row = rows[slot] ?? 0;
    const value = data[row] ?? Number.NaN;
    const key = sign * (by === 'discount' ? discountShare({ price: value, oldPrice: old[row] ?? Number.NaN }) : value);
    keys[slot] = Number.isNaN(key) ? Number.NEGATIVE_INFINITY : key + 0;
  }
  return keys;
}
