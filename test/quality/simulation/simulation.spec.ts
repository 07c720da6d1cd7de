import { Dice } from '../../support/dice';
import { simulate, strengths } from './simulate';
import { SimulatedShop } from './simulated-shop';
import { simulationGoals } from './simulation-report';

describe('experiments in a simulated shop', () => {
  it('find the true lift, call no A/A test different, and interleaving names no worse ranking', async () => {
    const { runs, covered, alwaysCovered, falsely, interleaved } = await simulate(
      { runs: 100, shoppers: 500, days: 5 },
      1,
      () => undefined,
    );
    expect(runs).toBe(100);
    const least = Math.min(...Object.values(covered), ...Object.values(alwaysCovered));
    expect(least).toBeGreaterThanOrEqual(simulationGoals.covered);
    expect(falsely).toBeLessThanOrEqual(simulationGoals.falsely);
    // So few searches find no more than some of the differences.
    expect(interleaved.found).toBeGreaterThan(interleaved.wrong);
    expect(interleaved.wrong).toBeLessThanOrEqual(5);
  });

  it('the truth is what many searches come to', () => {
    const dice = new Dice(5);
    const shop = new SimulatedShop(dice);
    for (const strength of Object.values(strengths)) {
      const SEARCHES = 40_000;
      let [clicked, micros] = [0, 0];
      for (let search = 0; search < SEARCHES; search += 1) {
        const brand = dice.below(shop.brands);
        const found = shop.reactions(shop.ranking(dice.below(shop.queries), brand, strength), brand, dice);
        clicked += Number(found.length > 0);
        for (const { product, hasOrder } of found) if (hasOrder) micros += product.micros;
      }
      const { ctr, revenue } = shop.truth(strength);
      expect(Math.abs(clicked / SEARCHES / ctr - 1)).toBeLessThan(0.02);
      expect(Math.abs(micros / 1_000_000 / SEARCHES / revenue - 1)).toBeLessThan(0.05);
    }
  });
});
