import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { CurrentCaller, StoreAccess } from '../../../src/stores/access/store-access';
import type { Caller } from '../../../src/stores/store';
import { startTestApp, type TestApp } from '../http/support';
import { describeModes } from '../../support/modes';

@Controller()
class ProbeController {
  @Post('v7/events/views/:name')
  @StoreAccess('events')
  @HttpCode(200)
  event(@CurrentCaller() { store, method }: Caller): object {
    return { store: store.apiKey, method };
  }

  @Get(['searchapi/v3/queries', 'engage/search/v3/search'])
  @StoreAccess('search')
  search(@CurrentCaller() { store, method }: Caller): object {
    return { store: store.apiKey, method };
  }
}

const STRANGER = 'https://www.evil.example';

/** How often somebody may call, and the ways keys have always been sent; who may call is tested on the real routes (test/e2e/access). */
describeModes((mode) => {
  let service: TestApp;
  let secret: string;

  beforeAll(async () => {
    service = await startTestApp(mode, { controllers: [ProbeController] });
    ({ secretKey: secret } = await service.stores.create({
      apiKey: 'acme',
      name: 'Acme',
      origins: ['www.acme.example', '.acme-outlet.example'],
    }));
    await service.stores.create({ apiKey: 'other', name: 'Other', origins: ['shop.other.example'] });
  });

  afterAll(() => service.close());
  // Failed calls are counted; each test begins with a clean minute.
  beforeEach(() => service.clock.advance(60_000));

  describe('legacy ways to send keys to the search', () => {
    test('one key as a header, the other in the query', async () => {
      const one = await service.app.inject({
        url: `/searchapi/v3/queries?secretkey=${secret}`,
        headers: { 'x-api-key': 'acme', 'x-secret-key': '' },
      });
      const other = await service.app.inject({
        url: '/engage/search/v3/search?APIKEY=acme',
        headers: { 'X-Secret-Key': secret },
      });
      expect([one.statusCode, other.statusCode]).toEqual([200, 200]);
    });

    test('a secret that was percent-encoded twice', async () => {
      const twice = [...secret].map((letter) => `%25${letter.charCodeAt(0).toString(16)}`).join('');
      const reply = await service.app.inject({ url: `/searchapi/v3/queries?apiKey=acme&secretKey=${twice}` });
      expect(reply.statusCode).toBe(200);
    });
  });

  describe('failed authentications', () => {
    test('after 20 a minute from one address over all interfaces, 429 takes the place of 401; valid keys still pass', async () => {
      const call = { url: '/searchapi/v3/queries', remoteAddress: '192.0.2.1' };
      const wrong = { ...call, headers: { 'x-api-key': 'acme', 'x-secret-key': 'wrong' } };
      const event = { ...call, method: 'POST', url: '/v7/events/views/product', payload: {} } as const;
      for (let count = 0; count < 10; count += 1) {
        expect((await service.app.inject(wrong)).statusCode).toBe(401);
        expect((await service.app.inject(event)).statusCode).toBe(401);
      }
      const refused = await service.app.inject(wrong);
      expect(refused.json()).toMatchObject({ code: 429, error: 'too_many_requests' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await service.app.inject(event)).statusCode).toBe(429);
      expect((await service.app.inject({ ...wrong, remoteAddress: '192.0.2.2' })).statusCode).toBe(401);
      expect((await service.app.inject({ ...call, headers: { origin: STRANGER } })).statusCode).toBe(403);
      const valid = { ...call, headers: { 'x-api-key': 'acme', 'x-secret-key': secret } };
      expect((await service.app.inject(valid)).statusCode).toBe(200);
      service.clock.advance(60_000);
      expect((await service.app.inject(wrong)).statusCode).toBe(401);
    });

    test('a 403 does not count', async () => {
      for (let count = 0; count < 30; count += 1) {
        const reply = await service.app.inject({ url: '/searchapi/v3/queries', headers: { origin: STRANGER } });
        expect(reply.statusCode).toBe(403);
      }
      expect((await service.app.inject({ url: '/searchapi/v3/queries' })).statusCode).toBe(401);
    });
  });

  describe('limits of a store', () => {
    test('browsers by address, backends for the store', async () => {
      const limits = { originPerMinute: 2, keysPerMinute: 3 };
      const { secretKey } = await service.stores.create({
        apiKey: 'limited',
        name: 'Limited',
        origins: ['limited.example'],
        settings: { limits },
      });
      const browser = (remoteAddress: string): Promise<{ statusCode: number }> =>
        service.app.inject({
          url: '/searchapi/v3/queries',
          remoteAddress,
          headers: { origin: 'https://limited.example' },
        });
      const backend = (): Promise<{ statusCode: number }> =>
        service.app.inject({ url: `/searchapi/v3/queries?apiKey=limited&secretKey=${secretKey}` });
      const seen = [];
      for (const address of ['192.0.2.7', '192.0.2.7', '192.0.2.7', '192.0.2.8'])
        seen.push((await browser(address)).statusCode);
      expect(seen).toEqual([200, 200, 429, 200]);
      expect(
        [await backend(), await backend(), await backend(), await backend()].map((reply) => reply.statusCode),
      ).toEqual([200, 200, 200, 429]);
    });
  });
});
