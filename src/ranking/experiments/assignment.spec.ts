import { CONTROL, expectedShares, groupOf, hashedFraction, HOLDOUT, type Split } from './assignment';
import { splitCheck } from './split-check';

const PEOPLE = 50_000;
const split: Split = {
  holdout: 10,
  variants: [
    { name: 'bold', share: 40 },
    { name: 'soft', share: 20 },
  ],
};
const assigned = (index: number, experiment = 'one') => ({ store: 's1', experiment, shopper: `u:${index}` });
const everybody = Array.from({ length: PEOPLE }, (_, index) => index);

function counts(names: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

describe('who is in which part of an experiment', () => {
  it('is the same whenever it is asked', () => {
    expect(groupOf(assigned(7), split)).toBe(groupOf(assigned(7), split));
  });

  it('divides shoppers as the shares say', () => {
    const expected = expectedShares(split);
    expect([...expected].map(([name, share]) => [name, Number(share.toFixed(9))])).toEqual([
      [CONTROL, 0.36],
      ['bold', 0.36],
      ['soft', 0.18],
      [HOLDOUT, 0.1],
    ]);
    const found = counts(everybody.map((index) => groupOf(assigned(index), split)));
    const parts = [...expected].map(([name, share]) => ({ share, found: found.get(name) ?? 0 }));
    expect(splitCheck(parts).pValue).toBeGreaterThan(0.001);
  });

  it.each(['holdout', 'variant'] as const)(
    'is uniform over all of 0 to 1 (%s), ids that follow each other too',
    (purpose) => {
      const found = counts(
        everybody.map((index) => String(Math.floor(100 * hashedFraction(assigned(index), purpose)))),
      );
      const parts = Array.from({ length: 100 }, (_, tenth) => ({ share: 0.01, found: found.get(String(tenth)) ?? 0 }));
      expect(splitCheck(parts).pValue).toBeGreaterThan(0.001);
    },
  );

  it('is independent from one experiment to the next, from one store to the next, and of the holdout', () => {
    const half = (fraction: number): number => Math.floor(2 * fraction);
    const others = [
      (index: number) => hashedFraction(assigned(index, 'two'), 'variant'),
      (index: number) => hashedFraction({ ...assigned(index), store: 's2' }, 'variant'),
      (index: number) => hashedFraction(assigned(index), 'holdout'),
    ];
    for (const other of others) {
      const pairs = everybody.map(
        (index) => `${half(hashedFraction(assigned(index), 'variant'))}${half(other(index))}`,
      );
      const found = counts(pairs);
      const parts = ['00', '01', '10', '11'].map((pair) => ({ share: 0.25, found: found.get(pair) ?? 0 }));
      expect(splitCheck(parts).pValue).toBeGreaterThan(0.001);
    }
  });

  it('keeps the holdout whatever the variants are, and a larger one holds those of a smaller one', () => {
    for (const index of everybody.slice(0, 5000)) {
      const isHeld = groupOf(assigned(index), split) === HOLDOUT;
      expect(groupOf(assigned(index), { holdout: 10, variants: [] }) === HOLDOUT).toBe(isHeld);
      if (isHeld) expect(groupOf(assigned(index), { ...split, holdout: 20 })).toBe(HOLDOUT);
    }
  });

  it('gives everybody what the shares are of: 100 percent leave nobody', () => {
    const whole: Split = { holdout: 0, variants: [{ name: 'all', share: 100 }] };
    expect(new Set(everybody.slice(0, 5000).map((index) => groupOf(assigned(index), whole)))).toEqual(new Set(['all']));
    expect([...expectedShares(whole).keys()]).toEqual(['all']);
    expect(groupOf(assigned(1), { holdout: 100, variants: whole.variants })).toBe(HOLDOUT);
  });

  it('counts a variant called control with what is left', () => {
    const named: Split = {
      holdout: 0,
      variants: [
        { name: CONTROL, share: 50 },
        { name: 'bold', share: 25 },
      ],
    };
    expect(expectedShares(named)).toEqual(
      new Map([
        [CONTROL, 0.75],
        ['bold', 0.25],
      ]),
    );
  });
});
