import { aShop } from '../../builders/a-shop';
import { describeModes } from '../../support/modes';
import { type Json, type Query, type Reply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let whole: WholeApp;
  let store: StoreClient;
  let clickUrl: string;
  let product: string;
  let users = 0;

  beforeAll(async () => {
    whole = await startWholeApp(mode);
    store = await whole.store('cliques');
    await whole.store('outra');
    await store.putMany(aShop());
    const { products } = await store.search({ terms: 'tênis' });
    const last = products.at(-1) as Json & { id: string };
    [product, clickUrl] = [last.id, String(last['clickUrl'])];
  });
  afterAll(() => whole.close());

  const click = (query: Query, url = clickUrl, headers: Record<string, string> = {}): Promise<Reply> =>
    store.send({ path: `/engage${url}`, query, headers });
  const events = async (userId: string): Promise<Json[]> =>
    (await store.exported(userId)).filter(({ type }) => type === 'event');
  const someone = (): string => `user-${(users += 1)}`;

  it('is an event of its shopper, as the clickUrl was delivered', async () => {
    const userId = someone();
    const reply = await click({ userId, deviceId: 'd', source: 'desktop', interactionType: 'PRODUCT_VIEW' });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await events(userId)).toMatchObject([
      { name: 'click', verdict: 'counted', body: { pid: product, interactionType: 'PRODUCT_VIEW', source: 'desktop' } },
    ]);
    expect((await store.order({ terms: 'tênis', userId }))[0]).toBe(product);
  });

  it.each([
    ['GET', '', undefined],
    ['POST', '', 'text/plain;charset=UTF-8'],
    ['POST', '/engage', 'application/x-www-form-urlencoded'],
    ['POST', '/engage', undefined],
  ])('is counted by %s below %j, whatever the body (%s)', async (method, base, type) => {
    const userId = someone();
    const headers = type === undefined ? {} : { 'content-type': type };
    const body = method === 'POST' ? 'a=b&{' : undefined;
    const reply = await store.send({
      method,
      path: `${base}${clickUrl}&userId=${userId}`,
      headers,
      ...(body ? { body } : {}),
    });
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await events(userId)).toHaveLength(1);
  });

  it('counts once for a search, product, kind and shopper', async () => {
    const userId = someone();
    for (const interactionType of ['PRODUCT_VIEW', 'ADD_TO_CART', 'PRODUCT_VIEW', 'ADD_TO_CART']) {
      expect((await click({ userId, interactionType })).status).toBe(204);
    }
    expect(await events(userId)).toHaveLength(2);
    const { products } = await store.search({ terms: 'tênis' });
    const again = products.find(({ id }) => id === product) as Json;
    await click({ userId, interactionType: 'PRODUCT_VIEW' }, String(again['clickUrl']));
    expect(await events(userId)).toHaveLength(3);
  });

  it('of a bot is kept and teaches nothing', async () => {
    const userId = someone();
    await click({ userId }, clickUrl, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
    expect(await events(userId)).toMatchObject([{ verdict: 'bot' }]);
  });

  it('needs no shopper', async () => {
    expect((await click({})).status).toBe(204);
    expect((await click({ userId: 'x'.repeat(300), deviceId: 'd9' })).status).toBe(204);
  });

  it.each([
    ['a changed tracking id', (url: string) => url.replace(/trackingId=.{6}/, 'trackingId=AAAAAA'), 'trackingId'],
    ['none', (url: string) => url.replace(/&trackingId=.*/, ''), 'trackingId'],
    ['that of another store', (url: string) => url.replace('apiKey=cliques', 'apiKey=outra'), 'trackingId'],
    ['an unknown store', (url: string) => url.replace('apiKey=cliques', 'apiKey=nobody'), 'trackingId'],
    ['a strange kind', (url: string) => `${url}&interactionType=LOOK`, 'interactionType'],
  ])('is refused with %s', async (_what, change, path) => {
    const reply = await click({ userId: 'x' }, change(clickUrl));
    expect([reply.status, reply.json]).toMatchObject([400, { error: 'invalid_parameter', details: [{ path }] }]);
  });
});
