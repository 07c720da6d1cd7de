import { setTimeout as sleep } from 'node:timers/promises';
import { JobQueue } from '../../../src/jobs/job-queue';
import { SampleQueries } from '../../../src/catalog/reindexing/sample-queries';
import { aShop } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { indexAs } from '../../support/reindexing/index-as';
import type { Json, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const ENDED = new Set(['completed', 'failed', 'cancelled']);

describeModes((mode) => {
  describe('a reindex', () => {
    let service: WholeApp;
    let loja: StoreClient;

    beforeAll(async () => {
      service = await startWholeApp(mode);
      loja = await service.store('loja');
      await loja.putMany(aShop());
    });
    afterAll(() => service.close());

    const reindex = async (query = ''): Promise<Json> => {
      const { json } = await loja.admin({ method: 'POST', path: `/reindex${query}` });
      for (;;) {
        const [job] = await service.app.get(JobQueue).find({ id: String(json['jobId']) });
        if (job && ENDED.has(job.state)) return { ...job };
        await sleep(20);
      }
    };
    const rollBack = () => loja.admin({ method: 'POST', path: '/reindex/rollback' });
    const shown = (): Promise<string[]> => loja.order({ terms: 'tênis' });

    test('says what it checked, and who asked for it', async () => {
      const order = await shown();
      const { state, result, askedBy } = await reindex();
      expect({ state, askedBy }).toEqual({ state: 'completed', askedBy: expect.stringMatching(/^ops:/) });
      const size = aShop().length;
      expect(result).toMatchObject({ products: size, check: { language: 'pt', channels: [{ products: size }] } });
      const { tried, products, foundAgain } = (result as { check: { queries: Record<string, number> } }).check.queries;
      expect(tried).toBeGreaterThan(0);
      expect(foundAgain).toBe(products);
      expect(await shown()).toEqual(order);
    });

    test('is gone back from once, with what was written since', async () => {
      await reindex();
      const order = await shown();
      await loja.put({ ...aShop()[0], id: 'since', name: 'tênis escrito depois' });
      expect(await rollBack()).toMatchObject({ status: 200, json: { products: aShop().length + 1 } });
      const now = await shown();
      expect(now).toContain('since');
      expect(now.filter((id) => id !== 'since')).toEqual(order.filter((id) => now.includes(id)));
      expect(await rollBack()).toMatchObject({ status: 409, json: { error: 'conflict' } });
    });

    test('that would find other products leaves the old index serving and says what it lost, unless it is forced', async () => {
      const found = async (): Promise<string[]> => (await loja.order({ terms: 'zebra' })).sort();
      service.app.get(SampleQueries, { strict: false }).add(async () => ['zebra']);
      // What serves finds by a word that the records have not: a new index would lose it.
      const ids = (await shown()).slice(0, 3).sort();
      await indexAs(service, 'loja', 'zebra', ids);
      expect(await found()).toEqual(ids);
      const { state, error, attempts } = await reindex();
      expect({ state, attempts }).toEqual({ state: 'failed', attempts: 1 });
      expect(error).toContain('The new index does not serve, the old one goes on');
      expect(error).toContain('"zebra" finds 0 of 3 products again');
      for (const id of ids) expect(error).toContain(id);
      expect(await found()).toEqual(ids);
      expect((await reindex('?force=true'))['state']).toBe('completed');
      expect(await found()).toEqual([]);
      expect((await rollBack()).status).toBe(200);
      expect(await found()).toEqual(ids);
    });
  });
});
