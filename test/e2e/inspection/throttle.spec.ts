import { aProduct } from '../../builders/a-product';
import { expectError } from '../../support/error-reply';
import { authenticate, inspect, tokenOf } from '../../support/inspector';
import { describeModes } from '../../support/modes';
import type { Reply, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

describeModes((mode) => {
  let service: WholeApp;
  let client: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    client = await service.store('loja');
    await client.put(aProduct({ id: 'p', skus: [{ sku: 's' }] }));
  });
  afterAll(() => service.close());
  beforeEach(() => service.clock.advance(60_000));

  const limits = ({ headers }: Reply): (number | undefined)[] =>
    ['limit', 'remaining', 'reset'].map((name) => {
      const value = headers[`x-ratelimit-${name}`];
      return value === undefined ? undefined : Number(value);
    });

  test('ten requests a minute over all five routes together, then 429 until the minute is over', async () => {
    const token = await tokenOf(client);
    const paths = [
      '/product/p',
      '/product/nothing',
      '/product/p/sku/s',
      '/saleschannel/default/product/p',
      '/saleschannel/default/product/p/sku/s',
    ];
    const seen: unknown[] = [];
    for (let call = 0; call < 8; call += 1) {
      const reply = await inspect(client, token, paths[call % paths.length] ?? '');
      seen.push(limits(reply)[1]);
    }
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    service.clock.advance(20_000);
    const tenth = await authenticate(client);
    expect([tenth.status, limits(tenth)]).toEqual([200, [10, 0, 40]]);
    for (const send of [...paths.map((path) => () => inspect(client, token, path)), () => authenticate(client)]) {
      const refused = await send();
      expect(expectError(refused).error).toBe('too_many_requests');
      expect([refused.headers['retry-after'], limits(refused)]).toEqual(['40', [10, 0, 40]]);
    }
    service.clock.advance(40_000);
    expect(limits(await inspect(client, token, '/product/p'))).toEqual([10, 9, 60]);
  });

  test('one store’s requests take nothing from another’s, nor from its own searches and writes', async () => {
    const other = await service.store('outra');
    for (let call = 0; call < 11; call += 1) await authenticate(client);
    expect((await authenticate(client)).status).toBe(429);
    expect((await authenticate(other)).status).toBe(200);
    await client.put(aProduct({ id: 'p2' }));
    expect((await client.search({ terms: 'tênis' })).size).toBeGreaterThan(0);
  });

  test('failed authentications count against their address, never against the store', async () => {
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    const wrong = { body: { apiKey: 'loja', secretKey: 'wrong' }, headers: stranger };
    const token = await tokenOf(client);
    const guess = (): Promise<Reply> =>
      client.send({ path: '/product/p', headers: { ...stranger, authorization: 'Bearer x' } });
    for (let call = 0; call < 10; call += 1) {
      expect((await authenticate(client, wrong)).status).toBe(401);
      expect((await guess()).status).toBe(401);
    }
    for (const reply of [await authenticate(client, wrong), await guess()]) {
      expect(expectError(reply).error).toBe('too_many_requests');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      expect(limits(reply)).toEqual([undefined, undefined, undefined]);
    }
    // The store has lost nothing of its ten, one of which was its token; and valid keys pass from that very address.
    expect(limits(await authenticate(client, { headers: stranger }))).toEqual([10, 8, 60]);
    expect((await inspect(client, token, '/product/p')).status).toBe(200);
  });

  test('of many requests at once exactly ten pass', async () => {
    const replies = await Promise.all(Array.from({ length: 25 }, () => authenticate(client)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});
