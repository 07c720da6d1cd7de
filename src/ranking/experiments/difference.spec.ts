import { Dice } from '../../../test/support/dice';
import { type Difference, differenceFromZero, differenceOf, isDifferent, sampleOf } from './difference';

const ones = (count: number, share: number): number[] =>
  Array.from({ length: count }, (_, index) => Number(index < count * share));
const signs = (up: number, down: number): number[] => [
  ...Array.from({ length: up }, () => 1),
  ...Array.from({ length: down }, () => -1),
];
const between = (one: number[], other: number[]): Difference => differenceOf(sampleOf(one), sampleOf(other))!;

describe('sampleOf', () => {
  it('is the mean and the unbiased variance', () => {
    expect(sampleOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ count: 8, mean: 5, variance: 32 / 7 });
    expect(sampleOf([])).toEqual({ count: 0, mean: 0, variance: 0 });
  });

  it('keeps what is small beside what is large', () => {
    expect(sampleOf([1e9 + 1, 1e9 + 2, 1e9 + 3]).variance).toBeCloseTo(1, 6);
  });
});

describe('differenceOf', () => {
  // Of 1000 and 2000 shoppers, worked out apart: by Welch, and by the confidence sequence as its authors write it.
  it('has the intervals of the formulas', () => {
    const { difference, interval, alwaysValid, pValue } = between(ones(1000, 0.25), ones(2000, 0.2));
    expect(difference).toBeCloseTo(0.05, 12);
    expect(interval[0]).toBeCloseTo(0.017930310817, 9);
    expect(interval[1]).toBeCloseTo(0.082069689183, 9);
    expect(alwaysValid[0]).toBeCloseTo(-0.002353894605, 9);
    expect(alwaysValid[1]).toBeCloseTo(0.102353894605, 9);
    expect(pValue).toBeCloseTo(0.068640848256, 9);
  });

  it('calls a difference exactly where its p-value is below 0.05', () => {
    for (let share = 0.2; share < 0.3; share += 0.005) {
      const found = between(ones(1000, share), ones(2000, 0.2));
      expect(isDifferent(found)).toBe(found.pValue < 0.05);
    }
  });

  it('says nothing of a handful, nor where everybody is the same', () => {
    expect(differenceOf(sampleOf(ones(20, 0.5)), sampleOf(ones(1000, 0.5)))).toBeNull();
    expect(differenceOf(sampleOf(ones(100, 0)), sampleOf(ones(100, 0)))).toBeNull();
  });

  it('is fooled by looking every hundred shoppers in at most 5 of 100 experiments; the usual interval in far more', () => {
    const dice = new Dice(7);
    const RUNS = 200;
    let [valid, usual] = [0, 0];
    for (let run = 0; run < RUNS; run += 1) {
      const groups: [number[], number[]] = [[], []];
      let [fooled, fooledUsually] = [false, false];
      for (let at = 1; at <= 2000; at += 1) {
        for (const group of groups) group.push(Number(dice.below(10) === 0));
        if (at % 100 > 0) continue;
        const found = between(...groups);
        fooled ||= isDifferent(found);
        fooledUsually ||= found.interval[0] > 0 || found.interval[1] < 0;
      }
      valid += Number(fooled);
      usual += Number(fooledUsually);
    }
    expect(valid).toBeLessThanOrEqual(0.05 * RUNS);
    expect(usual).toBeGreaterThan(0.1 * RUNS);
  });
});

describe('differenceFromZero', () => {
  // Worked out apart, by the same formulas with one group.
  it('has the intervals of one group', () => {
    const { difference, interval, alwaysValid, pValue } = differenceFromZero(sampleOf(signs(600, 400)))!;
    expect(difference).toBeCloseTo(0.2, 12);
    expect(interval[0]).toBeCloseTo(0.139242350606, 9);
    expect(alwaysValid[0]).toBeCloseTo(0.105910432473, 9);
    expect(pValue).toBeLessThan(0.05);
  });

  it('says nothing of a handful, nor where everybody prefers the same', () => {
    expect(differenceFromZero(sampleOf(signs(20, 5)))).toBeNull();
    expect(differenceFromZero(sampleOf(signs(50, 0)))).toBeNull();
  });
});
