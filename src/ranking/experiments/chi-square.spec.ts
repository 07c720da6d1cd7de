import { chiSquareTail } from './chi-square';

describe('chiSquareTail', () => {
  // Any table of the distribution has these; the last ones are exp(-x/2), which it is with two degrees of freedom.
  it.each([
    [3.841458820694124, 1, 0.05],
    [10.827566170662733, 1, 0.001],
    [5.991464547107979, 2, 0.05],
    [7.814727903251179, 3, 0.05],
    [18.307038053275146, 10, 0.05],
    [0.454936423119572, 1, 0.5],
    [124.34211340400407, 100, 0.05],
    [2, 2, Math.exp(-1)],
    [40, 2, Math.exp(-20)],
    [0, 3, 1],
  ])('of %p with %p degrees of freedom is %p', (x, freedom, expected) => {
    expect(chiSquareTail(x, freedom)).toBeCloseTo(expected, 9);
  });
});
