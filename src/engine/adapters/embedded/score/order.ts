import { aboutFactor } from '../../../../ranking/about';
import { qualityFactor, qualityFormula } from '../../../../ranking/quality';
import { discountShare } from '../../../../ranking/signal-numbers';
import { sortOf } from '../../../plan/sorts';
import { personalWindow } from '../../../plan/personal-window';
import type { CandidateRows } from '../match/candidates';
import type { SearchArrays } from '../match/search-arrays';
import { type PersonalScratch, PersonalWeights } from './personal-weights';
import type { SentQuery } from './sent-boosts';
import type { StoreIndex } from '../index/store-index';
import { type Above, topSlots } from '../../../top-slots';
import { firstSlots } from './top';

export interface OrderRequest extends Pick<SentQuery, 'plan' | 'template' | 'boosts'> {
  index: StoreIndex;
  candidates: CandidateRows;
  /** Which of the candidates are hits. */
  slots: Uint32Array;
  scratch: PersonalScratch;
  arrays: SearchArrays;
}

export interface Ordered {
  slots: Uint32Array;
  /** By slot. */
  scores: Float64Array;
  execution: string;
}

/** The page asked for, in order. */
export function orderHits(request: OrderRequest): Ordered {
  const { plan, boosts, slots } = request;
  const scores = neutralScores(request);
  const personal = boosts ? new PersonalWeights(request.index, boosts, request.scratch) : null;
  if (plan.sortBy !== 'relevance' || plan.match.kind === 'ids') return bySortKey(request, scores, personal);
  if (personal && slots.length > personalWindow.above) return inWindow(request, scores, personal);
  personal?.multiply(scores, slots, request.candidates.rows);
  const page = topSlots(slots, plan.from + plan.size, above(request, scores, true)).slice(plan.from);
  return { slots: page, scores, execution: personal ? 'all' : 'neutral' };
}

function bySortKey(request: OrderRequest, scores: Float64Array, personal: PersonalWeights | null): Ordered {
  const { plan, candidates, slots } = request;
  const page = topSlots(slots, plan.from + plan.size, above(request, sortKeys(request), false)).slice(plan.from);
  personal?.multiply(scores, page, candidates.rows);
  return { slots: page, scores, execution: plan.match.kind === 'ids' ? 'ids' : 'sorted' };
}

function inWindow(request: OrderRequest, scores: Float64Array, personal: PersonalWeights): Ordered {
  const { plan, candidates, slots } = request;
  const end = plan.from + plan.size;
  const { size } = personalWindow;
  const higher = above(request, scores, true);
  const first = firstSlots(slots, Math.max(end, size), candidates.tiers, scores, higher);
  if (end > size) first.sort((a, b) => (higher(a, b) ? -1 : 1));
  const window = first.subarray(0, size);
  personal.multiply(scores, window, candidates.rows);
  const page = topSlots(window, Math.min(end, size), higher);
  const whole = end <= size ? page : Uint32Array.of(...page, ...first.subarray(size));
  return { slots: whole.slice(plan.from, end), scores, execution: 'window' };
}

/** By slot: text × about × quality. */
function neutralScores({ index, plan, template, candidates, slots, arrays }: OrderRequest): Float64Array {
  const quality = index.quality.values(template, plan.now);
  const formula = qualityFormula(template, plan.now);
  const scores = arrays.doubles(candidates.count);
  const { rows, text, behind } = candidates;
  const about = [0, 1, 2].map((step) => aboutFactor(template, step));
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    const row = rows[slot]!;
    let factor = quality[row] ?? Number.NaN;
    if (Number.isNaN(factor)) {
      factor = qualityFactor(formula, index.columns.signalsOf(row));
      quality[row] = factor;
    }
    scores[slot] = (text ? (text[slot] ?? 0) : 1) * (behind ? about[behind[slot]!]! : 1) * factor;
  }
  multiplyRules(scores, { index, plan, candidates, slots });
  return scores;
}

/** What the store's rules boost and bury. */
function multiplyRules(
  scores: Float64Array,
  { index: { columns }, plan, candidates, slots }: Pick<OrderRequest, 'index' | 'plan' | 'candidates' | 'slots'>,
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
function above({ index, candidates }: OrderRequest, keys: Float64Array, tiered: boolean): Above {
  const { tiers, rows } = candidates;
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
function sortKeys({ index, plan, candidates, slots, arrays }: OrderRequest): Float64Array {
  const keys = arrays.doubles(candidates.count).fill(0);
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
