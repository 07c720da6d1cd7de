import { CacheInvalidation } from './cache-invalidation';
import type { Documents } from './documents';
import { type Peers } from './peers';

const MINUTE = 60_000;
const READ_MS = 5;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A process with one cache, how often it reads, and whether it hears the others. */
async function aProcess(): Promise<{
  caches: CacheInvalidation;
  readsIn(ms: number): Promise<number>;
  deaf: boolean;
  readMs: number;
}> {
  let reads = 0;
  const get = async (): Promise<null> => {
    await sleep(process.readMs);
    reads += 1;
    return null;
  };
  const documents = { shared: true, get } as unknown as Documents;
  const process = {
    deaf: false,
    readMs: READ_MS,
    readsIn: async (ms: number) => {
      const before = reads;
      await jest.advanceTimersByTimeAsync(ms);
      return reads - before;
    },
  };
  const exchange = async (): Promise<never[]> => {
    if (process.deaf) throw new Error('Nobody is heard');
    return [];
  };
  const caches = new CacheInvalidation(documents, { exchange, leave: async () => undefined } satisfies Peers);
  const opened = caches.cache('stores', async () => undefined).open();
  await jest.advanceTimersByTimeAsync(READ_MS);
  await opened;
  return Object.assign(process, { caches });
}

describe('what others change', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is looked for within half a second by who is asked something, and rarely by who is not', async () => {
    const process = await aProcess();
    const busy = await process.readsIn(5000);
    expect(busy).toBeGreaterThanOrEqual(10);
    expect(await process.readsIn(MINUTE)).toBeLessThanOrEqual(20);
    void process.caches.noteUse();
    expect(await process.readsIn(5000)).toBeGreaterThanOrEqual(busy);
    expect(await process.readsIn(MINUTE)).toBeLessThanOrEqual(20);
    await process.caches.onModuleDestroy();
  });

  it('is read before the first answer after a rest, whenever that is asked for, and waited for by no other', async () => {
    const process = await aProcess();
    expect(process.caches.noteUse()).toBeUndefined();
    // Also while a rare refresh is under way, which may have begun before the change.
    for (const rest of [20_000, 20_403, 22_998, 23_001, 23_003]) {
      await process.readsIn(rest);
      let answered = 0;
      const before = performance.now();
      for (let request = 0; request < 2; request++) {
        const waking = process.caches.noteUse();
        expect(waking).toBeDefined();
        void waking?.then(() => (answered += 1));
      }
      expect(await process.readsIn(READ_MS - 1)).toBeLessThanOrEqual(1);
      expect(answered).toBe(0);
      expect(await process.readsIn(2 * READ_MS)).toBeGreaterThanOrEqual(1);
      expect(answered).toBe(2);
      expect(performance.now() - before).toBeLessThan(4 * READ_MS);
      expect(process.caches.noteUse()).toBeUndefined();
    }
    await process.caches.onModuleDestroy();
  });

  it('holds up the answers after a rest for a tenth of a second each at most, until it was read', async () => {
    const process = await aProcess();
    await process.readsIn(20_000);
    process.readMs = MINUTE;
    for (let request = 0; request < 2; request++) {
      let answered = false;
      void process.caches.noteUse()?.then(() => (answered = true));
      await process.readsIn(95);
      expect(answered).toBe(false);
      await process.readsIn(10);
      expect(answered).toBe(true);
    }
    process.readMs = READ_MS;
    await process.readsIn(2 * MINUTE);
    await process.caches.onModuleDestroy();
  });

  it('is looked for within half a second by who hears nothing of the others, asked or not', async () => {
    const process = await aProcess();
    await process.readsIn(MINUTE);
    process.deaf = true;
    await process.readsIn(1000);
    expect(await process.readsIn(10_000)).toBeGreaterThanOrEqual(20);
    process.deaf = false;
    await process.readsIn(5000);
    expect(await process.readsIn(MINUTE)).toBeLessThanOrEqual(20);
    await process.caches.onModuleDestroy();
  });
});
