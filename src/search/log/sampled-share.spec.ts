import { lotOf, shareAt } from './sampled-share';

describe('the share of searches that is logged', () => {
  it('is all until half of the room of a day is used, and a quarter of it with each half of what is left', () => {
    const shares = [0, 499, 500, 749, 750, 875].map((logged) => shareAt(logged, 1000));
    expect(shares).toEqual([1, 1, 1 / 4, 1 / 4, 1 / 16, 1 / 64]);
  });

  it('is nothing once the room is used up', () => {
    expect([shareAt(1000, 1000), shareAt(5000, 1000)]).toEqual([0, 0]);
    expect(shareAt(999_999, 1_000_000)).toBe(4 ** -10);
  });

  it('stays within the room however much is searched', () => {
    let logged = 0;
    for (let search = 0; search < 300_000; search += 1) {
      if (lotOf('loja', `shopper-${search}`) < shareAt(logged, 1000)) logged += 1;
    }
    expect(logged).toBeGreaterThan(900);
    expect(logged).toBeLessThanOrEqual(1000);
  });
});

describe('the lot of a shopper', () => {
  const shoppers = Array.from({ length: 10_000 }, (_, number) => `u:${number}`);

  it('is the same each time, evenly spread, and another one in another store', () => {
    const lots = shoppers.map((shopper) => lotOf('loja', shopper));
    expect(shoppers.map((shopper) => lotOf('loja', shopper))).toEqual(lots);
    expect(lots.every((lot) => lot >= 0 && lot < 1)).toBe(true);
    // Four standard deviations of as many throws of a coin are 200.
    const low = lots.filter((lot) => lot < 0.5).length;
    expect(Math.abs(low - 5000)).toBeLessThan(200);
    const lowInBoth = shoppers.filter((shopper, at) => lotOf('outra', shopper) < 0.5 && lots[at]! < 0.5).length;
    expect(Math.abs(lowInBoth - 2500)).toBeLessThan(200);
  });
});
