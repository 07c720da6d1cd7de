import { Controller, Get, Post } from '@nestjs/common';
import { AdminModule } from '../../../src/admin/admin.module';
import { Documents } from '../../../src/documents/documents';
import { CacheInvalidation } from '../../../src/documents/cache-invalidation';
import { JobQueue } from '../../../src/jobs/job-queue';
import { AdminAccess, AdminStore } from '../../../src/stores/access/admin-access';
import { AdminTokens, signAdminToken } from '../../../src/stores/access/admin-tokens';
import type { Store } from '../../../src/stores/store';
import { StoreErasure } from '../../../src/stores/store-erasure';
import { JobsModule } from '../../../src/jobs/jobs.module';
import { startTestApp, type TestApp } from '../http/support';
import { describeModes } from '../../support/modes';

@Controller('admin/stores/:apiKey/templates')
class ProbeController {
  @Get()
  @AdminAccess('relevance')
  templates(@AdminStore() store: Store): object {
    return { of: store.name };
  }

  @Post('preview')
  @AdminAccess('relevance', { audited: false })
  preview(): object {
    return {};
  }
}

describeModes((mode) => {
  let service: TestApp;
  let ops: string;

  beforeAll(async () => {
    service = await startTestApp(mode, { imports: [JobsModule, AdminModule], controllers: [ProbeController] });
    ops = service.token();
  });
  afterAll(() => service.close());
  beforeEach(() => service.clock.advance(60_000));

  interface Reply {
    statusCode: number;
    headers: Record<string, unknown>;
    body: string;
    json(): Record<string, unknown>;
  }

  type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

  function call(method: Method, path: string, payload?: object, token: string | null = ops): Promise<Reply> {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return service.app.inject({ method, url: `/admin${path}`, headers, ...(payload ? { payload } : {}) });
  }

  async function makeStore(body: object = {}): Promise<{ apiKey: string; secretKey: string }> {
    return (await call('POST', '/stores', { name: 'Acme', ...body })).json() as { apiKey: string; secretKey: string };
  }

  describe('who may call', () => {
    test.each([
      ['no token', () => null],
      ['no JWT', () => 'nonsense'],
      ['a token signed with another secret', () => foreignToken()],
      ['an expired token', () => expiredToken()],
    ])('%s: 401', async (_name, token) => {
      const reply = await call('GET', '/stores', undefined, token());
      expect(reply.statusCode).toBe(401);
      expect(reply.headers['www-authenticate']).toContain('Bearer');
    });

    test('relevance reads, but changes no store and makes no secret: 403', async () => {
      const { apiKey } = await makeStore();
      const relevance = service.token('relevance');
      expect((await call('GET', `/stores/${apiKey}`, undefined, relevance)).statusCode).toBe(200);
      expect((await call('GET', `/stores/${apiKey}/templates`, undefined, relevance)).json()).toEqual({ of: 'Acme' });
      for (const [method, path] of [
        ['POST', '/stores'],
        ['PATCH', `/stores/${apiKey}`],
        ['DELETE', `/stores/${apiKey}`],
        ['POST', `/stores/${apiKey}/secrets`],
        ['PUT', `/stores/${apiKey}/origins`],
        ['DELETE', '/tokens/x'],
      ] as const) {
        expect([path, (await call(method, path, {}, relevance)).statusCode]).toEqual([path, 403]);
      }
    });

    test('a token bound to a store is kept to it', async () => {
      const [mine, other] = [await makeStore(), await makeStore()];
      const bound = service.token('ops', mine.apiKey);
      expect((await call('GET', `/stores/${mine.apiKey}`, undefined, bound)).statusCode).toBe(200);
      expect((await call('GET', `/stores/${other.apiKey}`, undefined, bound)).statusCode).toBe(403);
      expect((await call('GET', '/stores/unknown', undefined, bound)).statusCode).toBe(403);
      expect((await call('POST', '/stores', { name: 'More' }, bound)).statusCode).toBe(403);
      const list = (await call('GET', '/stores', undefined, bound)).json()['stores'] as { apiKey: string }[];
      expect(list.map(({ apiKey }) => apiKey)).toEqual([mine.apiKey]);
      const { entries } = (await call('GET', '/audit', undefined, bound)).json() as { entries: { store: string }[] };
      expect(new Set(entries.map(({ store }) => store))).toEqual(new Set([mine.apiKey]));
      expect((await call('GET', `/jobs?store=${other.apiKey}`, undefined, bound)).statusCode).toBe(403);
    });

    test('a revoked token is dead at once, and stays dead over a restart', async () => {
      const { token, jti } = signAdminToken(service.secrets, { role: 'ops' }, { now: service.clock.now(), days: 1 });
      expect((await call('GET', '/stores', undefined, token)).statusCode).toBe(200);
      expect((await call('DELETE', `/tokens/${jti}`)).statusCode).toBe(204);
      expect((await call('GET', '/stores', undefined, token)).json()['error']).toBe('invalid_token');
      const restarted = new AdminTokens(
        service.app.get(Documents),
        service.app.get(CacheInvalidation),
        service.secrets,
        service.clock,
      );
      expect(restarted.verify(token)?.jti).toBe(jti);
      await restarted.onModuleInit();
      expect(restarted.verify(token)).toBeNull();
    });

    test('wrong tokens count with all other failed authentications', async () => {
      for (let count = 0; count < 20; count += 1) await call('GET', '/stores', undefined, 'wrong');
      const refused = await call('GET', '/stores', undefined, 'wrong');
      expect(refused.statusCode).toBe(429);
      expect(refused.headers['retry-after']).toBeDefined();
      expect((await call('GET', '/stores')).statusCode).toBe(200);
    });
  });

  describe('stores', () => {
    test('are created with a secret shown this once', async () => {
      const reply = await call('POST', '/stores', {
        apiKey: 'fresh store',
        name: 'Fresh',
        origins: ['fresh.example'],
        settings: { currency: 'eur' },
      });
      expect(reply.statusCode).toBe(201);
      const { secretKey } = reply.json() as { secretKey: string };
      expect(service.stores.authenticate('fresh store', secretKey)).toBeDefined();
      const shown = (await call('GET', '/stores/fresh%20store')).json();
      expect(shown).toMatchObject({ apiKey: 'fresh store', name: 'Fresh', origins: ['fresh.example'] });
      expect(shown['settings']).toMatchObject({ currency: 'EUR', language: 'pt-BR' });
      expect(JSON.stringify(shown)).not.toContain(secretKey);
      expect(shown).not.toHaveProperty('id');
      expect((await call('POST', '/stores', { apiKey: 'fresh store', name: 'Again' })).statusCode).toBe(409);
    });

    test.each([
      ['no name', {}, 'name'],
      ['an unknown setting', { settings: { colour: 'red' } }, 'settings.colour'],
      ['a language that is none', { settings: { language: 'not a tag' } }, 'settings.language'],
      ['a currency that is none', { settings: { currency: 'XQX' } }, 'settings.currency'],
      ['a time zone that is none', { settings: { timeZone: 'Mars/Olympus' } }, 'settings.timeZone'],
      ['a half-life under a day', { settings: { halfLife: { view: '0.5d' } } }, 'settings.halfLife.view'],
      ['a half-life without its unit', { settings: { halfLife: { cart: '30' } } }, 'settings.halfLife.cart'],
      ['attribution of no days', { settings: { attributionDays: 0 } }, 'settings.attributionDays'],
      ['a home that is no page', { settings: { homeUrl: 'javascript:alert(1)' } }, 'settings.homeUrl'],
      ['a public suffix', { origins: ['.com.br'] }, 'origins.0'],
    ])('%s is 400 and names the field', async (_name, wrong, path) => {
      const body = path === 'name' ? wrong : { name: 'Acme', ...wrong };
      const reply = (await call('POST', '/stores', body)).json();
      expect(reply).toMatchObject({ code: 400, error: 'invalid_body', details: [{ path }] });
    });

    test('settings are merged, unknown ones refused', async () => {
      const { apiKey } = await makeStore({ settings: { currency: 'USD' } });
      const patched = await call('PATCH', `/stores/${apiKey}`, { name: 'New', settings: { showOnlyAvailable: true } });
      expect(patched.json()).toMatchObject({ name: 'New', settings: { currency: 'USD', showOnlyAvailable: true } });
      expect((await call('PATCH', `/stores/${apiKey}`, { settings: { nope: 1 } })).statusCode).toBe(400);
      expect((await call('PATCH', '/stores/unknown', {})).statusCode).toBe(404);
    });

    test('secrets rotate', async () => {
      const { apiKey, secretKey } = await makeStore();
      const rotated = await call('POST', `/stores/${apiKey}/secrets`);
      expect(rotated.statusCode).toBe(201);
      expect(Date.parse(String(rotated.json()['previousValidUntil']))).toBe(service.clock.now() + 86_400_000);
      await call('POST', `/stores/${apiKey}/secrets`, { graceSeconds: 0 });
      expect(service.stores.authenticate(apiKey, secretKey)).toBeUndefined();
      expect((await call('POST', `/stores/${apiKey}/secrets`, { graceSeconds: -1 })).statusCode).toBe(400);
    });

    test('origins are replaced; one held by another store is 409', async () => {
      const { apiKey } = await makeStore({ origins: ['first.example'] });
      const reply = await call('PUT', `/stores/${apiKey}/origins`, { origins: ['second.example'] });
      expect(reply.json()['origins']).toEqual(['second.example']);
      expect(service.stores.byOrigin('https://first.example')).toBeUndefined();
      const { apiKey: other } = await makeStore();
      const taken = await call('PUT', `/stores/${other}/origins`, { origins: ['.second.example'] });
      expect(taken.json()).toMatchObject({ code: 409, error: 'conflict' });
    });

    test('a deleted store is shut out at once and erased by a job that can be watched', async () => {
      const { apiKey, secretKey } = await makeStore();
      const { id: storeId = '' } = service.stores.byApiKey(apiKey) ?? {};
      const erasure = service.app.get(StoreErasure);
      await expect(erasure.erase(storeId, new AbortController().signal)).rejects.toThrow('was not deleted');
      const reply = await call('DELETE', `/stores/${apiKey}`);
      expect(reply.statusCode).toBe(202);
      expect(service.stores.authenticate(apiKey, secretKey)).toBeUndefined();
      expect((await call('GET', `/stores/${apiKey}`)).statusCode).toBe(404);
      const id = String(reply.json()['jobId']);
      expect((await call('GET', `/jobs/${id}`)).json()).toMatchObject({ id, kind: 'store.erase', store: apiKey });
      const events = await call('GET', `/jobs/${id}/events`);
      expect(events.headers['content-type']).toContain('text/event-stream');
      const jobs = [...events.body.matchAll(/^data: (.*)$/gm)].map(
        (match) => JSON.parse(String(match[1])) as { state: string },
      );
      expect(jobs.at(-1)).toMatchObject({ id, state: 'completed' });
      expect(service.stores.deleted()).toEqual([]);
      expect((await call('POST', '/stores', { apiKey, name: 'Again' })).statusCode).toBe(201);
    });
  });

  test('the OpenAPI document describes the settings, and every reference in it leads somewhere', async () => {
    const document = (await service.app.inject({ url: '/openapi.json' })).json<{ components: { schemas: object } }>();
    const text = JSON.stringify(document);
    expect(text).toContain('defaultSalesChannel');
    const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((match) => String(match[1]));
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
    expect(text).not.toMatch(/\$defs|"\$ref":"(?!#\/components\/schemas\/)/);
  });

  describe('jobs', () => {
    test('are listed by store, kind and state, with the store’s apiKey', async () => {
      const { apiKey } = await makeStore();
      const store = service.stores.byApiKey(apiKey)?.id ?? '';
      const queue = service.app.get(JobQueue, { strict: false });
      const id = await queue.enqueue({ kind: 'nobody.works', store, payload: null });
      const list = (await call('GET', `/jobs?store=${apiKey}&kind=nobody.works&state=waiting`)).json();
      expect(list['jobs']).toMatchObject([{ id, kind: 'nobody.works', store: apiKey, state: 'waiting', attempts: 0 }]);
      expect((await call('POST', `/jobs/${id}/cancel`)).json()).toMatchObject({ id, state: 'cancelled' });
      expect((await call('POST', `/jobs/${id}/retry`)).json()).toMatchObject({ id, state: 'waiting' });
      const bound = service.token('ops', (await makeStore()).apiKey);
      expect((await call('POST', `/jobs/${id}/cancel`, undefined, bound)).statusCode).toBe(403);
      await call('POST', `/jobs/${id}/cancel`);
    });

    test.each([
      ['GET', '/jobs/unknown', 404],
      ['GET', '/jobs/unknown/events', 404],
      ['POST', '/jobs/unknown/cancel', 404],
      ['GET', '/jobs?state=resting', 400],
      ['GET', '/jobs?store=unknown', 404],
    ] as const)('%s %s: %i', async (method, path, status) => {
      expect((await call(method, path)).statusCode).toBe(status);
    });
  });

  test('every change is in the audit list, newest first, without secrets', async () => {
    const { apiKey, secretKey } = await makeStore({ apiKey: 'audited' });
    await call('PATCH', `/stores/${apiKey}`, { name: 'Changed' });
    await call('PATCH', `/stores/${apiKey}`, { settings: { nope: 1 } });
    await call('GET', `/stores/${apiKey}`);
    await call('POST', `/stores/${apiKey}/templates/preview`);
    const rotated = (await call('POST', `/stores/${apiKey}/secrets`)).json();
    const reply = await call('GET', '/audit?store=audited');
    const { entries } = reply.json() as { entries: { action: string; by: object; body?: object; at: string }[] };
    expect(entries.map(({ action }) => action)).toEqual([
      'POST /admin/stores/:apiKey/secrets',
      'PATCH /admin/stores/:apiKey',
      'POST /admin/stores',
    ]);
    expect(entries[1]).toMatchObject({ by: { role: 'ops' }, body: { name: 'Changed' } });
    expect(entries[1]?.at).toBe(new Date(service.clock.now()).toISOString());
    expect(reply.body).not.toContain(secretKey);
    expect(reply.body).not.toContain(String(rotated['secretKey']));
    expect(((await call('GET', '/audit?limit=1')).json()['entries'] as object[]).length).toBe(1);
  });

  function foreignToken(): string {
    const secrets = { adminSecret: ['x'.repeat(40)], linkSecret: [] };
    return signAdminToken(secrets, { role: 'ops' }, { now: service.clock.now(), days: 1 }).token;
  }

  function expiredToken(): string {
    return signAdminToken(service.secrets, { role: 'ops' }, { now: service.clock.now() - 2 * 86_400_000, days: 1 })
      .token;
  }
});
