import { EventLog, type StoredEvent } from '../../../src/behaviour/events/event-log';
import { LearningService } from '../../../src/behaviour/learning/learning.service';
import type { ShopperKey } from '../../../src/behaviour/shoppers/shopper';
import { StoresService } from '../../../src/stores/stores.service';
import { describeModes } from '../../support/modes';
import { type Json, must } from '../../support/store-client';
import { type Shop, startShop } from './shop';

/** Where strangers call from (RFC 5737). */
const STRANGER = '198.51.100.7';

describeModes((mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop('proof', mode);
  });
  afterAll(() => shop.close());

  async function send(name: string, body: Json, headers: Record<string, string>): Promise<void> {
    must(await shop.whole.send({ method: 'POST', path: `/v7/events/views/${name}`, headers, body }), 204);
  }
  const page = (name: string, body: Json, address = STRANGER): Promise<void> =>
    send(name, body, { origin: shop.store.keys.origin, 'x-forwarded-for': address });
  const backend = (name: string, body: Json): Promise<void> => send(name, body, shop.store.headers);
  const order = (id: string, ...pids: string[]): Json => ({ id, items: pids.map((pid) => ({ pid, quantity: 1 })) });

  const storeId = (): string => shop.whole.app.get(StoresService).byApiKey('proof')!.id;
  const logged = (shopper: ShopperKey): Promise<StoredEvent[]> =>
    shop.whole.app.get(EventLog).read({ store: storeId(), limit: 1000, shopper });
  const verdicts = async (shopper: ShopperKey): Promise<string[]> =>
    (await logged(shopper)).map(({ verdict }) => verdict);
  const brands = async (kind: 'users' | 'devices', id: string): Promise<string[]> =>
    ((await shop.store.vector(kind, id))['weights'] as { feature: string }[])
      .map(({ feature }) => feature)
      .filter((feature) => feature.startsWith('brand:'));

  test('an order that a page has claimed counts as the backend names it', async () => {
    await page('transaction', { deviceId: 'forger', ...order('order-1', 'p1') });
    expect(await brands('devices', 'forger')).toEqual(['brand:marca 1']);
    await shop.aggregated();
    await backend('transaction', { userId: 'ana', ...order('order-1', 'p2') });
    expect([await verdicts('d:forger'), await verdicts('u:ana')]).toEqual([['superseded'], ['counted']]);
    expect([await brands('devices', 'forger'), await brands('users', 'ana')]).toEqual([[], ['brand:marca 2']]);
    await page('transaction', { deviceId: 'late', ...order('order-1', 'p1') });
    await backend('transaction', { userId: 'ana', ...order('order-1', 'p2') });
    expect([await verdicts('d:late'), await verdicts('u:ana')]).toEqual([[], ['counted']]);
  });

  test('the page of the shop and its backend name an order both, and it counts once', async () => {
    const both = { userId: 'bia', ...order('order-2', 'p3') };
    await page('transaction', both);
    await backend('transaction', both);
    await page('transaction', both);
    expect((await verdicts('u:bia')).filter((verdict) => verdict === 'counted')).toHaveLength(1);
    expect((await verdicts('u:bia')).toSorted()).toEqual(['counted', 'superseded']);
  });

  test('an id of an event, or its content, can not be taken before its backend sends it', async () => {
    const view = { userId: 'cid', pid: 'p4', eventId: 'event-1' };
    await page('product', { ...view, userId: 'forger' });
    await backend('product', view);
    const timed = { userId: 'cid', pid: 'p5', timestamp: shop.whole.clock.now() };
    await page('product', timed);
    await backend('product', timed);
    const plain = { userId: 'cid', pid: 'p6' };
    await page('product', plain);
    await backend('product', plain);
    await page('product', plain);
    const counted = (await logged('u:cid')).filter(({ verdict, keyed }) => verdict === 'counted' && keyed);
    expect(counted.map(({ body }) => body['pid'])).toEqual(['p4', 'p5', 'p6']);
    expect(await verdicts('u:forger')).toEqual(['superseded']);
  });

  test("a flood under a shopper's id silences neither the shopper's page nor the backend", async () => {
    await Promise.all(
      Array.from({ length: 301 }, (_, n) => page('product', { userId: 'dora', pid: 'p7', eventId: `flood-${n}` })),
    );
    expect((await verdicts('u:dora')).filter((verdict) => verdict === 'flood')).toHaveLength(1);
    await page('product', { userId: 'dora', pid: 'p8' }, '203.0.113.9');
    await backend('transaction', { userId: 'dora', ...order('order-3', 'p9') });
    expect((await verdicts('u:dora')).slice(-2)).toEqual(['counted', 'counted']);
  });

  test('an address writes into so many profiles and no more', async () => {
    const store = await shop.whole.store('narrow', { settings: { limits: { originPerMinute: 1500 } } });
    await store.put({ id: 'p1', name: 'Tênis', brand: 'Veloz', categories: ['Moda'] });
    const victims = Array.from({ length: 302 }, (_, n) => `victim-${n}`);
    for (const userId of victims) await store.event('product', { userId, pid: 'p1' });
    const { id } = shop.whole.app.get(StoresService).byApiKey('narrow')!;
    const events = await shop.whole.app.get(EventLog).read({ store: id, limit: 1000 });
    expect(events.filter(({ verdict }) => verdict === 'flood')).toHaveLength(2);
  });

  test('300 orders of 300 devices, without keys, move nothing for anybody else', async () => {
    const learning = shop.whole.app.get(LearningService);
    const query = { terms: 'tênis', personalize: 'false' };
    for (const n of [10, 11, 12]) await backend('transaction', { userId: `u${n}`, ...order(`real-${n}`, `p${n}`) });
    await learning.run(storeId(), { force: true });
    const before = await shop.store.order(query);
    const forged = before.at(-1) ?? '';
    await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        page('transaction', { deviceId: `d${n}`, ...order(`forged-${n}`, forged, 'p1') }),
      ),
    );
    await learning.run(storeId(), { force: true });
    expect(await shop.store.order(query)).toEqual(before);
  });
});
