import { aProduct } from '../../builders/a-product';
import { expectError } from '../../support/error-reply';
import { describeModes } from '../../support/modes';
import { type Call, must, type Reply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const WHITELIST = [
  'store.example',
  '.shop.example',
  'https://secure.example',
  'port.example:8443',
  'dot.example.',
  'bücher.example',
  '.xn--mnchen-3ya.example',
  'localhost',
  '192.0.2.1',
  '[2001:db8::1]',
];

const FRIENDS = [
  'https://store.example',
  'http://store.example',
  'HTTPS://STORE.Example',
  'https://store.example:8443',
  'https://store.example.',
  'https://store.example.:444',
  'store.example',
  'https://shop.example',
  'https://a.b.shop.example',
  'https://A.SHOP.EXAMPLE.:3000',
  'https://secure.example',
  'https://secure.example:8443',
  'http://port.example:8443',
  'https://dot.example.',
  'https://xn--bcher-kva.example',
  'https://XN--BCHER-KVA.EXAMPLE',
  'https://xn--mnchen-3ya.example',
  'https://www.xn--mnchen-3ya.example',
  'http://localhost:3000',
  'http://192.0.2.1:8080',
  'http://[2001:db8::1]:8080',
  'http://[2001:DB8:0:0::1]',
];

const STRANGERS = [
  'https://evilstore.example',
  'https://store.example.evil.test',
  'https://www.store.example',
  'https://storeXexample',
  'https://store-example',
  'https://example',
  'https://evilshop.example',
  'https://shop.example.evil.test',
  'https://xshop.example',
  'https://.shop.example',
  'https://a..shop.example',
  'https://store.example..',
  'https://store.example@evil.test',
  'https://store.example:443@evil.test',
  'https://user@store.example',
  'https://user:pass@store.example',
  'https://evil.test/store.example',
  'https://evil.test#store.example',
  'https://evil.test?store.example',
  'https://evil.test\\store.example',
  'https://store.example/path',
  'https://store.example evil.test',
  'https://store.example, https://evil.test',
  'https://evil.test, https://store.example',
  'https://store.example%00.evil.test',
  'https://store.example%2eevil.test',
  'https://store%2eexample',
  'https://store.example:99999',
  'https://store.example:0',
  'https://store.example:port',
  'http://secure.example',
  'secure.example',
  'https://port.example',
  'https://port.example:443',
  'https://dot.example',
  // A letter of another script, an accent more, and the name it stands for undone.
  'https://xn--stre-6na.example',
  'https://xn--stor-hpa.example',
  'https://xn--store-.example',
  'https://bucher.example',
  'https://xn--bcher-kva.example.evil.test',
  'https://munchen.example',
  'https://localhost.evil.test',
  'https://192.0.2.10',
  'https://192.0.2.1.evil.test',
  'http://[2001:db8::11]',
  'null',
  'NULL',
  'undefined',
  'about:blank',
  'file://',
  'https://',
  '*',
  '.',
];

describeModes((mode) => {
  let service: WholeApp;
  let client: StoreClient;
  let other: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    client = await service.store('loja', { origins: WHITELIST });
    other = await service.store('outra');
    await client.put(aProduct({ id: 'p' }));
  });
  afterAll(() => service.close());

  const doors: Call[] = [
    { method: 'POST', path: '/v7/events/views/home', body: { userId: 'ana' } },
    { path: '/searchapi/v3/queries', query: { terms: 'tênis' } },
    { path: '/searchapi/v3/search', query: { terms: 'tênis' } },
    { path: '/engage/search/v3/search', query: { terms: 'tênis' } },
  ];
  const from = (door: Call, origin: string): Promise<Reply> => client.send({ ...door, headers: { origin } });

  describe.each(doors)('$path', (door) => {
    test.each(FRIENDS)('%s is let in, and its pages may read the answer', async (origin) => {
      const reply = await from(door, origin);
      expect(reply.status).toBeLessThan(300);
      expect(reply.headers['access-control-allow-origin']).toBe(origin);
      expect(reply.headers['access-control-allow-credentials']).toBe('true');
    });

    test.each(STRANGERS)('%s is a stranger', async (origin) => {
      const reply = await from(door, origin);
      expect([reply.status, expectError(reply).error]).toEqual([403, 'origin_not_allowed']);
      const cors = Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'));
      expect([cors, reply.headers['vary']]).toEqual([[], 'Origin']);
    });
  });

  describe('a preflight', () => {
    const preflight = (origin: string): Promise<Reply> =>
      client.send({
        method: 'OPTIONS',
        path: '/v7/events/views/home',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      });

    test.each(['https://store.example', 'https://a.b.shop.example'])('of %s is answered', async (origin) => {
      const { status, headers } = await preflight(origin);
      expect([status, headers['access-control-allow-origin']]).toEqual([204, origin]);
      expect(headers['access-control-allow-headers']).toBe(
        'content-type, x-api-key, x-secret-key, x-user-id, x-host, x-integration-platform, x-integration-type, x-integration-version',
      );
    });

    test.each(['https://evilstore.example', 'null'])('of %s gets no CORS header', async (origin) => {
      const { headers } = await preflight(origin);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    });
  });

  describe('an entry of the whitelist', () => {
    const set = (store: StoreClient, origins: string[]): Promise<Reply> =>
      store.admin({ method: 'PUT', path: '/origins', body: { origins } });

    test.each([
      'com',
      '.com',
      'com.br',
      '.com.br',
      'co.uk',
      '.co.uk',
      '.github.io',
      '.s3.amazonaws.com',
      '.example',
      '.xn--p1ai',
      '*.store.example',
      '*',
      'null',
      'https://',
      'user@store.example',
      'store.example/path',
      'store.example?x',
      'two words.example',
      'a..b.example',
      '.192.0.2.1',
      '.[::1]',
      'x'.repeat(254),
      '-a.example',
    ])('%s is refused: 400', async (entry) => {
      const reply = await set(other, ['fine.example', entry]);
      expect(expectError(reply)).toMatchObject({ error: 'invalid_body', paths: ['origins.1'] });
    });

    test.each([
      'store.example',
      'STORE.EXAMPLE.',
      'http://store.example:81',
      '.store.example',
      'shop.example',
      '.shop.example',
      'a.shop.example',
      '.deep.a.shop.example',
      'http://secure.example',
      'port.example:1',
      'xn--bcher-kva.example',
      'BÜCHER.example',
      'www.münchen.example',
      '192.0.2.1',
      '[2001:db8:0:0:0:0:0:1]',
      'localhost:9999',
    ])('%s overlaps what another store holds: 409', async (entry) => {
      expect(expectError(await set(other, ['fine.example', entry])).error).toBe('conflict');
      const made = await client.send({
        method: 'POST',
        path: '/admin/stores',
        headers: { authorization: `Bearer ${service.token()}` },
        body: { name: 'Third', origins: [entry] },
      });
      expect(expectError(made).error).toBe('conflict');
    });

    test.each([
      'www.store.example',
      'evilstore.example',
      'store.example.evil.test',
      'myshop.example',
      'shop.github.io',
    ])('%s beside another store’s is nobody else’s, and each lets in its own', async (entry) => {
      must(await set(other, [entry]), 200);
      const search = doors[1] as Call;
      const apiKeys = { loja: 'https://store.example', outra: `https://${entry}` };
      for (const [apiKey, origin] of Object.entries(apiKeys)) {
        const own = { ...search, query: { ...search.query, apiKey } };
        expect((await from(own, origin)).status).toBe(200);
        const foreign = { ...search, query: { ...search.query, apiKey: apiKey === 'loja' ? 'outra' : 'loja' } };
        expect(expectError(await from(foreign, origin)).error).toBe('origin_not_allowed');
      }
    });
  });
});
