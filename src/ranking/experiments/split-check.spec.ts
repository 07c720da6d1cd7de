import { splitCheck } from './split-check';

describe('splitCheck', () => {
  const halves = (one: number, other: number) => [
    { share: 0.5, found: one },
    { share: 0.5, found: other },
  ];

  it('lets chance be chance', () => {
    expect(splitCheck(halves(5050, 4950))).toMatchObject({ chiSquare: 1, isOff: false });
    expect(splitCheck(halves(5050, 4950)).pValue).toBeCloseTo(0.317310507862914, 9);
  });

  it('tells a split that is off: one shopper in twenty of a variant is lost', () => {
    expect(splitCheck(halves(10_000, 9500))).toMatchObject({ isOff: true });
  });

  it('says nothing of a handful of shoppers, nor of one group alone', () => {
    expect(splitCheck(halves(8, 0))).toEqual({ chiSquare: 0, pValue: 1, isOff: false });
    expect(splitCheck([{ share: 1, found: 1000 }])).toEqual({ chiSquare: 0, pValue: 1, isOff: false });
  });
});
