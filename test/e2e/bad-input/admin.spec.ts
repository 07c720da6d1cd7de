import { type Refusal, long, nested, refused } from '../../support/refused';
import { expectError } from '../../support/error-reply';
import type { Call, StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let service: WholeApp;
  let loja: StoreClient;
  let ops: Record<string, string>;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    loja = await service.store('loja');
    ops = { authorization: `Bearer ${service.token()}` };
  });
  afterAll(() => service.close());

  const check = (call: Call, refusal: Refusal): Promise<void> => refused(service.send, call, refusal);

  describe('admin routes', () => {
    const create = (body: unknown): Call => ({ method: 'POST', path: '/admin/stores', body });
    const patch = (settings: unknown): Call => ({ method: 'PATCH', path: '/admin/stores/loja', body: { settings } });
    const rebuild = (body: unknown): Call => ({ method: 'POST', path: '/admin/stores/loja/vectors/rebuild', body });
    const origins = (value: unknown): Call => ({
      method: 'PUT',
      path: '/admin/stores/loja/origins',
      body: { origins: value },
    });
    const secrets = (graceSeconds: unknown): Call => ({
      method: 'POST',
      path: '/admin/stores/loja/secrets',
      body: { graceSeconds },
    });

    test.each<[string, Call, ...Refusal]>([
      ['a store without name', create({ apiKey: 'a' }), 'invalid_body', 'name'],
      ['a store with a blank name', create({ name: '  ' }), 'invalid_body', 'name'],
      ['a number for an apiKey', create({ name: 'a', apiKey: 7 }), 'invalid_body', 'apiKey'],
      ['an apiKey with NUL', create({ name: 'a', apiKey: 'a\0b' }), 'invalid_body', 'apiKey'],
      ['an apiKey too long', create({ name: 'a', apiKey: long(257) }), 'invalid_body', 'apiKey'],
      ['an apiKey that is taken', create({ name: 'a', apiKey: 'loja' }), 'conflict'],
      ['an unknown setting', create({ name: 'a', settings: { colour: 'red' } }), 'invalid_body', 'settings.colour'],
      [
        'a prototype for settings',
        create({ name: 'a', settings: { constructor: {} } }),
        'invalid_body',
        'settings.constructor',
      ],
      ['settings 40 deep', create({ name: 'a', settings: { facets: JSON.parse(nested(40)) as unknown } }), 'too_deep'],
      ['a currency that isn’t', patch({ currency: 'EURO' }), 'invalid_body', 'settings.currency', /ISO 4217/],
      ['a language that isn’t', patch({ language: '!!' }), 'invalid_body', 'settings.language', /BCP 47/],
      ['a time zone that isn’t', patch({ timeZone: 'Mars/Base' }), 'invalid_body', 'settings.timeZone', /IANA/],
      ['a half-life of an hour', patch({ halfLife: { view: '1h' } }), 'invalid_body', 'settings.halfLife.view'],
      [
        'a half-life under a day',
        patch({ halfLife: { view: '0.5d' } }),
        'invalid_body',
        'settings.halfLife.view',
        /1d/,
      ],
      ['a home that runs', patch({ homeUrl: 'javascript:alert(1)' }), 'invalid_body', 'settings.homeUrl'],
      [
        'no limits at all',
        patch({ limits: { originPerMinute: 0 } }),
        'invalid_body',
        'settings.limits.originPerMinute',
      ],
      ['an origin that is no host', origins(['not a host']), 'invalid_body'],
      ['a public suffix', origins(['.com.br']), 'invalid_body'],
      ['a text for origins', origins('a.example'), 'invalid_body', 'origins'],
      ['a grace below 0', secrets(-1), 'invalid_body', 'graceSeconds'],
      ['a text for a grace', secrets('soon'), 'invalid_body', 'graceSeconds'],
      ['a rebuild of two', rebuild({ userId: 'a', deviceId: 'b' }), 'invalid_body'],
      ['a rebuild of nobody', rebuild({ userId: '' }), 'invalid_body', 'userId'],
      ['a rebuild of something else', rebuild({ user: 'a' }), 'invalid_body', 'user'],
      ['a store nobody knows', { path: '/admin/stores/nobody' }, 'not_found', null, /nobody/],
      ['a store called like a part of objects', { path: '/admin/stores/__proto__' }, 'not_found'],
      ['a job nobody knows', { path: '/admin/jobs/nobody' }, 'not_found', null, /nobody/],
      ['a job nobody knows, to cancel', { method: 'POST', path: '/admin/jobs/x/cancel' }, 'not_found'],
      ['a job nobody knows, to retry', { method: 'POST', path: '/admin/jobs/x/retry' }, 'not_found'],
      ['a job nobody knows, to watch', { path: '/admin/jobs/x/events' }, 'not_found'],
      ['jobs in a strange state', { path: '/admin/jobs?state=tired' }, 'invalid_parameter', 'state', /completed/],
      ['jobs of a strange store', { path: '/admin/jobs?store=nobody' }, 'not_found'],
      ['too many jobs', { path: '/admin/jobs?limit=1001' }, 'invalid_parameter', 'limit'],
      ['too few entries', { path: '/admin/audit?limit=0' }, 'invalid_parameter', 'limit'],
      ['no text for a token', { method: 'DELETE', path: `/admin/tokens/${long(200)}` }, 'invalid_parameter'],
    ])('%s: refused', (_name, call, ...refusal) => check({ ...call, headers: { ...ops, ...call.headers } }, refusal));

    test('an import that is no NDJSON', async () => {
      const call = { method: 'POST', path: '/admin/stores/loja/events/imports', headers: ops };
      await check({ ...call, body: { name: 'product' } }, ['unsupported_media_type', null, /ndjson/]);
    });

    test('the lines of an import that can’t be used are named, and stop no good one', async () => {
      const at = service.clock.now() - 86_400_000;
      const good = (id: string): string =>
        JSON.stringify({ name: 'product', pid: 'p', userId: 'u', eventId: id, timestamp: at });
      const lines = [
        good('1'),
        '{',
        'null',
        '{"name":"bought","pid":"a"}',
        '{"name":"product"}',
        '',
        good('2'),
        good('1'),
      ];
      const { json } = await service.send({
        method: 'POST',
        path: '/admin/stores/loja/events/imports',
        headers: { ...ops, 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
      });
      const { result } = (await loja.completed(String(json['jobId']))) as {
        result: { accepted: number; unchanged: number; rejected: number; errors: { line: number; error: string }[] };
      };
      expect(result).toMatchObject({ accepted: 2, rejected: 4 });
      expect(result.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
      expect(await loja.exported('u').then((all) => all.filter(({ type }) => type === 'event'))).toHaveLength(2);
    });
  });

  describe('addresses', () => {
    test.each([
      ['POST', '/'],
      ['GET', '/searchapi/v3'],
      ['GET', '/searchapi/v3/queries/more'],
      ['POST', '/searchapi/v3/queries'],
      ['GET', '/v7/events/views/product'],
      ['PUT', '/v7/products'],
      ['PATCH', '/v7/users/a'],
      ['DELETE', '/admin/stores'],
      ['GET', '/__proto__'],
      ['GET', '/admin/../admin/storesx'],
      ['GET', '/%2e%2e/secrets.json'],
      ['GET', '/docs/../../package.json'],
    ])('%s %s is no route', async (method, path) => {
      const headers = { ...loja.headers, ...ops };
      const { error } = expectError(await service.send({ method, path, headers }));
      expect(error).toBe('unknown_route');
    });

    test.each(['/searchapi/v3/queries%', '/v7/users/%E0%A4%A', '/%'])('%s is no address', async (path) => {
      const { error } = expectError(await service.send({ method: 'DELETE', path, headers: loja.headers }));
      expect(['invalid_request', 'unknown_route']).toContain(error);
    });

    test('a part of an address too long to be one', async () => {
      const call = { method: 'DELETE', path: `/v7/users/${long(5000)}`, headers: loja.headers };
      expect(['invalid_id', 'uri_too_long', 'unknown_route']).toContain(expectError(await service.send(call)).error);
    });

    test('a request id that is sane comes back, one that isn’t is replaced', async () => {
      const id = 'order-42:a.b_c';
      const own = await service.send({ path: '/nowhere', headers: { 'x-request-id': id } });
      expect(own.json['requestId']).toBe(id);
      const odd = await service.send({ path: '/nowhere', headers: { 'x-request-id': '<script>' } });
      expect(odd.json['requestId']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });

  describe('users', () => {
    const put = (body: unknown, id = 'ana'): Call => ({
      method: 'PUT',
      path: `/v7/users/${encodeURIComponent(id)}`,
      headers: loja.headers,
      body,
    });

    test.each<[string, () => Call, ...Refusal]>([
      ['a list for attributes', () => put([]), 'invalid_body'],
      ['a text for personalize', () => put({ personalize: 'no' }), 'invalid_body', 'personalize'],
      ['an id too long', () => put({}, long(257)), 'invalid_id'],
      ['NUL in an id', () => put({}, 'a\0b'), 'invalid_id'],
      ['attributes too large', () => put({ x: long(70_000) }), 'body_too_large'],
      ['an id too long to erase', () => ({ ...put(undefined, long(257)), method: 'DELETE' }), 'invalid_id'],
    ])('%s: refused', (_name, call, ...refusal) => check(call(), refusal));
  });

  describe('keys', () => {
    let address = 0;
    const from = (): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${(address += 1)}` });
    const keyed = (headers: Record<string, string>, body?: unknown): Call => ({
      method: 'PUT',
      path: '/v7/users/ana',
      headers: { ...from(), ...headers },
      body: body ?? {},
    });

    test.each<[string, () => Call, ...Refusal]>([
      ['none', () => keyed({}), 'missing_authentication'],
      [
        'a whitelisted page where keys are required',
        () => keyed({ origin: 'https://loja.example' }),
        'missing_authentication',
      ],
      ['a wrong secret', () => keyed({ ...loja.headers, 'x-secret-key': 'x' }), 'invalid_keys'],
      ['a secret alone', () => keyed({ 'x-secret-key': loja.keys.secretKey }), 'invalid_keys'],
      ['an object for a secret', () => keyed({ 'x-api-key': 'loja' }, { secretKey: {} }), 'invalid_keys'],
      ['two that differ', () => keyed(loja.headers, { apiKey: 'other' }), 'conflicting_keys'],
      ['no admin token', () => ({ path: '/admin/stores', headers: from() }), 'missing_authentication'],
      [
        'half a token',
        () => ({ path: '/admin/stores', headers: { ...from(), authorization: 'Bearer a.b' } }),
        'invalid_token',
      ],
      [
        'an unsigned token',
        () => ({ path: '/admin/stores', headers: { ...from(), authorization: `Bearer ${unsigned()}` } }),
        'invalid_token',
      ],
    ])('%s: refused', (_name, call, ...refusal) => check(call(), refusal));

    test('who fails too often waits, and valid keys still pass from there', async () => {
      const headers = { 'x-forwarded-for': '203.0.113.7', 'x-api-key': 'loja', 'x-secret-key': 'guess' };
      const call = { method: 'DELETE', path: '/v7/users/ana', headers };
      for (let tries = 0; tries < 20; tries += 1) await check(call, ['invalid_keys']);
      const reply = await service.send(call);
      expect(expectError(reply).error).toBe('too_many_requests');
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
      const valid = { ...headers, ...loja.headers };
      expect((await service.send({ ...call, headers: valid })).status).toBe(200);
    });
  });

  function unsigned(): string {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none', typ: 'JWT' })}.${part({ jti: '1', role: 'ops', aud: 'admin', exp: 4e9 })}.`;
  }
});
