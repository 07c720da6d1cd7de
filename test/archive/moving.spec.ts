import { createHash, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { CliContext } from '../../src/cli/context';
import { makeProgram } from '../../src/cli/program';
import { SystemClock } from '../../src/shared/clock';
import { aShop } from '../builders/a-shop';
import { dropIndices, openElastic } from '../support/elastic';
import { merchandiseAll, NOUNS } from '../support/merchandise';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { aCampaign, ShowcaseShop } from '../support/showcase-shop';
import { type Json, must, StoreClient } from '../support/store-client';

type Environment = Record<string, string>;

const folder = mkdtempSync(join(tmpdir(), 'vitrine-moving-'));
const file = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function vitrine(env: Environment, ...args: string[]): Promise<Json> {
  let printed = '';
  const program = makeProgram(new CliContext(env, new SystemClock(), (text) => (printed += text)));
  await program.exitOverride().parseAsync(args, { from: 'user' });
  return JSON.parse(printed) as Json;
}

/** All entries of an export, in an order of their own. */
function entriesIn(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString().split('\n').slice(1, -2).toSorted();
}

/** The same export, with a line in the middle that nobody knows. */
function breakAfter(path: string, lines: number, broken: string): void {
  const all = gunzipSync(readFileSync(path)).toString().split('\n').slice(0, -2);
  all.splice(lines, 0, JSON.stringify({ type: 'novelty' }));
  const text = all.map((line) => `${line}\n`).join('');
  const end = { type: 'end', entries: all.length - 1, sha256: createHash('sha256').update(text).digest('base64url') };
  writeFileSync(broken, gzipSync(`${text}${JSON.stringify(end)}\n`));
}

const REPEAT = { pid: 'veloz-03', userId: 'ana', eventId: 'once-for-ever' };
const HISTORY = { name: 'product', pid: 'calma-05', userId: 'bia', timestamp: '2026-01-05T10:00:00.000Z' };

/** A store with a bit of everything that must not be lost. */
async function fill(store: StoreClient): Promise<void> {
  await store.putMany(aShop());
  const path = '/v7/products/lamp-06';
  must(await store.send({ method: 'DELETE', path, headers: store.headers }), 204);
  await store.buy({ userId: 'ana' }, ['veloz-01', 'veloz-02', 'calma-11']);
  await store.event('product', REPEAT);
  await store.event('product', { pid: 'calma-01', deviceId: 'phone' });
  await store.event('product', { pid: 'calma-02', deviceId: 'tablet' });
  await store.event('product', { pid: 'calma-03', deviceId: 'tablet', userId: 'bia' });
  await store.event('product', { pid: 'not-yet-there', userId: 'bia' });
  await store.event('product', { pid: 'veloz-01', userId: 'gone' });
  await store.erase('gone');
  await merchandiseAll(store, 'verao', ['veloz-01']);
  const shop = new ShowcaseShop(store);
  await shop.campaign('verao', aCampaign(['veloz-01', 'veloz-02'], { dailyBudget: 10 }));
  const card = await shop.card({ userId: 'bia' });
  expect([await shop.click(card.link), await shop.click(card.link)]).toEqual([true, false]);
  await shop.follow(card.px);
  const sold = [{ sku: card.id, price: 99.9, qty: 1 }];
  expect((await shop.convert({ tId: 'o-1', currency: 'BRL', products: sold, total: 99.9 }, 'bia')).status).toBe(200);
  const template = (method: string, rest: string, content: Json) =>
    store.admin({ method, path: `/templates/brands${rest}`, body: content });
  must(await template('PUT', '', { note: 'brands first', affinities: { brand: { importance: 1 } } }), 200);
  must(await template('POST', '/activate', {}), 200);
  const body = { city: 'Recife', personalize: false };
  must(await store.send({ method: 'PUT', path: '/v7/users/shy', headers: store.headers, body }), 204);
}

/** Imports a line of history, which makes the store learn where it has not since its last transaction. */
async function learn(service: ServiceProcess, store: StoreClient): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const call = { method: 'POST', path: '/events/imports', headers, body: `${JSON.stringify(HISTORY)}\n` };
  await store.completed(String(must(await store.admin(call), 202)['jobId']));
  const admin = { authorization: `Bearer ${service.adminToken()}` };
  for (let waiting = 1; waiting > 0;) {
    const reply = must(
      await service.send({ path: '/admin/jobs', query: { kind: 'learning.run' }, headers: admin }),
      200,
    );
    const { jobs = [] } = reply as { jobs?: Json[] };
    waiting = jobs.filter(({ state }) => state === 'waiting' || state === 'active').length;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const SHOPPERS = [{ userId: 'ana' }, { userId: 'bia' }, { deviceId: 'phone' }, {}];

async function known(store: StoreClient): Promise<object> {
  const tastes = async (kind: 'users' | 'devices', id: string): Promise<unknown> =>
    ((await store.vector(kind, id))['weights'] as Json[]).map(({ feature, sources }) => [feature, sources]);
  const facets = (await store.search({ terms: 'tenis' })).filters;
  return {
    vectors: [await tastes('users', 'ana'), await tastes('users', 'bia'), await tastes('devices', 'phone')],
    facets: facets.map(({ id, values }) => [id, values.map(({ id: value, idO, size }) => [value, idO, size])]),
    events: await Promise.all(['ana', 'bia', 'gone'].map(async (id) => (await store.exported(id)).length)),
    merchandise: await Promise.all(NOUNS.map(async (noun) => (await store.admin({ path: `/${noun}` })).json[noun])),
    templates: (await store.admin({ path: '/templates' })).json,
    shy: (await store.search({ terms: 'tenis', userId: 'shy' })).personalization.reason,
  };
}

type Scored = [id: string, score: number];

const orders = (store: StoreClient): Promise<Scored[][]> =>
  Promise.all(
    SHOPPERS.map(async (who) => {
      const query = { terms: 'tenis', resultsPerPage: 100, explain: true, ...who };
      const { products } = await store.search(query);
      return products.map(({ id, explanation }): Scored => [id, explanation?.score ?? 0]);
    }),
  );

/** The engines round differently, so products that are as good as equal may stand either way round. */
function expectSameOrders(found: Scored[][], expected: Scored[][]): void {
  found.forEach((order, at) => {
    const scores = new Map(expected[at]);
    expect(order.map(([id]) => id).toSorted()).toEqual([...scores.keys()].toSorted());
    const walked = order.map(([id]) => scores.get(id) ?? 0);
    for (const [index, score] of walked.entries()) {
      expect(score).toBeLessThanOrEqual((walked[index - 1] ?? score) * (1 + 1e-4));
    }
  });
}

/** On a busy machine Redis may take longer than a search waits for it, which is neutral then, and says so. */
async function eventually(holds: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await holds();
    } catch (error) {
      if (tries === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * tries));
    }
  }
}

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) => {
  const prefix = `t${randomBytes(6).toString('hex')}`;
  const embedded = { DATA_DIR: file('embedded') };
  const back = { DATA_DIR: file('back') };
  let production: Environment;
  let services: ServiceProcess[] = [];
  let first: StoreClient;
  let before: object;
  let ordered: Scored[][];

  const start = async (env: Environment): Promise<ServiceProcess> => {
    const service = await ServiceProcess.start(env);
    services.push(service);
    return service;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(services.map((service) => service.stop()));
    services = [];
  };

  beforeAll(async () => {
    const service = await start(embedded);
    first = await StoreClient.create(service.send, service.adminToken(), { apiKey: 'loja' });
    await fill(first);
    await learn(service, first);
    before = await known(first);
    ordered = await orders(first);
    await stop();
    const { adminSecret, linkSecret } = JSON.parse(readFileSync(join(embedded.DATA_DIR, 'secrets.json'), 'utf8')) as {
      adminSecret: string[];
      linkSecret: string[];
    };
    production = {
      DATA_DIR: file('production'),
      ELASTICSEARCH_URL: elasticsearch,
      REDIS_URL: redis,
      INDEX_PREFIX: prefix,
      ADMIN_SECRET: adminSecret.join(','),
      LINK_SECRET: linkSecret.join(','),
    };
  });
  afterAll(async () => {
    await stop();
    const connection = await openElastic(elasticsearch, { prefix });
    await dropIndices(connection);
    await connection.close();
  });

  test('from the embedded database to production: the same stores, products, vectors and orders; repeats stay repeats', async () => {
    const exported = await vitrine(embedded, 'export', file('first.gz'));
    expect(exported).toMatchObject({
      file: file('first.gz'),
      entries: { record: 30, erased: 1, hit: 3, order: 1, spend: 1 },
    });
    expect(statSync(file('first.gz')).mode & 0o777).toBe(0o600);
    const imported = await vitrine(production, 'import', file('first.gz'));
    expect(imported['entries']).toEqual(exported['entries']);
    await vitrine(production, 'export', file('second.gz'));
    expect(entriesIn(file('second.gz'))).toEqual(entriesIn(file('first.gz')));

    const service = await start(production);
    const store = first.through(service.send);
    await learn(service, store);
    await store.event('product', REPEAT);
    await eventually(async () => {
      expect(await known(store)).toEqual(before);
      expectSameOrders(await orders(store), ordered);
    });
    await stop();
  });

  test('and back again', async () => {
    await vitrine(production, 'export', file('third.gz'));
    const secrets = secretsOf(production);
    await vitrine({ ...back, ...secrets }, 'import', file('third.gz'));
    const service = await start({ ...back, ...secrets });
    const store = first.through(service.send);
    await learn(service, store);
    await store.event('product', REPEAT);
    expect(await known(store)).toEqual(before);
    expectSameOrders(await orders(store), ordered);
    // What waited for a product counts once it is there.
    const bia = await store.vector('users', 'bia');
    await store.put({ ...aShop()[0], id: 'not-yet-there' });
    expect((await store.vector('users', 'bia'))['weights']).not.toEqual(bia['weights']);
    await stop();
  });

  test('an import that was broken off goes on with the same file, and no other', async () => {
    const target = { DATA_DIR: file('broken'), ...secretsOf(production) };
    breakAfter(file('first.gz'), 40, file('breaking.gz'));
    await expect(vitrine(target, 'import', file('breaking.gz'))).rejects.toThrow('holds a "novelty"');
    await expect(vitrine(target, 'import', file('third.gz'))).rejects.toThrow('another export was broken off here');
    await vitrine(target, 'import', file('first.gz'));
    await vitrine(target, 'export', file('whole.gz'));
    expect(entriesIn(file('whole.gz'))).toEqual(entriesIn(file('first.gz')));
    await expect(vitrine(target, 'import', file('first.gz'))).rejects.toThrow('This installation is not empty');
  });

  test('what is no export, is damaged or was made under other secrets is refused before anything is written', async () => {
    const target = { DATA_DIR: file('never'), ...secretsOf(production) };
    writeFileSync(file('text'), 'hello');
    copyFileSync(file('first.gz'), file('short.gz'));
    const bytes = readFileSync(file('first.gz'));
    writeFileSync(file('short.gz'), bytes.subarray(0, bytes.length - 40));
    await expect(vitrine(target, 'import', file('text'))).rejects.toThrow('no export of vitrine');
    await expect(vitrine(target, 'import', file('nothing'))).rejects.toThrow('is not there');
    await expect(vitrine(target, 'import', file('short.gz'))).rejects.toThrow('is damaged');
    const others = { ...target, ADMIN_SECRET: 'x'.repeat(32) };
    await expect(vitrine(others, 'import', file('first.gz'))).rejects.toThrow('ADMIN_SECRET must be as where');
    await expect(vitrine(embedded, 'export', file('first.gz'))).rejects.toThrow('is there already');
    await expect(vitrine({ DATA_DIR: file('nowhere') }, 'export', file('new.gz'))).rejects.toThrow(
      'There is no database',
    );
  });
});

function secretsOf(env: Environment): Environment {
  return { ADMIN_SECRET: env['ADMIN_SECRET'] ?? '', LINK_SECRET: env['LINK_SECRET'] ?? '' };
}
