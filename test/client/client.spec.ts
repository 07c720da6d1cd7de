import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../src/storage/threads';
import { aShop } from '../builders/a-shop';
import { Shop } from '../browser/shop';
import { describeInChromium } from '../browser/chromium';
import { forNode, forPages } from './bundled';
import { clientTypes, type OpenApi, SCHEMA_FILE } from './generate';

const folder = join(projectRoot, 'web', 'client');

/** Milliseconds: what starts a generator, or a build, on a busy machine. */
const SLOW = 120_000;

type Try = (request: Request, tried: number) => Promise<Response>;

describe('the typed client', () => {
  const { createVitrine } = forNode();
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
    await shop.client.putMany(aShop());
  });
  afterAll(() => shop.close());

  /** A client whose tries go through `fetch`, and the requests it made. */
  function client(fetch: Try = (request) => globalThis.fetch(request), options: object = {}) {
    const { apiKey, secretKey } = shop.client.keys;
    const requests: Request[] = [];
    const counted = (request: Request): Promise<Response> => {
      requests.push(request.clone());
      return fetch(request, requests.length);
    };
    const keys = { apiKey, secretKey };
    return { requests, vitrine: createVitrine({ baseUrl: `${shop.endpoint}/`, keys, fetch: counted, ...options }) };
  }

  test(
    'has the types of the routes as they are: else run `npm run client`',
    async () => {
      const { json } = await shop.service.send({ path: '/openapi.json' });
      expect(readFileSync(SCHEMA_FILE, 'utf8') === clientTypes(json as unknown as OpenApi)).toBe(true);
    },
    SLOW,
  );

  test('searches, sends products and events, and answers failures instead of throwing them', async () => {
    const { vitrine } = client();
    const found = await vitrine.GET('/searchapi/v3/queries', {
      params: { query: { terms: 'tênis', hide: ['filters', 'sort'], resultsPerPage: 3 } },
    });
    expect([found.data?.products.length, found.data?.filters]).toEqual([3, []]);
    const event = await vitrine.POST('/v7/events/views/{name}', {
      params: { path: { name: 'product' } },
      body: { pid: 'typed-1', userId: 'ana' },
    });
    expect(event.response.status).toBe(204);
    expect((await shop.eventsWith('typed-1'))[0]?.keyed).toBe(true);
    const wrong = await vitrine.GET('/searchapi/v3/search', { params: { query: { terms: 'x', page: 1.5 } } });
    expect([wrong.data, wrong.error?.error]).toEqual([undefined, 'invalid_parameter']);
    // @ts-expect-error -- a route that is not there
    await vitrine.GET('/nowhere');
  });

  test('sends an event again whose answer was lost, and it counts once', async () => {
    const { vitrine, requests } = client(async (request, tried) => {
      const response = await fetch(request);
      if (tried === 1) throw new TypeError('connection lost');
      return response;
    });
    const params = { path: { name: 'product' as const } };
    await vitrine.POST('/v7/events/views/{name}', { params, body: { pid: 'again-1', userId: 'ana' } });
    const ids = await Promise.all(requests.map(async (one) => ((await one.json()) as { eventId: string }).eventId));
    expect([ids.length, new Set(ids).size, (await shop.eventsWith('again-1')).length]).toEqual([2, 1, 1]);
  });

  test('asks later where it is told so, but not for ever, and never makes something twice', async () => {
    const later = (status: number, seconds: string): Response =>
      new Response('{}', { status, headers: { 'retry-after': seconds, 'content-type': 'application/json' } });
    const patient = client(async (request, tried) => (tried < 3 ? later(503, '0') : fetch(request)));
    expect((await patient.vitrine.GET('/health/live')).response.status).toBe(200);
    expect(patient.requests.length).toBe(3);
    const long = client(async () => later(429, '3600'));
    expect((await long.vitrine.GET('/health/live')).response.status).toBe(429);
    expect(long.requests.length).toBe(1);
    const away = client(() => Promise.reject(new TypeError('away')), { token: 'any', retries: 1 });
    await expect(away.vitrine.POST('/admin/stores', { body: { name: 'New' } })).rejects.toThrow('away');
    expect(away.requests.length).toBe(1);
    await expect(away.vitrine.GET('/admin/stores')).rejects.toThrow('away');
    expect(away.requests.length).toBe(3);
  });

  test(
    'is a package that Node imports and requires',
    () => {
      execFileSync(process.execPath, [join(projectRoot, 'scripts', 'package.mjs'), 'client'], { stdio: 'pipe' });
      const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
        cwd: folder,
        stdio: 'pipe',
      });
      const [{ files }] = JSON.parse(String(packed)) as [{ files: { path: string }[] }];
      const expected = ['index.d.ts', 'index.js', 'patient-fetch.d.ts', 'schema.d.ts'].map((name) => `dist/${name}`);
      expect(files.map(({ path }) => path).toSorted()).toEqual(['README.md', ...expected, 'package.json'].toSorted());
      const asked = `console.log(typeof client.createVitrine({ baseUrl: 'http://localhost' }).GET)`;
      const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        exports: { '.': { types: string; default: string } };
      };
      const entry = JSON.stringify(join(folder, exports['.'].default));
      for (const [type, script] of [
        ['module', `import * as client from ${entry}; ${asked}`],
        ['commonjs', `const client = require(${entry}); ${asked}`],
      ]) {
        const said = execFileSync(process.execPath, [`--input-type=${type}`, '-e', String(script)], { stdio: 'pipe' });
        expect([type, String(said).trim()]).toEqual([type, 'function']);
      }
    },
    SLOW,
  );
});

describeInChromium('the typed client in a page', (newShopper) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
    await shop.client.putMany(aShop());
  });
  afterAll(() => shop.close());

  test('searches and sends events by its Origin, and refuses a secret', async () => {
    const page = await (await newShopper()).newPage();
    await page.goto(shop.page('/client'));
    await page.addScriptTag({ content: forPages() });
    const create = (more: string): string =>
      `vitrineClient.createVitrine({ baseUrl: ${JSON.stringify(shop.endpoint)}, ${more} })`;
    const size = await page.evaluate(
      `${create('')}.GET('/searchapi/v3/queries', { params: { query: { terms: 'tênis' } } }).then(({ data }) => data.size)`,
    );
    expect(size).toBeGreaterThan(0);
    const event = `{ params: { path: { name: 'product' } }, body: { pid: 'page-1', deviceId: 'd' } }`;
    await page.evaluate(`${create('')}.POST('/v7/events/views/{name}', ${event})`);
    expect((await shop.arrived('page-1')).length).toBe(1);
    await expect(page.evaluate(create(`keys: { apiKey: 'shop', secretKey: 's' }`))).rejects.toThrow('secretKey');
  });
});
