import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from 'iconv-lite';
import { aProduct } from '../../builders/a-product';
import { describeModes } from '../../support/modes';
import { type Json, must } from '../../support/store-client';
import { FeedShop, ndjson } from './support';

/** A server with one feed, as shops have them. */
class FeedServer {
  feed = '';
  etag = '"1"';
  status = 200;
  /** Where it sends who asks; null: nowhere. */
  redirect: string | null = null;
  asked: IncomingMessage['headers'][] = [];
  private server: Server = createServer((request, response) => this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/feed.ndjson`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private answer({ headers }: IncomingMessage, response: ServerResponse): void {
    this.asked.push(headers);
    if (this.redirect !== null) {
      response.writeHead(302, { location: this.redirect }).end();
      return;
    }
    const isKnown = headers['if-none-match'] === this.etag;
    response.writeHead(isKnown ? 304 : this.status, { etag: this.etag });
    response.end(isKnown ? undefined : this.feed);
  }
}

describeModes((mode) => {
  let shop: FeedShop;
  let server: FeedServer;
  let url: string;
  beforeAll(async () => {
    shop = await FeedShop.start(mode);
    server = new FeedServer();
    url = await server.start();
    const feedHosts = ['127.0.0.1'];
    must(await shop.store.admin({ method: 'PATCH', path: '', body: { settings: { feedHosts } } }), 200);
  });
  afterAll(async () => {
    server.close();
    await shop.close();
  });

  const call = async (method: string, path: string, body?: Json): Promise<Json> => {
    const reply = await shop.store.admin({ method, path, ...(body ? { body } : {}) });
    return { status: reply.status, ...reply.json };
  };
  const ran = async (name: string): Promise<Json> =>
    shop.ended(String((await call('POST', `/feeds/${name}/run`))['jobId']));

  test('a feed is fetched with its password, and only imported where it has changed', async () => {
    server.feed = ndjson([aProduct({ id: 'f1' }), aProduct({ id: 'f2' })]);
    const feed = { url, mode: 'full', every: '6h', user: 'shop', password: 'pa:ss' };
    const put = await call('PUT', '/feeds/main', feed);
    expect(put).toMatchObject({ status: 200, name: 'main', user: 'shop', every: '6h', outcomes: [] });
    expect(JSON.stringify(put)).not.toContain('pa:ss');
    expect((await ran('main'))['result']).toMatchObject({ accepted: 2 });
    expect(server.asked.at(-1)?.authorization).toBe(`Basic ${Buffer.from('shop:pa:ss').toString('base64')}`);
    expect((await ran('main'))['result']).toMatchObject({ accepted: 0, unchanged: 0, notModified: true });
    server.etag = '"2"';
    server.feed = ndjson([aProduct({ id: 'f1', price: 3 }), aProduct({ id: 'f2' })]);
    expect((await ran('main'))['result']).toMatchObject({ accepted: 1, unchanged: 1 });
    const { feeds } = (await call('GET', '/feeds')) as unknown as { feeds: Json[] };
    expect(feeds[0]?.['outcomes']).toMatchObject([
      { state: 'completed', accepted: 1, unchanged: 1 },
      { state: 'completed', notModified: true },
      { state: 'completed', accepted: 2 },
    ]);
    expect(JSON.stringify(feeds)).not.toContain('pa:ss');
    expect(feeds[0]?.['nextAt']).toBe(new Date(shop.app.clock.now() + 6 * 3_600_000).toISOString());
  });

  test('a feed is imported by itself when its time has come, and not again before the next time', async () => {
    const headers = { authorization: `Bearer ${shop.app.token()}` };
    const look = async (): Promise<unknown> => {
      const path = '/admin/schedules/catalog.feeds/run';
      const { jobId } = must(await shop.app.send({ method: 'POST', path, headers }), 202);
      return (await shop.ended(String(jobId)))['result'];
    };
    const outcomes = async (): Promise<Json[]> => (await call('GET', '/feeds/timely'))['outcomes'] as Json[];
    expect(await look()).toEqual({ started: 0 });
    server.feed = ndjson([aProduct({ id: 'timely' })]);
    const feed = { url: `${url}?timely`, mode: 'partial', every: '1d' };
    expect(await call('PUT', '/feeds/timely', feed)).toMatchObject({ status: 200 });
    expect(await look()).toEqual({ started: 1 });
    while ((await outcomes())[0]?.['state'] !== 'completed') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await outcomes()).toMatchObject([{ accepted: 1 }]);
    expect(await look()).toEqual({ started: 0 });
    expect(await call('DELETE', '/feeds/timely')).toMatchObject({ status: 204 });
  });

  test('a feed that is not there, or on a network of its own, fails and says so', async () => {
    server.status = 404;
    await call('PUT', '/feeds/gone', { url: `${url}?x`, mode: 'partial', every: '15m' });
    expect((await ran('gone'))['error']).toMatch(/^127\.0\.0\.1:\d+ answered 404 to the request for the feed$/);
    server.status = 200;
    await call('PUT', '/feeds/inner', { url: 'http://localhost/feed', mode: 'partial', every: '1d' });
    expect(await ran('inner')).toMatchObject({
      state: 'failed',
      attempts: 1,
      error: expect.stringContaining('its host is not on the internet') as string,
    });
    expect(await call('DELETE', '/feeds/inner')).toMatchObject({ status: 204 });
    expect(await call('POST', '/feeds/inner/run')).toMatchObject({ status: 404 });
    expect(await call('PUT', '/feeds/often', { url, mode: 'full', every: '5m' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('at least 15m') as string,
    });
  });

  test('an address of a network of its own is refused when it is set', async () => {
    const refused = { status: 400, error: 'invalid_body', message: expect.stringContaining('is not asked') as string };
    for (const host of ['169.254.169.254', '10.0.0.1', '[::1]', '[::ffff:192.168.0.1]', '0x7f.1.2.3', '2130706434']) {
      const address = { url: `http://${host}/latest` };
      expect(await call('PUT', '/feeds/inside', { ...address, mode: 'partial', every: '1d' })).toMatchObject(refused);
      expect(await call('POST', '/imports?mode=partial', address)).toMatchObject(refused);
    }
    expect(await call('GET', '/feeds/inside')).toMatchObject({ status: 404 });
  });

  test('a redirect to a network of its own is not followed', async () => {
    const port = new URL(url).port;
    const asked = server.asked.length;
    const hosts = [`localhost:${port}`, `127.0.0.2:${port}`, `[::1]:${port}`, '169.254.169.254'];
    for (const host of hosts) {
      server.redirect = `http://${host}/feed.ndjson`;
      const reply = await call('POST', '/imports?mode=partial', { url });
      expect(await shop.ended(String(reply['jobId']))).toMatchObject({
        state: 'failed',
        attempts: 1,
        error: expect.stringMatching(/is not asked: its host is (not on the internet|link-local)/) as string,
      });
    }
    server.redirect = null;
    // The one that redirects, and nobody else.
    expect(server.asked.length - asked).toBe(hosts.length);
  });

  test('a single feed is fetched by its address', async () => {
    server.feed = ndjson([aProduct({ id: 'u1' })]);
    const reply = await call('POST', '/imports?mode=partial', { url });
    expect((await shop.ended(String(reply['jobId'])))['result']).toMatchObject({ accepted: 1 });
    expect(await call('POST', '/imports?mode=partial', { url: 'ftp://x/y' })).toMatchObject({ status: 400 });
  });

  test('a mapping says where the fields are, is tried first, and then used by feeds', async () => {
    const mapping = {
      fields: {
        id: 'sku',
        name: 'titulo',
        url: '{pagina}?utm=feed',
        price: 'por',
        'images.default': 'foto',
        status: 'situ',
      },
      values: { status: { S: 'available', N: 'unavailable' } },
    };
    expect(await call('PUT', '/mappings/erp', mapping)).toMatchObject({ status: 200, version: 1, mapping });
    expect(await call('PUT', '/mappings/erp', mapping)).toMatchObject({ version: 1 });
    const table =
      'sku,titulo,pagina,por,foto,situ,categoria,cor\nm1,Copo,https://l/m1,"10,50",https://i/m1,S,Casa,azul\n';
    expect(await call('POST', '/mappings/try', { mapping: 'erp', sample: table })).toMatchObject({
      format: 'csv',
      delimiter: ',',
      products: [{ id: 'm1', line: 2, product: { price: 10.5, details: { cor: 'azul' } }, problems: [] }],
    });
    const tried = await shop.imported(table, { mapping: 'erp', dryRun: 'true' });
    const product = {
      id: 'm1',
      name: 'Copo',
      url: 'https://l/m1?utm=feed',
      price: 10.5,
      images: { default: 'https://i/m1' },
      status: 'available',
      categories: 'Casa',
      details: { cor: 'azul' },
    };
    expect(tried['samples']).toMatchObject({ added: [{ id: 'm1', product }] });
    server.feed = table;
    server.etag = '"m"';
    await call('PUT', '/feeds/erp', { url: `${url}?erp`, mode: 'partial', every: '1h', mapping: 'erp' });
    expect((await ran('erp'))['result']).toMatchObject({ accepted: 1 });
    expect(await shop.product('m1')).toMatchObject({ price: 10.5, url: 'https://l/m1?utm=feed' });
    // Read in another way the same feed is another one.
    const other = { ...mapping, values: { status: { S: 'unavailable' } } };
    expect(await call('PUT', '/mappings/erp', other)).toMatchObject({ version: 2 });
    expect((await ran('erp'))['result']).toMatchObject({ accepted: 1 });
    expect(await call('GET', '/mappings/erp?version=1')).toMatchObject({ version: 1, mapping });
    expect(await call('PUT', '/feeds/x', { url, mode: 'full', every: '1h', mapping: 'none' })).toMatchObject({
      status: 404,
    });
    expect(await call('PUT', '/mappings/bad', { fields: { '': 'x' } })).toMatchObject({ status: 400 });
  });

  describe('a mapping that is tried on the beginning of a feed', () => {
    const tried = (body: Json, query = ''): Promise<Json> => call('POST', `/mappings/try${query}`, body);

    test('shows products as they would be sent, what they lack and what is refused, and saves nothing', async () => {
      const rows = ['cod;valor;nome', 't1;1.299,90;Pé', 't2;caro;Mão'].join('\n');
      const base64 = encode(rows, 'windows-1252').toString('base64');
      const mapping = { fields: { id: 'cod', price: 'valor', name: 'nome', url: 'https://l/{cod}' } };
      const shown = await tried({ mapping, base64 });
      expect(shown).toMatchObject({ status: 200, format: 'csv', encoding: 'windows-1252', delimiter: ';', quote: '"' });
      expect(shown['products']).toEqual([
        {
          id: 't1',
          line: 2,
          product: { id: 't1', price: 1299.9, name: 'Pé', url: 'https://l/t1' },
          problems: ['images.default is missing', 'categories is missing', 'status is missing'],
        },
      ]);
      expect(shown).toMatchObject({ rejected: 1, errors: [{ line: 3, id: 't2', error: 'invalid_body' }] });
      expect(shown['stopped']).toBeUndefined();
      const { mappings } = (await call('GET', '/mappings')) as { mappings?: Json[] };
      expect(mappings?.map(({ name }) => name)).not.toContain('try');
      expect(await shop.product('t1')).toBeUndefined();
    });

    test('reads as it is told to, and says why it can read nothing', async () => {
      const named = await tried({ sample: 'n|p\na|7' }, '?columns=id:n,price:p');
      expect(named).toMatchObject({ delimiter: '|', products: [{ id: 'a', product: { price: 7 } }] });
      const cut = { products: [{ id: 'a' }], stopped: expect.stringContaining('cut off') as string };
      expect(await tried({ sample: '[{"id":"a"},{"id":"b"' })).toMatchObject(cut);
      expect(await tried({ sample: '[{"id":"a"' })).toMatchObject({
        status: 400,
        message: expect.stringContaining('cut off') as string,
      });
      expect(await tried({ sample: 'id,name' })).toMatchObject({ status: 200, products: [], rejected: 0 });
      expect(await tried({})).toMatchObject({
        status: 400,
        message: expect.stringContaining('sample or base64') as string,
      });
      expect(await tried({ sample: 'x', base64: 'eA==' })).toMatchObject({ status: 400 });
      expect(await tried({ sample: 'id\na', mapping: 'none' })).toMatchObject({ status: 404 });
      expect(await tried({ sample: 'id\na' }, '?format=xls')).toMatchObject({ status: 400 });
    });
  });
});
