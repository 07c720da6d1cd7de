import type { EngineResult } from '../../../search-engine';
import { deflated, receiveResult, sendFacets, type SentFacets } from './sent-result';

const brands = (count: number): EngineResult['facets'] => ({
  brand: {
    kind: 'brand',
    of: count,
    values: Array.from({ length: count }, (_, brand) => ({
      key: `brand ${brand}`,
      label: `Brand ${brand}`,
      parent: null,
      idO: `brand ${brand}`,
      size: (brand * 7919) % 500,
    })),
  },
});

const received = (sent: SentFacets): EngineResult['facets'] =>
  receiveResult({ total: 0, hits: [], execution: 'kept', ...sent }).facets;

test.each([0, 3, 1000])('facets of %i values are the same when they were kept', (count) => {
  const facets = brands(count);
  const sent = sendFacets(facets);
  const kept = deflated(sent);
  expect(kept.facetsName).toBe(sent.facetsName);
  expect(received(sent)).toEqual(facets);
  expect(received(kept)).toEqual(facets);
});

test('many facets take less memory where they are kept, and no part of a larger buffer', () => {
  const sent = sendFacets(brands(1000));
  const { facets } = deflated(sent);
  expect(facets.length).toBeLessThan(sent.facets.length / 3);
  expect(facets.buffer.byteLength).toBe(facets.length);
});
