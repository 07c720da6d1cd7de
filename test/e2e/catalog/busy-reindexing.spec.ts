import { setTimeout as sleep } from 'node:timers/promises';
import { percentiles } from '../../../bench/scenario';
import { SampleQueries } from '../../../src/catalog/reindexing/sample-queries';
import { describeModes } from '../../support/modes';
import { BusyShop, endedJob, type Seen } from '../../support/reindexing/busy-shop';
import { indexAs } from '../../support/reindexing/index-as';
import type { Json } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** More of them: `PRODUCTS=100000 npm test -- test/e2e/catalog/busy-reindexing`. */
const PRODUCTS = Number(process.env['PRODUCTS'] ?? 3000);
const CLIENTS = { searchers: 8, writers: 2 };
const LONGEST_MS = 240_000 + PRODUCTS * 30;
/** How long clients are at it before a reindex, and after it. */
const AROUND_MS = 500;
const ORDERS = 20;

describeModes((mode) => {
  describe(`a shop of ${PRODUCTS} products that is reindexed while eight clients search and two write`, () => {
    let whole: WholeApp;
    let shop: BusyShop;

    beforeAll(async () => {
      whole = await startWholeApp(mode);
      shop = await BusyShop.open(whole, PRODUCTS);
    }, LONGEST_MS);
    afterAll(() => whole.close());

    const reindexed = (query = ''): Promise<Json> => endedJob(shop.store, whole, `/reindex${query}`);
    const zebras = async (): Promise<string[]> => shop.store.order({ terms: 'zebra' });
    const tell = async (what: string, { searches, writes, wrong }: Seen, more = ''): Promise<void> => {
      if (process.env['PRODUCTS'] === undefined) return;
      const latencies = `${searches.length} searches, ${percentiles(searches, 0.5, 0.95, 0.99)}`;
      // A run of half an hour says at once what went wrong.
      const first = wrong.slice(0, 3).map((text) => `\n  ${text.slice(0, 300)}`);
      const refused = wrong.length > 0 ? `\n  ${await shop.refusals()}` : '';
      process.stderr.write(
        `${mode.name}, ${what}: ${latencies}, ${writes} writes, ${wrong.length} wrong${more}${first.join('')}${refused}\n`,
      );
    };

    it(
      'answers every search whole, and loses no write',
      async () => {
        await tell('at rest', await shop.while(CLIENTS, () => sleep(AROUND_MS * 10)));
        let job: Json = {};
        const begun = performance.now();
        const seen = await shop.while(CLIENTS, async () => {
          await sleep(AROUND_MS);
          job = await reindexed();
          await sleep(AROUND_MS);
        });
        await tell('reindex', seen, `; ${((performance.now() - begun) / 1000).toFixed(1)} s`);
        expect(job).toMatchObject({ state: 'completed', attempts: 1 });
        expect(seen.wrong).toEqual([]);
        expect(seen.searches.length).toBeGreaterThan(CLIENTS.searchers);
        expect(seen.writes).toBeGreaterThan(0);
        expect(await shop.lost()).toEqual([]);
        expect((await shop.store.search({ resultsPerPage: 0 })).size).toBe(shop.size);
      },
      LONGEST_MS,
    );

    it(
      'stays as it was where the check of the new index fails, and has its old order back with a roll-back',
      async () => {
        whole.app.get(SampleQueries, { strict: false }).add(async () => ['zebra']);
        await indexAs(whole, 'busy', 'zebra', ['p1', 'p2', 'p3']);
        const [found, orders] = [await zebras(), await shop.orders(ORDERS)];
        expect(found.toSorted()).toEqual(['p1', 'p2', 'p3']);
        let failed: Json = {};
        const meanwhile = await shop.while({ ...CLIENTS, writers: 0 }, async () => {
          failed = await reindexed();
        });
        await tell('check that fails', meanwhile);
        expect(failed).toMatchObject({ state: 'failed', attempts: 1 });
        expect(failed['error']).toContain('"zebra" finds 0 of 3 products again');
        expect(meanwhile.wrong).toEqual([]);
        expect([await zebras(), await shop.orders(ORDERS)]).toEqual([found, orders]);

        expect((await reindexed('?force=true'))['state']).toBe('completed');
        expect(await zebras()).toEqual([]);
        let took = 0;
        const back = await shop.while({ ...CLIENTS, writers: 0 }, async () => {
          const begun = performance.now();
          expect(await shop.store.admin({ method: 'POST', path: '/reindex/rollback' })).toMatchObject({ status: 200 });
          // The very next search.
          expect(await zebras()).toEqual(found);
          took = performance.now() - begun;
        });
        await tell('roll-back', back, `; the old order after ${took.toFixed(0)} ms`);
        expect(back.wrong).toEqual([]);
        expect(await shop.orders(ORDERS)).toEqual(orders);
      },
      LONGEST_MS,
    );
  });
});
