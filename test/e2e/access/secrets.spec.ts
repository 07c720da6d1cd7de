import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aShop } from '../../builders/a-shop';
import { expectError } from '../../support/error-reply';
import { authenticate, inspect, tokenOf } from '../../support/inspector';
import { describeModes, embeddedMode } from '../../support/modes';
import { ServiceProcess } from '../../support/service-process';
import { type Call, must, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const [OLD, FRESH] = ['o'.repeat(32), 'n'.repeat(32)] as const;

describeModes((mode) => {
  test('tokens and keys outlive the change of what signs them, for as long as both are set', async () => {
    const place = mode.place();
    const run = async (adminSecret: string, work: (app: WholeApp) => Promise<void>): Promise<void> => {
      const app = await startWholeApp(mode, { place, env: { ADMIN_SECRET: adminSecret } });
      await work(app);
      await app.close();
    };
    let client: StoreClient;
    let tokens: Record<'admin' | 'inspection', string>;
    const opened = async (app: WholeApp): Promise<number[]> => {
      const store = client.through(app.send);
      const headers = { authorization: `Bearer ${tokens.admin}` };
      return [
        (await app.send({ path: '/admin/stores/loja', headers })).status,
        (await inspect(store, tokens.inspection, '/product/none')).status,
        (await authenticate(store)).status,
      ];
    };
    await run(OLD, async (app) => {
      client = await app.store('loja');
      tokens = { admin: app.token(), inspection: await tokenOf(client) };
      expect(await opened(app)).toEqual([200, 404, 200]);
    });
    await run(`${FRESH},${OLD}`, async (app) => {
      expect(await opened(app)).toEqual([200, 404, 200]);
      // Changes queue up behind each other: after this one, the hash of the store's secret has been made again.
      must(
        await client.through(app.send).send({ ...rename, headers: { authorization: `Bearer ${app.token()}` } }),
        200,
      );
    });
    await run(FRESH, async (app) => expect(await opened(app)).toEqual([401, 401, 200]));
    await place.remove();
  });

  test('a secret is in no log line, reply, link or metric, wherever it was sent', async () => {
    const app = await startWholeApp(mode, { logLevel: 'trace' });
    try {
      const client = await app.store('loja');
      await client.putMany(aShop());
      const { secretKey } = client.keys;
      const token = await tokenOf(client);
      app.forgetLog();
      const encoded = [...secretKey].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
      const keys = { apiKey: 'loja', secretKey };
      const body = (value: unknown): Partial<Call> => ({
        method: 'POST',
        body: value,
        headers: { 'content-type': 'application/json' },
      });
      const calls: Call[] = [
        { path: '/searchapi/v3/queries', query: { terms: 'tênis', resultsPerPage: 2, ...keys } },
        { path: `/searchapi/v3/queries?terms=x&SECRETKEY=${encoded}&apikey=loja` },
        { path: `/searchapi/v3/queries?terms=x&secret%4Bey=${secretKey}` },
        { path: `/searchapi/v3/queries?terms=x&%2573ecretKey=${secretKey}` },
        { path: '/searchapi/v3/queries', query: { terms: 'x' }, headers: { ...client.headers, 'x-api-key': 'nobody' } },
        { path: '/nowhere', query: keys },
        { path: '/admin/stores', query: { token, ...keys } },
        { path: '/product/p', headers: { authorization: `Bearer ${token}x` } },
        { path: '/authenticate', ...body({ ...keys, apiKey: 'nobody' }) },
        { path: '/authenticate', ...body(`{"apiKey":"loja","secretKey":"${secretKey}"x}`) },
        { path: '/authenticate', ...body(`{"apiKey":"loja","secretKey":${secretKey}}`) },
        { path: '/v7/events/views/product', ...body(keys) },
        { path: '/v7/products/p', ...body({ ...keys, price: {} }), method: 'PUT' },
        { path: '/metrics' },
      ];
      let shown = '';
      for (const call of calls) {
        const reply = await client.send(call);
        shown += reply.text + JSON.stringify(reply.headers);
      }
      expect(shown).toContain('page=1');
      const logged = app.log();
      expect(logged).toContain('/searchapi/v3/queries');
      // Not even a piece that would make the rest worth guessing.
      for (const secret of [secretKey, secretKey.slice(0, 12), secretKey.slice(-12), encoded, token]) {
        expect(shown).not.toContain(secret);
        expect(logged).not.toContain(secret);
      }
    } finally {
      await app.close();
    }
  });
});

const rename: Call = { method: 'PATCH', path: '/admin/stores/loja', body: { name: 'Loja' } };

test('nobody else may read what is in the data folder, also where the folder was there before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
  chmodSync(folder, 0o755);
  const service = await ServiceProcess.start({ DATA_DIR: folder, ADMIN_SECRET: OLD, LINK_SECRET: FRESH });
  try {
    const client = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
    await client.putMany(aShop());
    await client.buy({ userId: 'ana' }, ['veloz-01']);
    const line = JSON.stringify({ name: 'home', userId: 'ana', timestamp: Date.now() - 1000 });
    const headers = { 'content-type': 'application/x-ndjson' };
    must(await client.admin({ method: 'POST', path: '/events/imports', headers, body: line }), 202);
    const files = [
      folder,
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    ];
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an embedded service whose secrets are lost accepts no old token', async () => {
  const place = embeddedMode.place();
  const first = await startWholeApp(embeddedMode, { place });
  const token = first.token();
  await first.close();
  rmSync(join(place.env['DATA_DIR'] ?? '', 'secrets.json'));
  const second = await startWholeApp(embeddedMode, { place });
  const reply = await second.send({ path: '/admin/stores', headers: { authorization: `Bearer ${token}` } });
  expect(expectError(reply).error).toBe('invalid_token');
  await second.close();
  await place.remove();
});
