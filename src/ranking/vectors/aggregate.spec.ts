import * as fc from 'fast-check';
import { productFeatures } from './features';
import { momentOf, powerOfTwo, shift } from './decay';
import { EVIDENCE_KINDS, type EvidenceEvent, type EvidenceKind, type EvidenceWeights } from './evidence';
import { aggregateEvents } from './aggregate';
import { type BehaviourVector, decayWeights, emptyVector, featureSources, latestProducts, priceTastes } from './vector';

const DAY = 86_400_000;
const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };
const evidence: EvidenceWeights = {
  transaction: 1,
  cart: 0.5,
  click: 0.25,
  product: 0.125,
  category: 0.06,
  search: 0.06,
};

const product = (id: string) =>
  productFeatures({ id, name: `thing ${id}`, brand: `b${id}`, categories: [['Top', 'Leaf']], price: 10 + id.length });

function event(seq: number, kind: EvidenceKind, at: number, ids: string[]): EvidenceEvent {
  return { seq, kind, at, items: ids.map((id) => ({ product: product(id) })) };
}

const aggregate = (...events: EvidenceEvent[]): BehaviourVector => aggregateEvents(emptyVector(halfLife), events);
const stored = (vector: BehaviourVector): BehaviourVector => JSON.parse(JSON.stringify(vector)) as BehaviourVector;
const weight = (vector: BehaviourVector, feature: string, now = START): number =>
  decayWeights(vector, evidence, now).weights.get(feature) ?? 0;

const anyEvents = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...EVIDENCE_KINDS),
      // From minutes to millennia of half-lives apart, out of order, and repeated.
      at: fc.oneof(fc.integer({ min: 0, max: 90 * MINUTE }), fc.integer({ min: 0, max: 400 * DAY }), fc.nat(1e14)),
      ids: fc.array(fc.constantFrom('1', '2', '3', '4'), { maxLength: 4 }),
    }),
    { maxLength: 40 },
  )
  .map((rows) => rows.map(({ kind, at, ids }, index) => event(index + 1, kind, START + at, ids)));

describe('folding a log into a behaviour vector', () => {
  it('gives the same bits at once, in stored parts, in place and with repeats', () => {
    fc.assert(
      fc.property(anyEvents, fc.array(fc.nat(40), { maxLength: 6 }), (events, cuts) => {
        const whole = aggregate(...events);
        let vector = emptyVector(halfLife);
        for (const cut of [...cuts.sort((a, b) => a - b), events.length]) {
          vector = aggregateEvents(stored(vector), events.slice(Math.max(0, vector.seq - 2), cut));
        }
        expect(JSON.stringify(vector)).toBe(JSON.stringify(whole));
        const now = START + 500 * DAY;
        expect([...decayWeights(stored(whole), evidence, now).weights]).toEqual([
          ...decayWeights(vector, evidence, now).weights,
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it('never overflows, never goes negative and counts its features', () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(1e14), (events, later) => {
        const vector = aggregate(...events);
        expect(vector.features).toBe(Object.keys(vector.cells).length);
        for (const value of decayWeights(vector, evidence, START + later).weights.values()) {
          expect(Number.isFinite(value) && value > 0).toBe(true);
        }
      }),
    );
  });

  it('leaves the vector it was given as it was', () => {
    const before = aggregate(event(1, 'click', START, ['1']));
    const copy = JSON.stringify(before);
    aggregateEvents(before, [event(2, 'product', START + MINUTE, ['1']), event(3, 'cart', START, ['2'])]);
    expect(JSON.stringify(before)).toBe(copy);
  });

  it('halves a bought item in the half-life of transactions, a view in its own', () => {
    const vector = aggregate(event(1, 'transaction', START, ['1']), event(2, 'product', START, ['2']));
    expect(weight(vector, 'brand:b1')).toBeCloseTo(1, 12);
    expect(weight(vector, 'brand:b1', START + 180 * DAY)).toBeCloseTo(0.5, 12);
    expect(weight(vector, 'brand:b2', START + 14 * DAY)).toBeCloseTo(0.0625, 12);
    expect(decayWeights(vector, evidence, START).n).toBeCloseTo(1.125, 12);
  });

  it('keeps the weakest features out when a vector is full, whenever it was stored', () => {
    const events = Array.from({ length: 1500 }, (_, index) =>
      event(index + 1, 'product', START + index * MINUTE, [`${index}`]),
    );
    const whole = aggregate(...events);
    expect(whole.features).toBeLessThanOrEqual(4096);
    expect(whole.features).toBe(Object.keys(whole.cells).length);
    expect(whole.cells['product:1499']).toBeDefined();
    const parts = aggregateEvents(stored(aggregate(...events.slice(0, 1111))), events);
    expect(JSON.stringify(parts)).toBe(JSON.stringify(whole));
  });
});

describe('a vector that is full', () => {
  const names = (vector: BehaviourVector): string[] =>
    Object.keys(vector.cells).filter((name) => name.startsWith('tag:'));
  const tags = (seq: number, at: number, from: number, to: number): EvidenceEvent => {
    const f = Array.from({ length: to - from }, (_, index) => `tag:${String(from + index).padStart(4, '0')}`);
    return { seq, kind: 'product', at, items: [{ product: { id: `${seq}`, f, t: 'top' } }] };
  };

  it('keeps the 3584 that weigh most, and of equal weight those whose names come first', () => {
    const older = tags(1, START, 2000, 4500);
    const newer = tags(2, START + DAY, 0, 2000);
    expect(names(aggregate(older)).length).toBe(2500);
    // Both events' products are features, too: the newer is among the strong, the older, `product:1`, before any tag of its own weight.
    const kept = names(aggregate(older, newer)).sort();
    expect(kept).toEqual(Array.from({ length: 3582 }, (_, index) => `tag:${String(index).padStart(4, '0')}`));
  });

  it('keeps those that count more than once of the old ones', () => {
    const kept = names(aggregate(tags(1, START, 4000, 4100), tags(2, START, 0, 4000), tags(3, START, 4000, 4100)));
    expect(kept).toContain('tag:4000');
    expect(kept).toContain('tag:4099');
    expect(kept).not.toContain('tag:3999');
  });
});

describe('rules of evidence', () => {
  it('counts a bought product once an order, however many lines and pieces', () => {
    expect(weight(aggregate(event(1, 'transaction', START, ['1', '1'])), 'product:1')).toBeCloseTo(1, 12);
  });

  it('counts of a cart only what is new since the last snapshot', () => {
    const vector = aggregate(
      event(1, 'cart', START, ['1']),
      event(2, 'cart', START, ['1', '2']),
      event(3, 'cart', START, ['1', '2']),
    );
    expect(weight(vector, 'product:1')).toBeCloseTo(0.5, 12);
    expect(weight(vector, 'product:2')).toBeCloseTo(0.5, 12);
  });

  it('counts a product anew that left the cart and came back, or that was bought', () => {
    const left = aggregate(event(1, 'cart', START, ['1']), event(2, 'cart', START, []), event(3, 'cart', START, ['1']));
    expect(weight(left, 'product:1')).toBeCloseTo(1, 12);
    const bought = aggregate(
      event(1, 'cart', START, ['1']),
      event(2, 'transaction', START, ['1']),
      event(3, 'cart', START, ['1']),
    );
    expect(weight(bought, 'product:1')).toBeCloseTo(2, 12);
  });

  it('is not led by a cart snapshot that arrives late', () => {
    const vector = aggregate(
      event(1, 'cart', START, ['1', '2']),
      event(2, 'cart', START - MINUTE, ['1']),
      event(3, 'cart', START, ['1', '2']),
    );
    expect(weight(vector, 'product:2')).toBeCloseTo(0.5, 12);
  });

  it.each([
    ['before', 1, 2],
    ['after', 2, 1],
  ])('counts only the click where the page view it caused was recorded %s it', (_, click, view) => {
    const events = [event(click, 'click', START, ['1']), event(view, 'product', START + MINUTE, ['1'])];
    const vector = aggregate(...events.sort((a, b) => a.seq - b.seq));
    expect(weight(vector, 'product:1')).toBe(0.25);
    expect(featureSources(vector, 'product:1')).toEqual([{ event: 'click', count: 1, last: START }]);
    expect(priceTastes(vector, evidence, START)).toMatchObject([{ category: 'top', weight: 0.25 }]);
  });

  it('counts a page view after 30 minutes, of another product, or before the click', () => {
    const late = aggregate(event(1, 'click', START, ['1']), event(2, 'product', START + 31 * MINUTE, ['1']));
    const other = aggregate(event(1, 'click', START, ['2']), event(2, 'product', START, ['1']));
    const earlier = aggregate(event(1, 'product', START - 5 * MINUTE, ['1']), event(2, 'click', START, ['1']));
    expect(featureSources(late, 'product:1')).toHaveLength(2);
    expect(featureSources(other, 'product:1')).toHaveLength(1);
    expect(featureSources(earlier, 'product:1')).toHaveLength(2);
  });

  it('takes a search as one piece of evidence, however much it found', () => {
    const vector = aggregate(event(1, 'search', START, ['1', '2', '3']));
    expect(decayWeights(vector, evidence, START).n).toBeCloseTo(0.06, 12);
    expect(weight(vector, 'product:1')).toBeCloseTo(0.02, 12);
    expect(latestProducts(vector, 10)).toEqual([]);
  });

  it('counts a looked at category by its features', () => {
    const vector = aggregate({
      seq: 1,
      at: START,
      kind: 'category',
      items: [],
      features: ['category:top', 'category:top/leaf'],
    });
    expect(weight(vector, 'category:top/leaf')).toBeCloseTo(0.06, 12);
    expect(decayWeights(vector, evidence, START).n).toBeCloseTo(0.06, 12);
  });

  it('names the latest products first', () => {
    const vector = aggregate(
      event(1, 'click', START + 2, ['3']),
      event(2, 'cart', START, ['1']),
      event(3, 'click', START + 1, ['2']),
    );
    expect(latestProducts(vector, 2)).toEqual(['3', '2']);
  });
});

describe('decay arithmetic', () => {
  it('has exact powers of two and moves sums without losing a bit', () => {
    expect(powerOfTwo(10)).toBe(1024);
    expect(powerOfTwo(-1)).toBe(0.5);
    expect(powerOfTwo(-2000)).toBe(0);
    expect(shift(1 / 3, 5, 105) * 2 ** 100).toBe(1 / 3);
    expect(shift(1, 0, 201)).toBe(0);
  });

  it('splits a time into whole half-lives and the rest', () => {
    expect(momentOf(2.5 * DAY, DAY)).toEqual({ whole: 2, fraction: Math.SQRT2 });
  });
});
