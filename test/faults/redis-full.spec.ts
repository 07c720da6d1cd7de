import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { TestServer } from '../servers/test-server';
import { promptly } from '../support/promptly';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { type Json, must, type Reply } from '../support/store-client';

/** What is promised, and what a busy machine may add. */
const ANSWERED_WITHIN_MS = 1000 + 4000;
const TOLD_WITHIN_MS = 5000 + 10_000;

jest.setTimeout(240_000);

describeOn(['elasticsearch'], (urls) =>
  describe('a Redis that is full', () => {
    let redis: TestServer;
    let operator: Redis;
    let shop: RefusingShop;

    beforeAll(async () => {
      redis = await TestServer.start('redis');
      operator = new Redis(redis.url);
      shop = await RefusingShop.open({ ...urls, redis: redis.url }, { LOG_LEVEL: 'warn' });
      await shop.patiently(async () => must(await viewed('ana', 'veloz-01'), 204));
      await shop.patiently(() => isPersonal('ana', ['veloz-01']));
    });
    afterAll(async () => {
      operator?.disconnect();
      await shop?.close();
      await redis?.stop();
    });

    /** Every product has one brand and one category; what is searched for has them all. */
    const viewed = (userId: string, pid: string, store = shop.store): Promise<Reply> =>
      shop.view({ userId, pid, eventId: `${userId} ${pid}` }, store);
    const timed = async (work: Promise<Reply>): Promise<Reply> => {
      const since = performance.now();
      const reply = await work;
      if (performance.now() - since > ANSWERED_WITHIN_MS) throw new Error('It took too long');
      return reply;
    };
    const isPersonal = async (userId: string, pids: readonly string[], store = shop.store): Promise<void> => {
      const { personalization } = must(await timed(shop.search(store, { terms: 'tenis', userId })), 200);
      expect(personalization).toMatchObject({ applied: true, profile: 'user' });
      const { weights } = await store.vector('users', userId);
      const features = (weights as Json[]).map(({ feature }) => feature);
      expect(features).toEqual(expect.arrayContaining(pids.map((pid) => `product:${pid}`)));
    };
    const full = (bytes: 0 | 1): Promise<unknown> => operator.config('SET', 'maxmemory', bytes);
    const told = async (state: 'up' | 'down', service = shop.service): Promise<void> => {
      for (const since = performance.now(); ; await wait(50)) {
        const { status, json } = await service.send({ path: '/health/ready' });
        const { dependencies, reasons = {} } = json as { dependencies: Json; reasons?: Json };
        const says = state === 'up' || String(reasons['redis']).includes('maxmemory');
        if (status === 200 && dependencies['redis'] === state && says) return;
        if (performance.now() - since > TOLD_WITHIN_MS) throw new Error(`Redis is not ${state}`);
      }
    };
    const noted = async (userId: string, pids: readonly string[]): Promise<void> => {
      const events = await shop.patiently(() => shop.store.exported(userId));
      const ids = events.flatMap(({ type, body }) => (type === 'event' ? [(body as Json)['eventId']] : []));
      expect(ids.toSorted()).toEqual(pids.map((pid) => `${userId} ${pid}`).toSorted());
    };

    it('says so; events are taken and count, shoppers it knows and others stay personal, jobs wait', async () => {
      await full(1);
      await told('down');
      const metrics = (): Promise<number[]> =>
        Promise.all(['redis_up', 'redis_writable'].map((name) => shop.metric(name)));
      await promptly(async () => expect(await metrics()).toEqual([1, 0]));
      for (const [userId, pid] of [
        ['ana', 'calma-01'],
        ['ana', 'calma-02'],
        ['bia', 'veloz-02'],
      ] as const)
        await shop.patiently(async () => must(await timed(viewed(userId, pid)), 204));
      await shop.patiently(() => isPersonal('ana', ['veloz-01', 'calma-01', 'calma-02']));
      await shop.patiently(() => isPersonal('bia', ['veloz-02']));
      const reindex = (): Promise<Reply> => timed(shop.store.admin({ method: 'POST', path: '/reindex' }));
      const { jobId } = await shop.patiently(async () => must(await reindex(), 202));

      await full(0);
      await told('up');
      await shop.patiently(async () => expect(await metrics()).toEqual([1, 1]));
      await shop.patiently(() => shop.store.completed(String(jobId)));
      await shop.patiently(() => isPersonal('ana', ['veloz-01', 'calma-01', 'calma-02']));
      await noted('ana', ['veloz-01', 'calma-01', 'calma-02']);
      await noted('bia', ['veloz-02']);
    });

    it('does not stop a start, and what comes in then counts at once and later', async () => {
      await full(1);
      const second = await ServiceProcess.start(shop.env);
      try {
        await told('down', second);
        const store = shop.store.through(second.send);
        await shop.patiently(async () => must(await viewed('ana', 'calma-03', store), 204));
        await shop.patiently(() => isPersonal('ana', ['veloz-01', 'calma-03'], store));
        await shop.patiently(async () => must(await timed(store.send(removal('bia'))), 200));
        await full(0);
        await told('up', second);
        await shop.patiently(() => isPersonal('ana', ['veloz-01', 'calma-03']));
      } finally {
        await second.kill();
      }
    });

    const removal = (userId: string) => ({
      method: 'DELETE' as const,
      path: `/v7/users/${userId}`,
      headers: shop.store.headers,
    });

    it('is one line in the log, and another when there is room again', async () => {
      const { stdout } = await shop.service.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('Redis takes'));
      expect(lines[0]).toContain('maxmemory');
      expect(lines.length).toBeLessThanOrEqual(4);
    });
  }),
);
