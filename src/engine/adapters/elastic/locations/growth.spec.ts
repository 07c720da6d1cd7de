import { setImmediate as settled } from 'node:timers/promises';
import { Growth } from './growth';

const OWN_FROM = 1000;

describe('a store that a feed makes too large for its pool', () => {
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
  afterEach(() => void jest.useRealTimers());

  it('is told of when the feed is over', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    await feed(1000, counted);
    jest.advanceTimersByTime(4999);
    await settled();
    expect(told).toEqual([]);
    jest.advanceTimersByTime(1);
    await settled();
    expect(told).toEqual(['s']);
    // Until much was written to it again, nobody looks.
    jest.advanceTimersByTime(60_000);
    await settled();
    expect(told).toEqual(['s']);
  });

  it('is not told of while the feed goes on, nor where it is not too large', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const growth = new Growth(OWN_FROM, async (store, least) => store === 'large' && least <= 1200);
    growth.onGrown((store) => told.push(store));
    for (const store of ['large', 'small']) growth.wrote(store, 600);
    for (let second = 0; second < 20; second++) {
      growth.wrote('large', 1);
      jest.advanceTimersByTime(1000);
      await settled();
    }
    expect(told).toEqual([]);
    jest.advanceTimersByTime(4000);
    await settled();
    expect(told).toEqual(['large']);
  });

  it('is told of at once when it has two and a half times as many as others that are moved', async () => {
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
