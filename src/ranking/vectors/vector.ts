import { EVIDENCE_KINDS, type EvidenceKind, type EvidenceWeights } from './evidence';
import { momentOf, powerOfTwo } from './decay';

/** Milliseconds after which evidence weighs half (store setting `halfLife`); clicks, views and searches share `view`. */
export interface HalfLives {
  transaction: number;
  cart: number;
  view: number;
}

/**
 * A shopper's behaviour, plain JSON. Sums per (feature, kind) are decayed counts against an exponent of their own
 * (decay.ts); evidence weights, curves and strength apply at read, so a new template needs no rebuild.
 */
export interface BehaviourVector {
  v: 1;
  halfLife: HalfLives;
  /** The last event aggregated in; 0: none. */
  seq: number;
  /** The latest time among them, epoch ms. */
  at: number;
  /** Feature -> cells, `CELL` numbers each, by kind. */
  cells: Record<string, number[]>;
  /** How many features `cells` has. */
  features: number;
  /** All evidence, whatever its features: one run of cells. */
  total: number[];
  /** `price:<top category>` -> price cells, `PRICE_CELL` numbers each, by kind. */
  prices: Record<string, number[]>;
  /** Product ids of the last cart snapshot, and its time. */
  cart: { at: number; ids: string[] };
  /** Latest clicks and page views without their counterpart: product id, kind's number, time. */
  visits: [productId: string, kind: number, at: number][];
}

/** A cell: kind's number, decayed sum, exponent, count, time of the latest. */
export const CELL = 5;
/** A price cell: kind's number, exponent, and decayed sums of 1, ln price and its square. */
export const PRICE_CELL = 5;

/** Stored in vectors: the order of the kinds may not change. */
export const KIND_NUMBER = Object.fromEntries(EVIDENCE_KINDS.map((kind, number) => [kind, number])) as Readonly<
  Record<EvidenceKind, number>
>;

export function halfLifeOf(kind: EvidenceKind, halfLife: HalfLives): number {
  return kind === 'transaction' ? halfLife.transaction : kind === 'cart' ? halfLife.cart : halfLife.view;
}

export function emptyVector(halfLife: HalfLives): BehaviourVector {
  const { transaction, cart, view } = halfLife;
  return {
    v: 1,
    halfLife: { transaction, cart, view },
    seq: 0,
    at: 0,
    cells: {},
    features: 0,
    total: [],
    prices: {},
    cart: { at: 0, ids: [] },
    visits: [],
  };
}

/** Less evidence than this is only what rounding left of evidence that was taken back. */
const LEAST_EVIDENCE = 1e-9;

/** What each kind's sums are worth now: reading a cell is one multiplication. */
function readingAt(vector: BehaviourVector, evidence: EvidenceWeights, now: number) {
  const moments = EVIDENCE_KINDS.map((kind) => momentOf(now, halfLifeOf(kind, vector.halfLife)));
  return {
    whole: moments.map((moment) => moment.whole),
    worth: EVIDENCE_KINDS.map((kind, index) => evidence[kind] / (moments[index]?.fraction ?? 1)),
  };
}

function cellsWorth(cells: readonly number[], reading: ReturnType<typeof readingAt>): number {
  let worth = 0;
  for (let at = 0; at < cells.length; at += CELL) {
    const kind = cells[at] ?? 0;
    worth +=
      (cells[at + 1] ?? 0) * powerOfTwo((cells[at + 2] ?? 0) - (reading.whole[kind] ?? 0)) * (reading.worth[kind] ?? 0);
  }
  return worth;
}

/** The evidence for every feature as of `now`. `n`: known evidence in all, a bought item now being 1. */
export function decayWeights(
  vector: BehaviourVector,
  evidence: EvidenceWeights,
  now: number,
): { n: number; weights: Map<string, number> } {
  const reading = readingAt(vector, evidence, now);
  const weights = new Map<string, number>();
  for (const feature in vector.cells) {
    const worth = cellsWorth(vector.cells[feature] ?? [], reading);
    if (worth > LEAST_EVIDENCE) weights.set(feature, worth);
  }
  return { n: cellsWorth(vector.total, reading), weights };
}

/** Of ln price, weighed by evidence: what a mean and a spread are made of. */
export interface PriceMoments {
  weight: number;
  sum: number;
  squares: number;
}

/** The prices a shopper looked at and paid, per top category. */
export function priceMoments(
  vector: BehaviourVector,
  evidence: EvidenceWeights,
  now: number,
): (PriceMoments & { category: string })[] {
  const reading = readingAt(vector, evidence, now);
  return Object.entries(vector.prices).map(([name, cells]) => {
    let [weight, sum, squares] = [0, 0, 0];
    for (let at = 0; at < cells.length; at += PRICE_CELL) {
      const kind = cells[at] ?? 0;
      const worth = powerOfTwo((cells[at + 1] ?? 0) - (reading.whole[kind] ?? 0)) * (reading.worth[kind] ?? 0);
      weight += (cells[at + 2] ?? 0) * worth;
      sum += (cells[at + 3] ?? 0) * worth;
      squares += (cells[at + 4] ?? 0) * worth;
    }
    return { category: name.slice('price:'.length), weight, sum, squares };
  });
}

/** The prices a shopper goes for, per top category: mean and standard deviation of ln price, and the evidence they rest on. */
export function priceTastes(
  vector: BehaviourVector,
  evidence: EvidenceWeights,
  now: number,
): { category: string; mean: number; spread: number; weight: number }[] {
  return priceMoments(vector, evidence, now).flatMap(({ category, ...moments }) => {
    const taste = priceTaste(moments);
    return taste ? [{ category, ...taste, weight: moments.weight }] : [];
  });
}

/** Null: nothing is known. */
export function priceTaste({ weight, sum, squares }: PriceMoments): { mean: number; spread: number } | null {
  if (!(weight > LEAST_EVIDENCE)) return null;
  const mean = sum / weight;
  return { mean, spread: Math.sqrt(Math.max(0, squares / weight - mean * mean)) };
}

/** Whether the shopper bought the product, rather than only looked at it. */
export function hasBought(vector: BehaviourVector, feature: string): boolean {
  const cells = vector.cells[feature] ?? [];
  for (let at = 0; at < cells.length; at += CELL) {
    if (cells[at] === KIND_NUMBER.transaction && (cells[at + 1] ?? 0) > LEAST_EVIDENCE) return true;
  }
  return false;
}

/** Where a feature's weight came from, for inspection: events counted and the time of the latest (epoch ms), by kind. */
export function featureSources(
  vector: BehaviourVector,
  feature: string,
): { event: EvidenceKind; count: number; last: number }[] {
  const cells = vector.cells[feature] ?? [];
  const sources: { event: EvidenceKind; count: number; last: number }[] = [];
  for (let at = 0; at < cells.length; at += CELL) {
    const event = EVIDENCE_KINDS[cells[at] ?? 0];
    if (event) sources.push({ event, count: cells[at + 3] ?? 0, last: cells[at + 4] ?? 0 });
  }
  return sources;
}

/** Whether there ever was an event of one of these kinds. */
export function hasEvidenceOf({ total }: BehaviourVector, kinds: readonly EvidenceKind[]): boolean {
  const numbers = new Set(kinds.map((kind) => KIND_NUMBER[kind]));
  for (let at = 0; at < total.length; at += CELL) if (numbers.has(total[at] ?? -1)) return true;
  return false;
}

/** Ids of the products a shopper had to do with lately, latest first; a search's many results do not count as such. */
export function latestProducts(vector: BehaviourVector, limit: number): string[] {
  const found: { id: string; last: number }[] = [];
  for (const feature in vector.cells) {
    if (!feature.startsWith('product:')) continue;
    const cells = vector.cells[feature] ?? [];
    let last = -Infinity;
    for (let at = 0; at < cells.length; at += CELL) {
      if (cells[at] !== KIND_NUMBER.search) last = Math.max(last, cells[at + 4] ?? 0);
    }
    if (last > -Infinity) found.push({ id: feature.slice('product:'.length), last });
  }
  found.sort((a, b) => b.last - a.last || (a.id < b.id ? -1 : 1));
  return found.slice(0, limit).map((product) => product.id);
}
