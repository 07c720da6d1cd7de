import { Readable } from 'node:stream';
import { aShop } from '../../builders/a-shop';
import { ImportFiles } from '../../../src/jobs/imports/import-files';
import { StoresService } from '../../../src/stores/stores.service';
import { signAdminToken } from '../../../src/stores/access/admin-tokens';
import { loadSecrets } from '../../../src/config/secrets';
import { Settings } from '../../../src/config/settings';
import { expectError } from '../../support/error-reply';
import { inspect, tokenOf } from '../../support/inspector';
import { describeModes } from '../../support/modes';
import { aCampaign, ShowcaseShop } from '../../support/showcase-shop';
import { type Json, must, QUERIES, type Reply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

/** A store, and the one that has its apiKey after it was deleted. Every time is the same: nothing but the store itself tells them apart. */
describeModes((mode) => {
  let service: WholeApp;
  let first: StoreClient;
  let successor: StoreClient;
  /** Issued for the first one. */
  let issued: { ops: string; relevance: string; inspection: string; clickUrl: string; link: string; px: string };
  let eraseJob: string;
  /** Of the first one, and read by nobody. */
  let upload: string;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    first = await service.store('herdada', { name: 'A primeira' });
    await first.putMany(aShop());
    const shop = new ShowcaseShop(first);
    await shop.campaign('verao', aCampaign(['veloz-06']));
    const card = await shop.card();
    const [product] = (await first.search({ terms: 'tênis' })).products;
    issued = {
      ops: service.token('ops', 'herdada'),
      relevance: service.token('relevance', 'herdada'),
      inspection: await tokenOf(first),
      clickUrl: String((product as Json | undefined)?.['clickUrl']),
      link: card.link,
      px: card.px,
    };
    must(await first.admin({ method: 'PATCH', path: '', body: { name: 'Segredo da primeira' } }), 200);
    const { id = '' } = service.app.get(StoresService).byApiKey('herdada') ?? {};
    upload = (await service.app.get(ImportFiles).stage(id, Readable.from([Buffer.from('{}')]))).file;
    eraseJob = String(must(await first.admin({ method: 'DELETE', path: '' }), 202)['jobId']);
    await first.completed(eraseJob);
    successor = await service.store('herdada', { name: 'A segunda' });
    await successor.putMany(aShop());
    await new ShowcaseShop(successor).campaign('verao', aCampaign(['veloz-06']));
  });
  afterAll(() => service.close());

  const asks = (token: string, path: string, method = 'GET', body?: object): Promise<Reply> =>
    service.send({ method, path, headers: { authorization: `Bearer ${token}` }, ...(body ? { body } : {}) });

  test('of the first not even an upload is left that nobody had read', async () => {
    expect(await service.app.get(ImportFiles).open(upload)).toBeNull();
  });

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['POST', '/secrets', {}],
    ['PUT', '/origins', { origins: [] }],
    ['GET', '/campaigns', undefined],
    ['POST', '/users/ana/export', undefined],
    ['DELETE', '', undefined],
  ])('an admin token of the first may not %s %s of its successor', async (method, path, body) => {
    for (const token of [issued.ops, issued.relevance]) {
      const reply = await asks(token, `/admin/stores/herdada${path}`, method, body);
      expect(expectError(reply).error).toBe('forbidden');
      expect(reply.text).not.toContain('secretKey');
    }
  });

  test('an admin token of the first lists nothing of its successor, and still sees its own job', async () => {
    for (const path of ['/admin/stores', '/admin/audit']) {
      expect([path, (await asks(issued.ops, path)).text]).toEqual([path, expect.not.stringContaining('herdada')]);
    }
    const reindex = must(await successor.admin({ method: 'POST', path: '/reindex' }), 202);
    const jobs = must(await asks(issued.ops, '/admin/jobs'), 200)['jobs'] as Json[];
    expect(jobs.map(({ id }) => id)).not.toContain(reindex['jobId']);
    expect((await asks(issued.ops, `/admin/jobs/${String(reindex['jobId'])}`)).status).toBe(403);
    expect((await asks(issued.ops, '/admin/jobs?store=herdada')).status).toBe(403);
    expect((await asks(issued.ops, `/admin/jobs/${eraseJob}`)).status).toBe(200);
  });

  test('an admin token of the successor opens it, and shows no change that was made to the first', async () => {
    const token = service.token('ops', 'herdada');
    expect(must(await asks(token, '/admin/stores/herdada'), 200)['name']).toBe('A segunda');
    must(await successor.admin({ method: 'PATCH', path: '', body: { name: 'Da segunda' } }), 200);
    const { text } = await asks(token, '/admin/audit');
    expect(text).toContain('Da segunda');
    expect(text).not.toContain('Segredo da primeira');
  });

  test('a token of before, which names the apiKey alone, is for the store that was there when it was issued', async () => {
    const secrets = loadSecrets(service.app.get(Settings));
    const at = (now: number): string =>
      signAdminToken(secrets, { role: 'ops', store: 'herdada' }, { now, days: 30 }).token;
    const now = service.clock.now();
    expect(expectError(await asks(at(now - 1000), '/admin/stores/herdada')).error).toBe('forbidden');
    expect((await asks(at(now), '/admin/stores/herdada')).status).toBe(200);
  });

  test('keys and inspection tokens of the first open nothing', async () => {
    const refused = await service.send({ path: QUERIES, query: { terms: 'tênis' }, headers: first.headers });
    expect(expectError(refused).error).toBe('invalid_keys');
    expect(expectError(await inspect(successor, issued.inspection, '/product/veloz-01')).error).toBe('invalid_token');
    expect((await inspect(successor, await tokenOf(successor), '/product/veloz-01')).status).toBe(200);
  });

  test('a search click of the first is none of its successor', async () => {
    const path = `/engage${issued.clickUrl}`;
    expect(expectError(await service.send({ path, query: { userId: 'ana' } })).error).toBe('invalid_parameter');
    expect((await successor.exported('ana')).filter(({ type }) => type === 'event')).toEqual([]);
  });

  test('a sponsored link of the first is none of its successor', async () => {
    const shop = new ShowcaseShop(successor);
    for (const link of [issued.link, issued.px]) expect((await shop.follow(link)).status).toBe(400);
    const { rows } = must(await successor.admin({ path: '/metrics/showcase' }), 200) as { rows: Json[] };
    expect(rows.map(({ clicks, views }) => [clicks, views])).toEqual(rows.map(() => [0, 0]));
  });
});
