import { productFeature, type ProductFeatures } from './features';
import { type Moment, momentOf, powerOfTwo, shift } from './decay';
import { EVIDENCE_KINDS, type EvidenceEvent, type EvidenceKind } from './evidence';
import { type BehaviourVector, CELL, halfLifeOf, KIND_NUMBER, PRICE_CELL } from './vector';

/** A vector holds at most this many features. The weakest are cut while events are aggregated, not when a job runs. */
const MOST_FEATURES = 4096;
const FEATURES_AFTER_CUT = 3584;
/** Contract: of a click and the page view it causes within 30 minutes only the stronger counts. */
const CLICK_CAUSES_VIEW_WITHIN = 30 * 60_000;
/** Click and page view are sent by different pages at once: their clocks and order may be this far apart. */
const CLOCK_SLACK = 60_000;
const MOST_VISITS = 32;
/** Strength for the cut; fixed, because a template's evidence may change without a rebuild. */
const CUT_WEIGHTS: readonly number[] = [1, 0.5, 0.25, 0.125, 0.06, 0.06];

/**
 * Aggregates events onto a copy of a vector. Events come in sequence order; those already in it are passed
 * over, so aggregating twice changes nothing. The result depends on the sequence alone: the same bits come out whether the
 * log is aggregated at once or in any number of stored parts.
 */
export function aggregateEvents(before: BehaviourVector, events: readonly EvidenceEvent[]): BehaviourVector {
  const { cells, prices, visits } = before;
  const vector = { ...before, cells: { ...cells }, prices: { ...prices }, visits: [...visits] };
  for (const event of events) {
    if (event.seq <= vector.seq) continue;
    aggregateEvent(vector, event);
    vector.seq = event.seq;
    vector.at = Math.max(vector.at, event.at);
    if (vector.features > MOST_FEATURES) cutWeakest(vector);
  }
  return vector;
}

/** One kind of evidence at one moment; `sign` -1 takes back what was counted before. */
interface CountedEvidence {
  kind: number;
  moment: Moment;
  at: number;
  amount: number;
  sign: 1 | -1;
}

function aggregateEvent(vector: BehaviourVector, event: EvidenceEvent): void {
  const evidence = evidenceOf(vector, event, 1);
  const products = countedProducts(vector, event);
  // What a search led to is one piece of evidence, however many products that is.
  if (event.kind === 'search') evidence.amount = 1 / Math.max(1, products.length);
  for (const product of products) countProduct(vector, product, evidence);
  if (event.features && event.features.length > 0) {
    vector.total = changed(vector.total, evidence) ?? [];
    for (const feature of event.features) countFeature(vector, feature, evidence);
  }
}

function evidenceOf(vector: BehaviourVector, event: Pick<EvidenceEvent, 'at' | 'kind'>, sign: 1 | -1): CountedEvidence {
  const moment = momentOf(event.at, halfLifeOf(event.kind, vector.halfLife));
  return { kind: KIND_NUMBER[event.kind], moment, at: event.at, amount: 1, sign };
}

/** The event's products, each once, that count under the rules for carts, clicks and views. */
function countedProducts(vector: BehaviourVector, event: EvidenceEvent): ProductFeatures[] {
  const products = [...new Map(event.items.map((item) => [item.product.id, item.product])).values()];
  if (event.kind === 'cart') return newInCart(vector, event.at, products);
  if (event.kind === 'transaction') {
    const bought = new Set(products.map((product) => product.id));
    vector.cart = { at: vector.cart.at, ids: vector.cart.ids.filter((id) => !bought.has(id)) };
  }
  if (event.kind === 'click') for (const product of products) takeBackView(vector, event.at, product);
  if (event.kind === 'product') return products.filter((product) => !causedByClick(vector, event.at, product.id));
  return products;
}

/** Stores send the whole cart on every change: only what the last snapshot did not have is news. */
function newInCart(vector: BehaviourVector, at: number, products: ProductFeatures[]): ProductFeatures[] {
  const known = new Set(vector.cart.ids);
  // A snapshot that arrives late says nothing about what the cart holds now.
  if (at >= vector.cart.at) vector.cart = { at, ids: products.map((product) => product.id) };
  return products.filter((product) => !known.has(product.id));
}

function causes(clickAt: number, viewAt: number): boolean {
  const later = viewAt - clickAt;
  return later >= -CLOCK_SLACK && later <= CLICK_CAUSES_VIEW_WITHIN;
}

/** True where a click led to this page view: the click has counted already, and it is the stronger. */
function causedByClick(vector: BehaviourVector, viewAt: number, productId: string): boolean {
  const clickAt = takeVisit(vector, productId, 'click', (at) => causes(at, viewAt));
  if (clickAt === undefined) remember(vector, productId, 'product', viewAt);
  return clickAt !== undefined;
}

/** A click whose page view came before it takes back the view, which is weaker. */
function takeBackView(vector: BehaviourVector, clickAt: number, product: ProductFeatures): void {
  const viewAt = takeVisit(vector, product.id, 'product', (at) => causes(clickAt, at));
  if (viewAt === undefined) remember(vector, product.id, 'click', clickAt);
  else countProduct(vector, product, evidenceOf(vector, { at: viewAt, kind: 'product' }, -1));
}

/** Forgets the first visit that fits, and answers its time. */
function takeVisit(
  { visits }: BehaviourVector,
  productId: string,
  kind: EvidenceKind,
  fits: (at: number) => boolean,
): number | undefined {
  const index = visits.findIndex(([id, own, at]) => id === productId && own === KIND_NUMBER[kind] && fits(at));
  return index < 0 ? undefined : visits.splice(index, 1)[0]?.[2];
}

function remember(vector: BehaviourVector, productId: string, kind: EvidenceKind, at: number): void {
  vector.visits.push([productId, KIND_NUMBER[kind], at]);
  if (vector.visits.length > MOST_VISITS) vector.visits.shift();
}

function countProduct(vector: BehaviourVector, product: ProductFeatures, evidence: CountedEvidence): void {
  vector.total = changed(vector.total, evidence) ?? [];
  countFeature(vector, productFeature(product.id), evidence);
  for (const feature of product.f) countFeature(vector, feature, evidence);
  if (product.p !== undefined) countPrice(vector, `price:${product.t}`, Math.log(product.p), evidence);
}

function countFeature(vector: BehaviourVector, feature: string, evidence: CountedEvidence): void {
  const cells = vector.cells[feature];
  const next = changed(cells ?? [], evidence);
  if (next) vector.cells[feature] = next;
  else delete vector.cells[feature];
  vector.features += (next ? 1 : 0) - (cells ? 1 : 0);
}

/** The cells after this evidence; undefined where none is left. */
function changed(cells: readonly number[], evidence: CountedEvidence): number[] | undefined {
  const { kind, moment, amount, sign } = evidence;
  let at = 0;
  while (at < cells.length && cells[at] !== kind) at += CELL;
  if (at === cells.length) {
    // Not pushed: an array that grows keeps room for three more cells, of which there are hundreds in a vector.
    const next = sign > 0 ? cells.concat([kind, amount * moment.fraction, moment.whole, 1, evidence.at]) : [...cells];
    return next.length > 0 ? next : undefined;
  }
  const next = [...cells];
  const own = next[at + 2] ?? 0;
  const exponent = Math.max(own, moment.whole);
  const sum = shift(next[at + 1] ?? 0, own, exponent) + sign * amount * shift(moment.fraction, moment.whole, exponent);
  const count = (next[at + 3] ?? 0) + sign;
  next[at + 1] = Math.max(0, sum);
  next[at + 2] = exponent;
  next[at + 3] = count;
  next[at + 4] = Math.max(next[at + 4] ?? 0, evidence.at);
  // Rounding could leave a trace of evidence that was taken back.
  if (count <= 0) next.splice(at, CELL);
  return next.length > 0 ? next : undefined;
}

function countPrice(vector: BehaviourVector, name: string, logPrice: number, evidence: CountedEvidence): void {
  const { kind, moment, sign, amount } = evidence;
  const cells = vector.prices[name] ?? [];
  let at = 0;
  while (at < cells.length && cells[at] !== kind) at += PRICE_CELL;
  const next = at === cells.length ? cells.concat([kind, moment.whole, 0, 0, 0]) : [...cells];
  const own = next[at + 1] ?? 0;
  const exponent = Math.max(own, moment.whole);
  const added = sign * amount * shift(moment.fraction, moment.whole, exponent);
  const sums = [added, added * logPrice, added * logPrice * logPrice];
  next[at + 1] = exponent;
  sums.forEach((sum, index) => (next[at + 2 + index] = shift(next[at + 2 + index] ?? 0, own, exponent) + sum));
  vector.prices[name] = next;
}

/** Keeps the strongest features as of the vector's own latest event. */
function cutWeakest(vector: BehaviourVector): void {
  const now = EVIDENCE_KINDS.map((kind) => momentOf(vector.at, halfLifeOf(kind, vector.halfLife)));
  const strength = (cells: readonly number[]): number => {
    let sum = 0;
    for (let at = 0; at < cells.length; at += CELL) {
      const kind = cells[at] ?? 0;
      const age = (cells[at + 2] ?? 0) - (now[kind]?.whole ?? 0);
      sum += ((cells[at + 1] ?? 0) * powerOfTwo(age) * (CUT_WEIGHTS[kind] ?? 0)) / (now[kind]?.fraction ?? 1);
    }
    return sum;
  };
  // Strengths are sorted as bare numbers, and only names of equal strength are compared: a vector is cut with nearly every large cart.
  const names = Object.keys(vector.cells);
  const strengths = Float64Array.from(names, (name) => strength(vector.cells[name] ?? []));
  const weakestKept = strengths.toSorted()[names.length - FEATURES_AFTER_CUT] ?? 0;
  const equal = names.filter((_, index) => strengths[index] === weakestKept).sort();
  const stronger = strengths.reduce((count, own) => count + (own > weakestKept ? 1 : 0), 0);
  const cut = new Set(equal.slice(FEATURES_AFTER_CUT - stronger));
  names.forEach((name, index) => {
    if ((strengths[index] ?? 0) < weakestKept || cut.has(name)) delete vector.cells[name];
  });
  vector.features = FEATURES_AFTER_CUT;
}
