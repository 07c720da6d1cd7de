import { setImmediate as settled } from 'node:timers/promises';
import { TestClock } from '../../../../../test/support/behaviour-database';
import { Growth } from './growth';

const OWN_FROM = 1000;

describe('a store that outgrows its pool', () => {
  let clock: TestClock;
  let products: number;
  let told: string[];
  let growth: Growth;
  /** As a feed comes in. */
  const write = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 50) {
      products += 50;
      growth.wrote('s', 50);
      await settled();
    }
  };

  beforeEach(() => {
    clock = new TestClock();
    products = 0;
    told = [];
    growth = new Growth(clock, OWN_FROM, async (_, least) => products >= least);
    growth.onGrown((store) => told.push(store));
  });

  it('waits for its feed to end', async () => {
    expect(growth.waits('s', OWN_FROM)).toBe(false);
    await write(2000);
    expect([growth.waits('s', 2000), growth.waits('other', 2000), told]).toEqual([true, false, []]);
    clock.advance(10_000);
    expect(growth.waits('s', 2000)).toBe(false);
  });

  it('does not wait where the feed is much larger than that', async () => {
    await write(2500);
    expect([growth.waits('s', 2500), told]).toEqual([false, ['s']]);
  });

  it('is not held up by single writes', async () => {
    growth.wrote('s', 1);
    expect(growth.waits('s', OWN_FROM)).toBe(false);
  });

  it('is found by the next look where it could not be asked for', async () => {
    growth = new Growth(clock, OWN_FROM, () => Promise.reject(new Error('no answer')));
    growth.onGrown((store) => told.push(store));
    await write(2500);
    expect(told).toEqual([]);
  });
});
