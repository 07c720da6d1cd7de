import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Readiness } from '../../../src/http/health/readiness';
import { startTestApp, type TestApp } from './support';
import { describeModes } from '../../support/modes';

const querySchema = z.object({ resultsPerPage: z.coerce.number().int().max(100).optional() });
const bodySchema = z.object({ pid: z.string() });

@Controller('probe')
class ProbeController {
  @Post('body')
  body(@Body({ schema: bodySchema }) body: z.infer<typeof bodySchema>): object {
    return body;
  }

  @Get('page')
  page(@Query({ schema: querySchema }) query: z.infer<typeof querySchema>): object {
    return query;
  }

  @Get('query')
  query(): object {
    return {};
  }

  @Get('id/:id')
  id(@Param('id') id: string): object {
    return { id };
  }

  @Get('address')
  address(@Req() request: FastifyRequest): object {
    return { address: request.ip };
  }

  @Get('crash')
  crash(): object {
    throw new Error('a fault of ours');
  }
}

describeModes((mode) => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp(mode, { controllers: [ProbeController], env: { TRUST_PROXY: '1' } });
    await service.stores.create({ apiKey: 'acme', name: 'Acme', origins: ['.acme.example'] });
  });
  afterAll(() => service.close());

  interface Reply {
    statusCode: number;
    headers: Record<string, unknown>;
    body: string;
    json(): Record<string, unknown>;
  }

  const get = (url: string, headers: Record<string, string> = {}): Promise<Reply> =>
    service.app.inject({ url, headers });
  const preflight = (origin: string): Promise<Reply> =>
    service.app.inject({
      method: 'OPTIONS',
      url: '/v7/events/views/product',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });

  describe('CORS', () => {
    test('a whitelisted Origin is echoed, with credentials, on successes and failures', async () => {
      for (const url of ['/probe/query', '/nowhere', '/probe/crash']) {
        const { headers } = await get(url, { origin: 'https://www.acme.example' });
        expect(headers).toMatchObject({
          'access-control-allow-origin': 'https://www.acme.example',
          'access-control-allow-credentials': 'true',
          vary: 'Origin',
        });
      }
    });

    test('its preflight is answered for any route', async () => {
      const reply = await preflight('https://www.acme.example');
      expect(reply.statusCode).toBe(204);
      const allowed = String(reply.headers['access-control-allow-headers']).split(', ');
      expect(allowed).toEqual(
        (
          'content-type x-api-key x-secret-key x-user-id x-host ' +
          'x-integration-platform x-integration-type x-integration-version'
        ).split(' '),
      );
      expect(reply.headers['access-control-allow-methods']).toContain('POST');
    });

    test.each(['https://evilacme.example', 'null', 'https://acme.example.evil.test'])(
      'the strange Origin %s gets no CORS header',
      async (origin) => {
        for (const reply of [await get('/probe/query', { origin }), await preflight(origin)]) {
          expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
      },
    );

    test('no page may read admin routes', async () => {
      const { headers } = await get('/admin/stores', { origin: 'https://www.acme.example' });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  describe('running it', () => {
    test('liveness and readiness', async () => {
      expect((await get('/health/live')).json()).toEqual({ status: 'live' });
      const dependencies = mode.name === 'embedded' ? { storage: 'up' } : { storage: 'up', redis: 'up' };
      expect((await get('/health/ready')).json()).toEqual({ status: 'ready', dependencies });
      service.app.get(Readiness).add('engine', () => Promise.reject(new Error('gone')));
      const down = await get('/health/ready');
      expect(down.statusCode).toBe(503);
      expect(down.json()['dependencies']).toEqual({ ...dependencies, engine: 'down' });
      expect(down.headers['retry-after']).toBe('1');
      service.app.get(Readiness).add('engine', () => Promise.resolve());
      expect((await get('/health/ready')).statusCode).toBe(200);
    });

    test('metrics count requests by route and status, and name no id', async () => {
      await get('/probe/id/very-secret-shopper');
      const { body } = await get('/metrics');
      expect(body).toMatch(
        /http_request_duration_seconds_count\{method="GET",route="\/probe\/id\/:id",status="200"\} \d/,
      );
      expect(body).toContain('nodejs_eventloop_delay_seconds');
      expect(body).not.toContain('very-secret-shopper');
    });

    test('the OpenAPI document holds the routes and the schemas that validate them', async () => {
      const document = (await get('/openapi.json')).json() as {
        paths: Record<string, Record<string, { parameters?: { name: string }[]; requestBody?: object }>>;
      };
      expect(JSON.stringify(document.paths['/probe/body']?.['post']?.requestBody)).toContain('"pid"');
      expect(document.paths['/probe/page']?.['get']?.parameters?.map(({ name }) => name)).toEqual(['resultsPerPage']);
    });

    test('the page that shows it loads nothing from elsewhere', async () => {
      const page = await get('/docs');
      const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => String(match[1]));
      expect(files.length).toBeGreaterThan(2);
      for (const file of files) {
        expect(file).toMatch(/^\/docs\//);
        expect((await get(file)).statusCode).toBe(200);
      }
    });

    test('replies do not name the software behind the service', async () => {
      const { headers } = await get('/probe/query');
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      });
    });

    test('one trusted proxy: the address it saw is the caller’s, what the caller claimed is not', async () => {
      const reply = await get('/probe/address', { 'x-forwarded-for': '203.0.113.9, 198.51.100.4' });
      expect(reply.json()).toEqual({ address: '198.51.100.4' });
    });

    test('what is not HTTP is answered in the same shape', async () => {
      await service.app.listen(0, '127.0.0.1');
      const { port } = service.app.getHttpServer().address() as { port: number };
      const text = await new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'));
        let seen = '';
        socket.on('data', (chunk) => (seen += chunk.toString()));
        socket.on('end', () => resolve(seen));
        socket.on('error', reject);
      });
      expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({ code: 400, error: 'invalid_request' });
    });
  });

  test('stores and their secrets are the same over a restart', async () => {
    const place = mode.place();
    const first = await startTestApp(mode, { place });
    const { secretKey } = await first.stores.create({ apiKey: 'acme', name: 'Acme', origins: ['acme.example'] });
    await first.close();
    const second = await startTestApp(mode, { place });
    expect(second.secrets).toEqual(first.secrets);
    expect(second.stores.authenticate('acme', secretKey)?.store.name).toBe('Acme');
    expect(second.stores.byOrigin('https://acme.example')?.apiKey).toBe('acme');
    await second.close();
    if (mode.name === 'embedded') {
      const folder = place.env['DATA_DIR'] ?? '';
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
    }
    await place.remove();
  });
});
