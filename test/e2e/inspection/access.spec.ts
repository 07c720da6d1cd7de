import { createHmac } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { Secrets } from '../../../src/config/secrets';
import { aProduct } from '../../builders/a-product';
import { expectError } from '../../support/error-reply';
import { authenticate, inspect, tokenOf } from '../../support/inspector';
import { describeModes } from '../../support/modes';
import { type Json, must, type Reply, type StoreClient } from '../../support/store-client';
import { startWholeApp, type WholeApp } from '../../support/whole-app';

const READS = [
  '/product/p',
  '/product/p/sku/s',
  '/saleschannel/default/product/p',
  '/saleschannel/default/product/p/sku/s',
];

describeModes((mode) => {
  let service: WholeApp;
  let client: StoreClient;
  let other: StoreClient;

  beforeAll(async () => {
    service = await startWholeApp(mode);
    [client, other] = [await service.store('loja'), await service.store('outra')];
    await client.put(aProduct({ id: 'p', name: 'Da Loja', skus: [{ sku: 's' }] }));
    await other.put(aProduct({ id: 'p', name: 'Da Outra', skus: [{ sku: 's' }] }));
  });
  afterAll(() => service.close());
  // Failures of an address and requests of a store are counted; each test begins with a clean minute.
  beforeEach(() => service.clock.advance(60_000));

  const seconds = (): number => Math.floor(service.clock.now() / 1000);
  const rotate = (store: StoreClient, graceSeconds: number): Promise<Reply> =>
    store.admin({ method: 'POST', path: '/secrets', body: { graceSeconds } });

  describe('POST /authenticate', () => {
    test('trades keys for a token of an hour that opens the store’s own records', async () => {
      const reply = await authenticate(client);
      expect(reply.json).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 });
      expect(reply.status).toBe(200);
      expect(reply.headers['cache-control']).toBe('no-store');
      const token = String(reply.json['access_token']);
      expect(new JwtService().decode(token)).toMatchObject({ sub: 'loja', aud: 'inspection', iss: 'vitrine' });
      expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain(client.keys.secretKey);
      for (const path of READS) expect([path, (await inspect(client, token, path)).status]).toEqual([path, 200]);
      expect((await inspect(client, token, '/product/p')).json['name']).toBe('Da Loja');
      expect((await inspect(client, await tokenOf(other), '/product/p')).json['name']).toBe('Da Outra');
    });

    test.each<[string, () => unknown, number, string]>([
      ['no body', () => undefined, 400, 'missing_keys'],
      ['no keys', () => ({}), 400, 'missing_keys'],
      ['empty keys', () => ({ apiKey: '', secretKey: null }), 400, 'missing_keys'],
      ['a list', () => [], 400, 'missing_keys'],
      ['a wrong secretKey', () => ({ apiKey: 'loja', secretKey: 'wrong' }), 401, 'invalid_keys'],
      ['an unknown apiKey', () => ({ apiKey: 'nobody', secretKey: client.keys.secretKey }), 401, 'invalid_keys'],
      ['another store’s secretKey', () => ({ apiKey: 'loja', secretKey: other.keys.secretKey }), 401, 'invalid_keys'],
      ['a secretKey alone', () => ({ secretKey: client.keys.secretKey }), 401, 'invalid_keys'],
      ['an apiKey alone', () => ({ apiKey: 'loja' }), 401, 'missing_authentication'],
      ['keys that are no text', () => ({ apiKey: ['loja'], secretKey: {} }), 401, 'invalid_keys'],
      ['broken JSON', () => '{"apiKey":', 400, 'invalid_json'],
    ])('%s', async (_name, body, status, word) => {
      const reply = await authenticate(client, { body: body(), headers: { 'content-type': 'application/json' } });
      expect([reply.status, expectError(reply).error]).toEqual([status, word]);
      expect(reply.text).not.toContain(client.keys.secretKey);
    });

    test('a body that is no JSON is 415', async () => {
      const reply = await authenticate(client, { body: '{}', headers: { 'content-type': 'application/x-ndjson' } });
      expect(expectError(reply).error).toBe('unsupported_media_type');
    });
  });

  describe('a token', () => {
    const claims = (changes: Json = {}): Json => ({
      ...(new JwtService().decode(valid) as Json),
      ...changes,
    });
    let valid: string;
    let secret: string;

    beforeEach(async () => {
      valid = await tokenOf(client);
      secret = service.app.get(Secrets).adminSecret[0] ?? '';
    });

    const sign = (payload: Json, options: Json = {}): string =>
      new JwtService().sign(payload, { secret, algorithm: 'HS256', ...options });

    const bad: [string, () => string | undefined][] = [
      ['that is missing', () => undefined],
      ['that is empty', () => 'Bearer '],
      ['in another scheme', () => `Basic ${valid}`],
      ['that is no JWT', () => 'Bearer nonsense'],
      ['with a changed signature', () => `Bearer ${valid.slice(0, -2)}${valid.endsWith('AA') ? 'BB' : 'AA'}`],
      ['without its signature', () => `Bearer ${valid.split('.').slice(0, 2).join('.')}.`],
      ['signed with nothing (alg none)', () => `Bearer ${unsigned(claims())}`],
      ['signed by HS512', () => `Bearer ${sign(claims(), { algorithm: 'HS512' })}`],
      ['signed with another secret', () => `Bearer ${sign(claims(), { secret: 'x'.repeat(43) })}`],
      ['that has expired', () => `Bearer ${sign(claims({ exp: seconds() }))}`],
      ['that never expires', () => `Bearer ${sign(without(claims(), 'exp'))}`],
      ['that is for later', () => `Bearer ${sign(claims({ nbf: seconds() + 60 }))}`],
      ['for another audience', () => `Bearer ${sign(claims({ aud: 'admin' }))}`],
      ['for no audience', () => `Bearer ${sign(without(claims(), 'aud'))}`],
      ['of another issuer', () => `Bearer ${sign(claims({ iss: 'somebody' }))}`],
      ['of a store there is not', () => `Bearer ${sign(claims({ sub: 'nobody' }))}`],
      ['of another store’s secret', () => `Bearer ${sign(claims({ sub: 'outra' }))}`],
      ['for admins', () => `Bearer ${service.token('ops')}`],
      ['for admins of this store', () => `Bearer ${service.token('ops', 'loja')}`],
    ];

    test.each(bad)('%s opens nothing: 401', async (_name, authorization) => {
      const value = authorization();
      for (const path of READS) {
        const reply = await client.send({ path, headers: value === undefined ? {} : { authorization: value } });
        expect(reply.status).toBe(401);
        expectError(reply);
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm="inspection"/);
      }
    });

    test('keys and a whitelisted Origin open no record: a token is required', async () => {
      const { headers, keys } = client;
      for (const path of READS) {
        for (const sent of [headers, { origin: keys.origin }]) {
          expect(expectError(await client.send({ path, headers: sent })).error).toBe('missing_authentication');
        }
        const query = { apiKey: keys.apiKey, secretKey: keys.secretKey };
        expect(expectError(await client.send({ path, query })).error).toBe('missing_authentication');
        service.clock.advance(60_000);
      }
    });

    test('is no admin token', async () => {
      const reply = await inspect(client, valid, '/admin/stores/loja');
      expect(expectError(reply).error).toBe('invalid_token');
    });

    test('lives an hour', async () => {
      service.clock.advance(3_599_000);
      expect((await inspect(client, valid, '/product/p')).status).toBe(200);
      service.clock.advance(1000);
      expect(expectError(await inspect(client, valid, '/product/p')).error).toBe('invalid_token');
    });

    test('dies with its secret, at the end of the grace time', async () => {
      const store = await service.store('rodada');
      await store.put(aProduct({ id: 'p' }));
      const token = await tokenOf(store);
      must(await rotate(store, 120), 201);
      expect((await inspect(store, token, '/product/p')).status).toBe(200);
      service.clock.advance(119_000);
      expect((await inspect(store, token, '/product/p')).status).toBe(200);
      service.clock.advance(1000);
      expect(expectError(await inspect(store, token, '/product/p')).error).toBe('invalid_token');
      expect(expectError(await authenticate(store)).error).toBe('invalid_keys');
    });

    test('dies at once where there is no grace', async () => {
      const store = await service.store('sem-graca');
      const token = await tokenOf(store);
      must(await rotate(store, 0), 201);
      expect(expectError(await inspect(store, token, '/product/p')).error).toBe('invalid_token');
    });

    test('dies with its store, and opens no later one of that name', async () => {
      const store = await service.store('breve');
      const token = await tokenOf(store);
      const { json } = await store.admin({ method: 'DELETE', path: '' });
      expect(expectError(await inspect(store, token, '/product/p')).error).toBe('invalid_token');
      await store.completed(String(json['jobId']));
      await service.store('breve');
      expect(expectError(await inspect(store, token, '/product/p')).error).toBe('invalid_token');
    });
  });
});

const without = (object: Json, name: string): Json =>
  Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

function unsigned(payload: Json): string {
  const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'none', typ: 'JWT' })}.${part(payload)}`;
  // With a signature, too, of those who know no secret.
  return `${text}.${createHmac('sha256', '').update(text).digest('base64url')}`;
}
