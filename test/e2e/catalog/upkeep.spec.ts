import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogRecords } from '../../../src/catalog/records/catalog-records';
import { type Job, JobQueue } from '../../../src/jobs/job-queue';
import { JobSchedules } from '../../../src/jobs/job-schedules';
import { aProduct } from '../../builders/a-product';
import { eventually } from '../../support/acknowledged';
import { API_KEY, type CatalogApp, startCatalogApp } from './support';
import { describeModes, type Place } from '../../support/modes';

async function finished(shop: CatalogApp, id: string): Promise<Job> {
  for (;;) {
    const [job] = await shop.app.get(JobQueue).find({ id });
    if (job && ['completed', 'failed', 'cancelled'].includes(job.state)) return job;
    await sleep(10);
  }
}

const put = (shop: CatalogApp, id: string, changes: object = {}) =>
  shop.app.inject({
    method: 'PUT',
    url: `/v7/products/${id}`,
    headers: shop.keys,
    payload: aProduct({ id, ...changes }),
  });
const featuresOf = async (shop: CatalogApp, id: string) =>
  (await shop.app.get(CatalogRecords).features(shop.store.id, [id])).get(id)?.f;

describeModes((mode) => {
  describe('keeping the index true to the records', () => {
    let place: Place;
    let shop: CatalogApp;
    beforeEach(async () => {
      place = mode.place();
      shop = await startCatalogApp(mode, { place });
    });
    afterEach(async () => {
      await shop.close();
      await place.remove();
    });

    it('refuses a write whose index entry failed, and indexes it with the next one', async () => {
      shop.failing.down = true;
      expect((await put(shop, 'a')).statusCode).toBe(500);
      expect(await shop.indexed()).toEqual([]);
      shop.failing.down = false;
      expect((await put(shop, 'b')).statusCode).toBe(202);
      expect((await shop.indexed()).map(({ productId }) => productId)).toEqual(['a', 'b']);
    });

    it('indexes at the start what was recorded and not indexed before the end', async () => {
      await put(shop, 'a');
      shop.failing.down = true;
      await Promise.all([put(shop, 'a', { price: 5 }), put(shop, 'b')]);
      await shop.close();
      shop = await startCatalogApp(mode, { place, keys: shop.keys });
      const records = await shop.app.get(CatalogRecords).read(shop.store.id, ['a', 'b']);
      expect(records[0]?.base?.sent).toMatchObject({ price: 5 });
      const versions = (await shop.indexed()).map(({ productId, version }) => [productId, version]);
      expect(versions).toEqual(records.map((record) => [record?.productId, record?.base?.version]));
    });

    it('indexes it without a restart, too', async () => {
      await put(shop, 'a');
      shop.failing.down = true;
      await put(shop, 'b');
      shop.failing.down = false;
      // A process that is just about to index it is given its time, and notes of what is done go half a second later, on a busy machine later still.
      await sleep(1000);
      shop.clock.advance(31_000);
      const jobs = shop.app.get(JobQueue);
      const job = await finished(shop, await jobs.enqueue({ kind: 'catalog.catch-up', store: '*', payload: {} }));
      expect(job).toMatchObject({ state: 'completed' });
      expect([1, 2]).toContain((job?.result as { products: number } | undefined)?.products);
      expect((await shop.indexed()).map(({ productId }) => productId)).toEqual(['a', 'b']);
    });

    it('has a job for it where something was left to index; in production nowhere else', async () => {
      const schedules = shop.app.get(JobSchedules);
      const hasJob = (): Promise<boolean> => schedules.hasJob('catalog.catch-up');
      await put(shop, 'a');
      if (mode.name === 'production') await eventually(async () => !(await hasJob()));
      shop.failing.down = true;
      await put(shop, 'b');
      shop.failing.down = false;
      // A note stands beside every write for half a second.
      await sleep(1500);
      expect(await hasJob()).toBe(true);
    });

    it('rewrites the index from the records when asked', async () => {
      await put(shop, 'a');
      await put(shop, 'b');
      await shop.engine.write(shop.store.id, 'pt', [{ productId: 'a', version: 9, documents: [] }]);
      await shop.engine.removeStore(shop.store.id);
      expect(await shop.indexed()).toEqual([]);
      const url = `/admin/stores/${API_KEY}/reindex`;
      const reply = await shop.app.inject({ method: 'POST', url, headers: shop.adminHeaders });
      expect(reply.statusCode).toBe(202);
      const job = await finished(shop, reply.json<{ jobId: string }>().jobId);
      expect(job).toMatchObject({ state: 'completed', result: { products: 2 }, progress: { done: 2, total: 2 } });
      expect(await shop.indexed()).toHaveLength(2);
    });

    it('reindexes for ops alone, and only a store that exists', async () => {
      const reindex = (apiKey: string, headers: Record<string, string>) =>
        shop.app.inject({ method: 'POST', url: `/admin/stores/${apiKey}/reindex`, headers });
      expect((await reindex(API_KEY, {})).statusCode).toBe(401);
      expect((await reindex('nobody', shop.adminHeaders)).statusCode).toBe(404);
    });

    it('takes a category out of all features once the store calls it sensitive', async () => {
      await put(shop, 'a');
      expect(await featuresOf(shop, 'a')).toContain('brand:veloz');
      await shop.stores.update(shop.store.id, { settings: { sensitiveCategories: ['moda'] } });
      const [job] = await shop.app.get(JobQueue).find({ kind: 'catalog.reindex' });
      await finished(shop, job?.id ?? '');
      expect(await featuresOf(shop, 'a')).toEqual([]);
    });

    it('leaves the index alone where a setting does not concern it', async () => {
      await shop.stores.update(shop.store.id, { settings: { showOnlyAvailable: true } });
      expect(await shop.app.get(JobQueue).find({ kind: 'catalog.reindex' })).toEqual([]);
    });
  });
});
