import { JobQueue } from '../../../src/jobs/job-queue';
import { StoresService } from '../../../src/stores/stores.service';
import { type Shop, startShop } from './shop';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop('users', mode);
  });
  afterAll(() => shop.close());

  describe('erasing a user', () => {
    test('erases what the user did and claimed, and answers with the counts', async () => {
      const { store, whole } = shop;
      await store.event('product', { deviceId: 'phone', pid: 'p1' });
      await store.event('product', { userId: 'ana', deviceId: 'phone', pid: 'p2' });
      await store.event('product', { userId: 'bia', pid: 'p3' });
      await shop.aggregated();
      const { id } = whole.app.get(StoresService).byApiKey('users')!;
      await whole.app
        .get(JobQueue)
        .enqueue({ kind: 'vectors.rebuild', store: id, subject: 'u:ana', payload: {}, delayMs: 1e9 });
      expect(await store.erase('ana')).toEqual({
        erased: { events: 2, vectors: 1, links: 1, searches: 0, clicks: 0, jobs: 1 },
      });
      expect((await store.vector('users', 'ana'))['weights']).toEqual([]);
      expect((await store.vector('devices', 'phone'))['weights']).toEqual([]);
      expect((await store.vector('users', 'bia'))['weights']).not.toEqual([]);
      expect(await store.exported('ana')).toEqual([]);
      expect((await store.erase('ana'))['erased']).toEqual({
        events: 0,
        vectors: 0,
        links: 0,
        searches: 0,
        clicks: 0,
        jobs: 0,
      });
    });

    test('drops what arrives late from before, and takes what is new', async () => {
      const { store, whole } = shop;
      const timestamp = whole.clock.now();
      const retried = { userId: 'rita', pid: 'p1', eventId: 'retry-1' };
      await store.event('product', retried);
      whole.clock.advance(60_000);
      await store.erase('rita');
      whole.clock.advance(60_000);
      await store.event('product', retried);
      await store.event('product', { userId: 'rita', pid: 'p2', timestamp: timestamp + 1000 });
      await store.event('product', { userId: 'rita', pid: 'p2', timestamp: timestamp - 30 * 86_400_000 });
      expect(await store.exported('rita')).toEqual([]);
      await store.event('product', { userId: 'rita', pid: 'p3' });
      expect((await store.exported('rita')).filter(({ type }) => type === 'event')).toHaveLength(1);
    });

    test('takes the same page view afresh right after', async () => {
      const { store } = shop;
      await store.event('product', { userId: 'sara', pid: 'p1' });
      await store.erase('sara');
      await store.event('product', { userId: 'sara', pid: 'p1' });
      expect((await store.vector('users', 'sara'))['weights']).not.toEqual([]);
    });

    test('takes an admin token of the role ops as well, and the audit list names nobody', async () => {
      const { store, whole } = shop;
      await store.event('product', { userId: 'gone-by-admin', pid: 'p1' });
      const erase = (role: 'ops' | 'relevance', id: string) =>
        whole.send({
          method: 'DELETE',
          path: `/admin/stores/users/users/${id}`,
          headers: { authorization: `Bearer ${whole.token(role)}` },
        });
      expect((await erase('relevance', 'gone-by-admin')).status).toBe(403);
      const { status, json } = await erase('ops', 'gone-by-admin');
      expect([status, json['erased']]).toEqual([200, expect.objectContaining({ events: 1 })]);
      expect(await store.exported('gone-by-admin')).toEqual([]);
      expect((await erase('ops', 'x'.repeat(257))).status).toBe(400);
      const audit = await whole.send({
        path: '/admin/audit?store=users',
        headers: { authorization: `Bearer ${whole.token()}` },
      });
      expect(audit.text).toContain('DELETE /admin/stores/:apiKey/users/:userId');
      expect(audit.text).not.toContain('gone-by-admin');
    });

    test('takes keys alone, and ids that are ids', async () => {
      const { store, whole } = shop;
      const erase = (path: string, headers: Record<string, string>) => whole.send({ method: 'DELETE', path, headers });
      expect((await erase('/v7/users/ana', { origin: store.keys.origin })).status).toBe(401);
      expect((await erase(`/v7/users/${'x'.repeat(257)}`, store.headers)).status).toBe(400);
      expect((await erase(`/v7/users/${encodeURIComponent('a/b ü')}`, store.headers)).status).toBe(200);
    });
  });

  test('exports everything known of a user', async () => {
    const { store, whole } = shop;
    const path = '/v7/users/tom';
    const body = { apiKey: store.keys.apiKey, secretKey: store.keys.secretKey, name: 'Tom', tags: ['vip'] };
    expect((await whole.send({ method: 'PUT', path, body })).status).toBe(204);
    await store.event('product', { userId: 'tom', deviceId: 'd1', pid: 'p1', note: 'mine' });
    const lines = await store.exported('tom');
    expect(lines.map(({ type }) => type)).toEqual(['profile', 'link', 'vector', 'event']);
    expect(lines[0]).toMatchObject({ userId: 'tom', attributes: { name: 'Tom', tags: ['vip'] } });
    expect(lines[0]?.['attributes']).not.toHaveProperty('secretKey');
    expect(lines[1]).toMatchObject({ deviceId: 'd1' });
    expect(lines[3]).toMatchObject({ name: 'product', verdict: 'counted', body: { note: 'mine', pid: 'p1' } });
  });

  test('erases a store with all its behaviour', async () => {
    const { whole } = shop;
    const other = await whole.store('doomed');
    await other.event('home', { userId: 'ana' });
    const reply = await other.admin({ method: 'DELETE', path: '' });
    expect(reply.status).toBe(202);
    const job = await shop.store.completed(String(reply.json['jobId']));
    expect(job['result']).toMatchObject({ erased: { behaviour: 1 } });
  });
});
