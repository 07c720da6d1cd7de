import { setImmediate as settled } from 'node:timers/promises';
import { Growth } from './growth';

const OWN_FROM = 1000;

describe('a store that a feed makes much too large for its pool', () => {
  let told: string[];
  /** A store that is fed so many products, 50 at a time. */
  const feed = async (
    products: number,
    hasOutgrown: (there: number, least: number) => Promise<boolean>,
  ): Promise<void> => {
    let there = 0;
    const growth = new Growth(OWN_FROM, (_, least) => hasOutgrown(there, least));
    growth.onGrown((store) => told.push(store));
    while (there < products) {
      there += 50;
      growth.wrote('s', 50);
      growth.wrote('other', 1);
      await settled();
    }
  };
  const counted = async (there: number, least: number): Promise<boolean> => there >= least;

  beforeEach(() => {
    told = [];
  });

  it('is told of once it has two and a half times as many as others that are moved', async () => {
    await feed(2450, counted);
    expect(told).toEqual([]);
    await feed(2500, counted);
    expect(told).toEqual(['s']);
  });

  it('is counted each time a tenth of that was written, and not more often', async () => {
    let looks = 0;
    await feed(1000, async () => {
      looks += 1;
      return false;
    });
    expect(looks).toBe(10);
  });

  it('is written to all the same where it can not be counted', async () => {
    await feed(2500, () => Promise.reject(new Error('no answer')));
    expect(told).toEqual([]);
  });
});
