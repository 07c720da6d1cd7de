import { boostsOf } from '../../test/builders/an-engine-document';
import { PackedBoosts } from './packed-boosts';

const boosts = {
  ...boostsOf({ 'product:1': 0.75, 'brand:ação "x"': 1 / 3, 'category:a\nb': 1e-9 }),
  affinities: new Map([
    ['product:1', 0.5],
    ['brand:ação "x"', 2 / 3],
    ['category:a\nb', 7],
  ]),
};

describe('PackedBoosts', () => {
  it('gives back every name and number to the bit, in the same order', () => {
    const packed = PackedBoosts.of(boosts);
    expect(packed.plain()).toEqual(boosts);
    expect([...packed.featureWeights]).toEqual([...boosts.featureWeights]);
    expect([...packed.affinities]).toEqual([...boosts.affinities]);
    expect(packed.size).toBe(3);
  });

  it('keeps tastes in prices, and is not packed twice', () => {
    const prices = new Map([['moda', { mean: Math.LN2, spread: 0.3, add: 0.7 }]]);
    const packed = PackedBoosts.of({ ...boosts, prices });
    expect(packed.plain()).toEqual({ ...boosts, prices });
    expect(PackedBoosts.of(packed)).toBe(packed);
  });

  it('can be sent to another thread', () => {
    expect(structuredClone(PackedBoosts.of(boosts).plain())).toEqual(boosts);
  });
});
