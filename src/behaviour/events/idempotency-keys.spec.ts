import fc from 'fast-check';
import { canonicalJson } from './idempotency-keys';

const shuffled = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
};

describe('the canonical JSON of a body', () => {
  it('is the same whatever the order of keys, and holds all there is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is what JSON makes of sorted copies', () => {
    const copied = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(copied);
      const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted.map(([key, inner]) => [key, copied(inner)]));
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value);
        expect(canonicalJson(value)).toBe(JSON.stringify(copied(value)));
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it('sorts the keys at every depth', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: { z: 1, y: 2 } })).toBe('{"a":{"y":2,"z":1},"b":[{"c":2,"d":1}]}');
  });
});
