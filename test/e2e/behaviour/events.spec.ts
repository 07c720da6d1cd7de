import { EventLog, type StoredEvent } from '../../../src/behaviour/events/event-log';
import { StoresService } from '../../../src/stores/stores.service';
import { type Json, type Reply, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let whole: WholeApp;
  let store: StoreClient;

  beforeAll(async () => {
    whole = await startWholeApp(mode);
    store = await whole.store('events');
    await store.putMany(
      ['p1', 'p2', 'p3'].map((id) => ({
        id,
        name: `Tênis ${id}`,
        url: `https://events.example/${id}`,
        price: 100,
        images: { default: 'https://events.example/x.jpg' },
        categories: ['Moda > Calçados'],
        status: 'available',
        brand: 'Veloz',
      })),
    );
  });
  afterAll(() => whole.close());

  function send(
    name: string,
    body: unknown,
    headers: Record<string, string> = { origin: store.keys.origin },
  ): Promise<Reply> {
    return whole.send({ method: 'POST', path: `/v7/events/views/${name}`, headers, body });
  }

  async function logged(shopper?: `u:${string}` | `d:${string}`): Promise<StoredEvent[]> {
    const { id } = whole.app.get(StoresService).byApiKey('events')!;
    return whole.app.get(EventLog).read({ store: id, limit: 1000, ...(shopper ? { shopper } : {}) });
  }

  let users = 0;
  const someone = (): string => `user-${(users += 1)}`;

  describe('what is accepted', () => {
    const valid: [string, Json][] = [
      ['home', {}],
      ['category', { categories: ['Moda', 'Calçados'] }],
      ['subcategory', { categories: [{ id: '1', name: 'Moda' }], tags: ['a'], tag: null }],
      ['product', { pid: 'p1', sku: 1, price: '10.50' }],
      ['search', { query: 'tênis', items: [{ pid: 'p1' }, { pid: 2 }] }],
      ['emptysearch', { query: 'xyz' }],
      ['cart', { items: [] }],
      ['checkout', { anything: { goes: true } }],
      ['transaction', { id: 991, items: [{ pid: 'p1', quantity: '2', price: '9.9' }], total: '19.8' }],
      ['userprofile', { user: { id: 7, email: 'ana@mail.example' } }],
      ['landing_page', {}],
      ['not_found', {}],
      ['hotsite', {}],
      ['other', { salesChannel: ['a', 'b'] }],
      ['landingpage', {}],
      ['notfound', {}],
      ['empty_search', { query: 'a' }],
      ['user_profile', {}],
      ['confirmation', { id: '992', items: [{ pid: 'p1' }] }],
    ];
    test.each(valid)('takes %s, with 204 and nothing in the body', async (name, body) => {
      const userId = someone();
      const reply = await send(name, { userId, ...body });
      expect([reply.status, reply.text]).toEqual([204, '']);
      const [event] = await logged(`u:${'user' in body ? '7' : userId}`);
      expect(event?.body).toMatchObject(body);
    });

    test('resolves the other spellings of a name', async () => {
      const userId = someone();
      await send('confirmation', { userId, id: 'alias-1', items: [] });
      await send('notfound', { userId });
      expect((await logged(`u:${userId}`)).map(({ name }) => name)).toEqual(['transaction', 'not_found']);
    });

    test('reads JSON that comes as text/plain, as beacons send it', async () => {
      const userId = someone();
      const headers = { origin: store.keys.origin, 'content-type': 'text/plain;charset=UTF-8' };
      expect((await send('product', JSON.stringify({ userId, pid: 'p1' }), headers)).status).toBe(204);
      expect(await logged(`u:${userId}`)).toHaveLength(1);
    });

    test('takes keys in the body and never stores them', async () => {
      const userId = someone();
      const { apiKey, secretKey } = store.keys;
      expect((await send('product', { apiKey, secretKey, userId, pid: 'p1' }, {})).status).toBe(204);
      const [event] = await logged(`u:${userId}`);
      expect(event?.body).toEqual({ userId, pid: 'p1' });
    });

    test('takes odd ids of shoppers for absent ones', async () => {
      for (const odd of ['x'.repeat(257), '', null, { id: 1 }, ['a'], true]) {
        const reply = await send('product', { pid: 'p1', userId: odd, deviceId: odd, user: odd, identity: odd });
        expect(reply.status).toBe(204);
      }
      expect((await logged()).at(-1)).toMatchObject({ shopper: null, verdict: 'anonymous' });
    });

    test('knows a shopper by user.id before userId, a device by deviceId before identity.browserId', async () => {
      await send('home', {
        user: { id: 'inner' },
        userId: 'outer',
        deviceId: 'dev',
        identity: { browserId: 'browser' },
      });
      expect((await logged()).at(-1)).toMatchObject({ userId: 'inner', deviceId: 'dev' });
      await send('home', { identity: { browserId: 'browser' } });
      expect((await logged()).at(-1)).toMatchObject({ userId: null, deviceId: 'browser', shopper: 'd:browser' });
    });
  });

  describe('what is refused', () => {
    const invalid: [string, string, unknown, string][] = [
      ['a product view without pid', 'product', {}, 'pid'],
      ['a pid that is no id', 'product', { pid: { a: 1 } }, 'pid'],
      ['a pid that is too long', 'product', { pid: 'x'.repeat(257) }, 'pid'],
      ['a price that is no number', 'product', { pid: 'p1', price: 'cheap' }, 'price'],
      ['a search without query', 'search', {}, 'query'],
      ['a search with a blank query', 'search', { query: '  ' }, 'query'],
      ['an empty search without query', 'emptysearch', {}, 'query'],
      ['a cart without items', 'cart', {}, 'items'],
      ['items that are no list', 'cart', { items: { pid: 'p1' } }, 'items'],
      ['an item without pid', 'cart', { items: [{ pid: 'p1' }, { quantity: 1 }] }, 'items.1.pid'],
      ['a quantity that is no number', 'cart', { items: [{ pid: 'p1', quantity: 'two' }] }, 'items.0.quantity'],
      ['more than 500 items', 'cart', { items: Array.from({ length: 501 }, () => ({ pid: 'p1' })) }, 'items'],
      ['a transaction without id', 'transaction', { items: [] }, 'id'],
      ['a transaction without items', 'transaction', { id: '1' }, 'items'],
      ['a time that is none', 'home', { timestamp: 'yesterday' }, 'timestamp'],
      ['an event id that is none', 'home', { eventId: {} }, 'eventId'],
    ];
    test.each(invalid)('refuses %s, naming the field', async (_what, name, body, path) => {
      const reply = await send(name, body);
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ code: 400, error: 'invalid_body', details: [{ path }] });
    });

    test('refuses an unknown event, listing those there are', async () => {
      const reply = await send('purchase', {});
      expect(reply).toMatchObject({ status: 400, json: { error: 'invalid_parameter' } });
      expect(reply.json['message']).toContain('transaction');
    });

    test('refuses a body that is no object', async () => {
      expect((await send('home', [1])).status).toBe(400);
      expect((await send('home', '"text"', { origin: store.keys.origin, 'content-type': 'text/plain' })).status).toBe(
        400,
      );
    });

    test('refuses more than 64 KiB', async () => {
      expect((await send('home', { text: 'x'.repeat(65_536) })).status).toBe(413);
    });

    test('refuses strangers', async () => {
      expect((await send('home', {}, { origin: 'https://evil.example' })).status).toBe(403);
      expect((await send('home', {}, {})).status).toBe(401);
    });
  });

  describe('once only', () => {
    const count = async (userId: string): Promise<number> => (await logged(`u:${userId}`)).length;

    test('takes the same event id once for ever, also of strangers', async () => {
      const userId = someone();
      await send('product', { userId, pid: 'p1', eventId: 'once-1' });
      whole.clock.advance(86_400_000);
      await send('product', { userId, pid: 'p2', eventId: 'once-1' });
      expect(await count(userId)).toBe(1);
      const before = (await logged()).length;
      await send('product', { pid: 'p1', eventId: 'once-2' });
      await send('product', { pid: 'p1', eventId: 'once-2' });
      expect(await logged()).toHaveLength(before + 1);
    });

    test('takes the same content with a time once for ever, whatever the order of its fields', async () => {
      const userId = someone();
      const timestamp = whole.clock.now() - 1000;
      await send('product', { userId, pid: 'p1', timestamp });
      whole.clock.advance(86_400_000);
      await send('product', { timestamp, pid: 'p1', userId });
      expect(await count(userId)).toBe(1);
      await send('product', { userId, pid: 'p1', timestamp: timestamp + 1 });
      expect(await count(userId)).toBe(2);
    });

    test('takes the same content without a time once in 10 seconds', async () => {
      const userId = someone();
      await send('product', { userId, pid: 'p1' });
      whole.clock.advance(9999);
      await send('product', { userId, pid: 'p1' });
      await send('product', { userId, pid: 'p2' });
      expect(await count(userId)).toBe(2);
      whole.clock.advance(1);
      await send('product', { userId, pid: 'p1' });
      expect(await count(userId)).toBe(3);
    });

    test('takes one of many that arrive at once, and another shopper for another', async () => {
      const [first, second] = [someone(), someone()];
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send('product', { userId: index % 2 ? first : second, pid: 'p1' })),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
      expect([await count(first), await count(second)]).toEqual([1, 1]);
    });

    test('takes an order once, the first of it', async () => {
      const userId = someone();
      await send('transaction', { userId, id: 'order-1', items: [{ pid: 'p1' }] });
      whole.clock.advance(86_400_000);
      await send('confirmation', { userId, id: 'order-1', items: [{ pid: 'p1' }, { pid: 'p2' }] });
      const events = await logged(`u:${userId}`);
      expect(events.map(({ evidence }) => evidence?.items.length)).toEqual([1]);
    });

    test('never merges strangers', async () => {
      const before = (await logged()).length;
      const timestamp = whole.clock.now();
      for (let index = 0; index < 2; index += 1) await send('product', { pid: 'p1', timestamp });
      expect(await logged()).toHaveLength(before + 2);
    });
  });

  describe('when it happened', () => {
    const DAY = 86_400_000;
    const at = async (timestamp: unknown): Promise<number | undefined> => {
      const userId = someone();
      await send('home', { userId, timestamp });
      return (await logged(`u:${userId}`))[0]?.at;
    };

    test('believes the client for the last 7 days', async () => {
      const now = whole.clock.now();
      expect(await at(now - 7 * DAY)).toBe(now - 7 * DAY);
      expect(await at(String(now - DAY))).toBe(now - DAY);
      expect(await at(new Date(now - DAY).toISOString())).toBe(now - DAY);
    });

    test('takes its own time for what is older, or yet to come', async () => {
      const now = whole.clock.now();
      expect(await at(now - 7 * DAY - 1)).toBe(now);
      expect(await at(now + 1)).toBe(now);
      expect(await at(undefined)).toBe(now);
    });
  });
});
