import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { ProfilesService, type ShopperProfile } from '../../../src/behaviour/profiles/profiles.service';
import { buildBoosts } from '../../../src/ranking/affinity';
import { defaultTemplate } from '../../../src/ranking/template/template';
import type { Store } from '../../../src/stores/store';
import { StoresService } from '../../../src/stores/stores.service';
import type { Json } from '../../support/store-client';
import { type Shop, startShop } from './shop';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop('profiles', mode);
  });
  afterAll(() => shop.close());

  const storeOf = (): Store => shop.whole.app.get(StoresService).byApiKey('profiles')!;
  const read = async (userId?: string, deviceId?: string): Promise<ShopperProfile> => {
    const stored = await shop.whole.app.get(ProfilesService).look(storeOf(), { userId, deviceId });
    return 'stamp' in stored ? stored.profile(defaultTemplate) : stored;
  };

  /** What search ranks with, as text: equal only if every bit is. */
  async function ranking(at: number, userId?: string, deviceId?: string): Promise<string> {
    const profile = await read(userId, deviceId);
    if (profile.kind === 'none') return profile.reason;
    const { vectors, stats } = profile;
    const boosts = buildBoosts({ vectors, stats, template: defaultTemplate, now: at });
    return JSON.stringify([profile.kind, boosts.evidence, [...boosts.featureWeights]]);
  }

  async function busy(shopper: Json, seed: number): Promise<void> {
    for (let step = 0; step < 12; step += 1) {
      const pid = `p${(seed * 7 + step * 3) % 40}`;
      if (step % 4 === 0) await shop.store.event('cart', { ...shopper, items: [{ pid }, { pid: `p${step}` }] });
      else if (step % 5 === 0)
        await shop.store.event('transaction', { ...shopper, id: `o${seed}-${step}`, items: [{ pid }] });
      else await shop.store.event('product', { ...shopper, pid });
      shop.whole.clock.advance(61_000);
    }
  }

  describe('jobs and rankings', () => {
    test('no job moves a ranking, not by a bit', async () => {
      await busy({ userId: 'ana' }, 1);
      await shop.whole.app.get(LearningService).run(storeOf().id, { force: true });
      const at = shop.whole.clock.now();
      const before = await ranking(at, 'ana');
      expect(JSON.parse(before)).toMatchObject(['user', expect.any(Number), expect.arrayContaining([])]);
      await shop.aggregated();
      expect((await shop.store.vector('users', 'ana'))['overlay']).toEqual([]);
      expect(await ranking(at, 'ana')).toBe(before);
      await shop.store.rebuild({ userId: 'ana' });
      expect(await ranking(at, 'ana')).toBe(before);
      await shop.store.rebuild();
      expect(await ranking(at, 'ana')).toBe(before);
    });

    test('half of it aggregated, the other half recent, is the same as all of it', async () => {
      await busy({ userId: 'half' }, 2);
      await shop.aggregated();
      await busy({ userId: 'half' }, 3);
      const at = shop.whole.clock.now();
      const before = await ranking(at, 'half');
      await shop.aggregated();
      expect(await ranking(at, 'half')).toBe(before);
      await shop.store.rebuild();
      expect(await ranking(at, 'half')).toBe(before);
    });

    test('the next read reflects an event', async () => {
      const at = shop.whole.clock.now();
      expect(await ranking(at, 'fresh')).toBe('no_profile');
      await shop.store.event('product', { userId: 'fresh', pid: 'p3' });
      expect(await ranking(at, 'fresh')).toContain('product:p3');
    });
  });

  describe('whose profile', () => {
    const kind = async (userId?: string, deviceId?: string): Promise<string> => {
      const profile = await read(userId, deviceId);
      return profile.kind === 'none' ? profile.reason : profile.kind;
    };

    test('is the user, the device, or both merged where both hold evidence', async () => {
      expect(await kind()).toBe('no_profile');
      await shop.store.event('product', { userId: 'carl', pid: 'p1' });
      expect(await kind('carl', 'tablet')).toBe('user');
      await shop.store.event('product', { deviceId: 'tablet', pid: 'p2' });
      expect(await kind('carl', 'tablet')).toBe('merged');
      expect(await kind(undefined, 'tablet')).toBe('device');
      expect(await kind('stranger', 'tablet')).toBe('device');
      const at = shop.whole.clock.now();
      expect(await ranking(at, 'carl', 'tablet')).toContain('product:p2');
      expect(await ranking(at, 'carl', 'tablet')).toBe(await ranking(at, 'carl', 'tablet'));
    });

    test('a user inherits what the device did, and the next user of the device nothing', async () => {
      await shop.store.event('product', { deviceId: 'shared', pid: 'p5' });
      await shop.aggregated();
      await shop.store.event('home', { userId: 'dora', deviceId: 'shared' });
      expect(await kind('dora')).toBe('user');
      expect(await kind(undefined, 'shared')).toBe('no_profile');
      await shop.store.event('home', { userId: 'edu', deviceId: 'shared' });
      expect(await kind('edu', 'shared')).toBe('no_profile');
      expect(await kind('dora', 'shared')).toBe('user');
    });

    test('is nobody of a user who opted out, until that is taken back', async () => {
      const { store, whole } = shop;
      const put = (body: Json) => whole.send({ method: 'PUT', path: '/v7/users/olga', headers: store.headers, body });
      await store.event('product', { userId: 'olga', pid: 'p1' });
      expect((await put({ personalize: false, plan: 'gold' })).status).toBe(204);
      expect(await kind('olga')).toBe('opted_out');
      await store.event('product', { userId: 'olga', pid: 'p2' });
      expect((await put({ plan: 'gold' })).status).toBe(204);
      expect(await kind('olga')).toBe('user');
      const { weights } = (await store.vector('users', 'olga')) as { weights: { feature: string }[] };
      const products = weights.map(({ feature }) => feature).filter((feature) => feature.startsWith('product:'));
      expect(products).toEqual(['product:p1']);
      expect((await put({ personalize: 'no' })).status).toBe(400);
    });

    test('is nobody of a user who was erased', async () => {
      await shop.store.event('product', { userId: 'gone', pid: 'p1' });
      await shop.store.erase('gone');
      expect(await kind('gone')).toBe('erased');
      await shop.store.event('product', { userId: 'gone', pid: 'p1' });
      expect(await kind('gone')).toBe('user');
    });
  });

  describe('a vector as people see it', () => {
    test('says of every weight where it comes from, and what is still of the session', async () => {
      await shop.store.event('transaction', { userId: 'vera', id: 'v1', items: [{ pid: 'p4' }] });
      await shop.aggregated();
      await shop.store.event('product', { userId: 'vera', pid: 'p8' });
      const vector = await shop.store.vector('users', 'vera');
      expect(vector).toMatchObject({
        userId: 'vera',
        price: [{ category: 'moda', mean: expect.closeTo(Math.log(104.4), 1) }],
      });
      // The newest event that counts, recent ones included.
      expect(vector['updatedAt']).toBe(new Date(shop.whole.clock.time).toISOString());
      const weights = vector['weights'] as { feature: string; weight: number; sources: Json[] }[];
      const brand = weights.find(({ feature }) => feature === 'brand:marca 0');
      expect(brand?.weight).toBeCloseTo(1.125, 3);
      expect(brand?.sources).toMatchObject([
        { event: 'transaction', count: 1, last: expect.stringMatching(/Z$/) },
        { event: 'product', count: 1 },
      ]);
      const recentEvents = vector['overlay'] as { feature: string; weight: number }[];
      expect(recentEvents.find(({ feature }) => feature === 'brand:marca 0')?.weight).toBeCloseTo(0.125, 6);
      expect(recentEvents.some(({ feature }) => feature === 'product:p4')).toBe(false);
    });

    test('is there for devices, and empty for strangers', async () => {
      await shop.store.event('product', { deviceId: 'kiosk', pid: 'p1' });
      expect((await shop.store.vector('devices', 'kiosk'))['weights']).not.toEqual([]);
      expect(await shop.store.vector('users', 'nobody')).toEqual({
        userId: 'nobody',
        updatedAt: null,
        weights: [],
        price: [],
        overlay: [],
      });
    });

    test('is shown to both roles, rebuilt by ops alone', async () => {
      const call = (role: 'ops' | 'relevance' | null, method: string, path: string) =>
        shop.whole.send({
          method,
          path: `/admin/stores/profiles${path}`,
          headers: role ? { authorization: `Bearer ${shop.whole.token(role)}` } : {},
        });
      expect((await call('relevance', 'GET', '/users/ana/vector')).status).toBe(200);
      expect((await call(null, 'GET', '/users/ana/vector')).status).toBe(401);
      expect((await call('relevance', 'POST', '/vectors/rebuild')).status).toBe(403);
      expect((await call('relevance', 'POST', '/users/ana/export')).status).toBe(403);
      expect((await call('ops', 'POST', '/vectors/rebuild')).status).toBe(202);
    });
  });

  test('a changed half-life rebuilds the vectors of the store', async () => {
    await shop.store.event('product', { userId: 'hal', pid: 'p1' });
    await shop.aggregated();
    const before = await shop.store.vector('users', 'hal');
    await shop.store.admin({ method: 'PATCH', path: '', body: { settings: { halfLife: { view: '1d' } } } });
    shop.whole.clock.advance(5 * 86_400_000);
    const weight = (vector: Json): number => (vector['weights'] as { weight: number }[])[0]?.weight ?? 0;
    for (let tries = 0; tries < 200; tries += 1) {
      if (weight(await shop.store.vector('users', 'hal')) < weight(before) / 20) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('The vector kept the old half-life');
  });
});
