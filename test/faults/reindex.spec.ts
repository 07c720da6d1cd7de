import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { dropIndices } from '../support/elastic';
import { kill, ReindexedShop } from '../support/reindex-under-load';
import { describeOn } from '../support/servers';

const PRODUCTS = 2000;
const FED = 1000;
const LOAD = { products: PRODUCTS, searchers: 8, writers: 2, restMs: 200, aroundMs: 500 };
/** Long enough for a worker on a busy machine. */
const LEASE_MS = 10_000;
/** Ten clients, a worker and the servers share whatever machine this is. */
const LONGEST_MS = 400_000;

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('a shop that is reindexed while eight clients search and two write', () => {
    let shop: ReindexedShop;

    beforeEach(async () => {
      shop = await ReindexedShop.open(
        { ...urls, prefix: `t${randomUUID()}`, lease: LEASE_MS, timeoutMs: LONG_TIMEOUT },
        LOAD,
      );
    });
    afterEach(async () => {
      await dropIndices(shop.replica.connection);
      await shop.close();
    });

    /** Products in the index that is being built. */
    const built = async (): Promise<number> => {
      const index = shop.replica.connection.index(`products-${shop.store.id}-growing`);
      const { count } = await shop.replica.connection.call(
        (client, options) => client.count({ index, ignore_unavailable: true }, options),
        LONG_TIMEOUT,
      );
      return count;
    };

    it(
      'answers every search, and loses no write',
      async () => {
        await shop.startWorker();
        const { job, failures, empty, lost, searches, writes, documents } = await shop.reindex();
        expect(job).toMatchObject({ state: 'completed', attempts: 1 });
        expect({ failures, empty, lost }).toEqual({ failures: [], empty: 0, lost: [] });
        expect(documents).toBe(shop.size);
        expect(job.progress.done).toBe(job.progress.total);
        expect(searches.during.length).toBeGreaterThan(0);
        expect(writes).toBeGreaterThan(0);
      },
      LONGEST_MS,
    );

    describe('and that has grown too large for its pool', () => {
      const itsOwn = async (): Promise<string[]> => {
        const index = `${shop.replica.connection.index(`products-${shop.store.id}`)}*`;
        const found = await shop.replica.connection.call(
          (client, options) => client.indices.get({ index }, options),
          LONG_TIMEOUT,
        );
        return Object.values(found).flatMap(({ aliases = {} }) => Object.keys(aliases));
      };

      beforeEach(async () => {
        await shop.close();
        const setup = { ...urls, prefix: `t${randomUUID()}`, lease: LEASE_MS, timeoutMs: LONG_TIMEOUT };
        shop = await ReindexedShop.open({ ...setup, ownFrom: PRODUCTS }, LOAD);
      });

      it(
        'is moved into an index of its own, and back where asked, without a failed search or a lost write',
        async () => {
          const { engine, connection } = shop.replica;
          expect(await itsOwn()).toEqual([]);
          expect(await engine.health.due()).toContain(shop.store.id);
          expect(await engine.status(shop.store.id)).toMatchObject({ grown: true });
          await shop.startWorker();
          const { job, failures, empty, lost, documents } = await shop.reindex();
          expect(job).toMatchObject({ state: 'completed', attempts: 1 });
          expect({ failures, empty, lost }).toEqual({ failures: [], empty: 0, lost: [] });
          expect(documents).toBe(shop.size);
          expect(await itsOwn()).toContain(connection.index(`products-${shop.store.id}`));
          expect(await engine.status(shop.store.id)).not.toHaveProperty('grown');
          expect(await engine.before.serveAgain(shop.store.id)).toBe(true);
          expect((await engine.status(shop.store.id)).documents).toBe(shop.size);
        },
        LONGEST_MS,
      );

      it(
        'is moved while it is fed, where its feed is much larger than that, and has no second place to write to then',
        async () => {
          await shop.close();
          const setup = { ...urls, prefix: `t${randomUUID()}`, lease: LEASE_MS, timeoutMs: LONG_TIMEOUT };
          shop = await ReindexedShop.open({ ...setup, ownFrom: PRODUCTS / 4 }, LOAD);
          const { engine, jobs, reindexing } = shop.replica;
          const { id } = shop.store;
          engine.health.onGrown(() => void reindexing.renew(shop.store, { grown: true }));
          await shop.startWorker();
          let fedUntil = 0;
          const fed = async (): Promise<{ jobId: string }> => {
            await shop.feed(FED);
            fedUntil = Date.now();
            return { jobId: (await jobs.find({ kind: 'catalog.reindex', store: id })).at(-1)?.id ?? '' };
          };
          const { job, failures, empty, lost, documents } = await shop.reindex(undefined, fed);
          expect(job).toMatchObject({ state: 'completed', attempts: 1 });
          expect({ failures, empty, lost }).toEqual({ failures: [], empty: 0, lost: [] });
          expect(documents).toBe(shop.size);
          expect(await itsOwn()).toContain(shop.replica.connection.index(`products-${id}`));
          expect(Date.parse(job.startedAt ?? '')).toBeLessThan(fedUntil);
          expect(await engine.before.serveAgain(id)).toBe(false);
        },
        LONGEST_MS,
      );
    });

    it(
      'is finished by another worker, once, where the first one is killed in the middle',
      async () => {
        const doomed = await shop.startWorker();
        const { job, failures, empty, lost, documents } = await shop.reindex(async () => {
          while ((await built()) === 0) await sleep(10);
          await kill(doomed);
          await shop.startWorker();
        });
        expect(job).toMatchObject({ state: 'completed', attempts: 2 });
        expect({ failures, empty, lost }).toEqual({ failures: [], empty: 0, lost: [] });
        expect(documents).toBe(shop.size);
        expect(await built()).toBe(0);
      },
      LONGEST_MS,
    );

    it(
      'serves what it has when the reindex is cancelled',
      async () => {
        await shop.startWorker();
        const { job, failures, empty, lost, documents } = await shop.reindex(async (jobId) => {
          while ((await built()) === 0) await sleep(10);
          await shop.replica.jobs.control(jobId, 'cancel');
        });
        expect(job).toMatchObject({ state: 'cancelled' });
        expect({ failures, empty, lost }).toEqual({ failures: [], empty: 0, lost: [] });
        expect(documents).toBe(shop.size);
      },
      LONGEST_MS,
    );
  }),
);
