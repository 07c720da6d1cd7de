import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { Clock } from '../../../src/shared/clock';
import { ApiError } from '../../../src/shared/api-error';
import { BodyLimit } from '../../../src/http/body-limit';
import { startTestApp, type TestApp } from './support';
import { describeModes } from '../../support/modes';

const bodySchema = z.looseObject({ pid: z.string(), items: z.array(z.object({ sku: z.string() })).optional() });
const querySchema = z.object({ resultsPerPage: z.coerce.number().int().max(100).optional() });

@Controller('probe')
class ProbeController {
  constructor(private readonly clock: Clock) {}

  @Post('body')
  @HttpCode(200)
  @BodyLimit(1024)
  body(@Body({ schema: bodySchema }) body: z.infer<typeof bodySchema>): object {
    return { keys: Object.keys(body) };
  }

  @Post('any')
  @HttpCode(200)
  any(@Body() body: unknown): object {
    return { body: body ?? null };
  }

  @Post('stream')
  @HttpCode(200)
  async stream(@Body() body: AsyncIterable<Buffer>): Promise<object> {
    let bytes = 0;
    for await (const chunk of body) bytes += chunk.length;
    return { bytes };
  }

  @Get('query')
  query(@Query() query: Record<string, unknown>): object {
    return { query: { ...query } };
  }

  @Get('page')
  page(@Query({ schema: querySchema }) query: z.infer<typeof querySchema>): object {
    return query;
  }

  @Get('long/:characters')
  long(@Param('characters') characters: string): object {
    return { text: 'a'.repeat(Number(characters)) };
  }

  @Get('id/:id')
  id(@Param('id') id: string): object {
    return { id };
  }

  @Get('crash')
  crash(): object {
    throw new Error(`the password is swordfish, at ${this.clock.now()}`);
  }

  @Get('down')
  down(): object {
    throw new ApiError('unavailable', 'The engine is down', { retryAfter: 7, extra: { searchId: 's1' } });
  }
}

describeModes((mode) => {
  let service: TestApp;

  beforeAll(async () => {
    service = await startTestApp(mode, { controllers: [ProbeController] });
  });
  afterAll(() => service.close());

  interface Reply {
    statusCode: number;
    headers: Record<string, unknown>;
    body: string;
    rawPayload: Buffer;
    json(): Record<string, unknown>;
  }

  const get = (url: string, headers: Record<string, string> = {}): Promise<Reply> =>
    service.app.inject({ url, headers });
  const post = (url: string, payload: string, type: string): Promise<Reply> =>
    service.app.inject({ method: 'POST', url: `/probe/${url}`, payload, headers: { 'content-type': type } });

  describe('every failure has one shape', () => {
    const json = 'application/json';
    test.each<[string, () => Promise<Reply>, number, string]>([
      ['an unknown route', () => get('/nowhere'), 404, 'unknown_route'],
      ['a known route with another method', () => get('/probe/body'), 404, 'unknown_route'],
      ['broken JSON', () => post('any', '{"a":', json), 400, 'invalid_json'],
      ['broken JSON as text', () => post('any', 'hello', 'text/plain'), 400, 'invalid_json'],
      [
        'a body that is no JSON',
        () => post('any', 'a=1', 'application/x-www-form-urlencoded'),
        415,
        'unsupported_media_type',
      ],
      [
        'a stream where JSON is required',
        () => post('body', '{"pid":"p"}', 'application/x-ndjson'),
        415,
        'unsupported_media_type',
      ],
      ['nesting of 33 levels', () => post('any', `${'['.repeat(33)}${']'.repeat(33)}`, json), 400, 'too_deep'],
      ['a key that reaches for a prototype', () => post('any', '{"a":{"__proto__":{}}}', json), 400, 'invalid_json'],
      ['the same key in disguise', () => post('any', '{"\\u005f_proto__":{}}', json), 400, 'invalid_json'],
      [
        'a body over the route’s limit',
        () => post('body', `{"pid":"${'x'.repeat(2000)}"}`, json),
        413,
        'body_too_large',
      ],
      ['a body that fails its schema', () => post('body', '{"items":[{"sku":1}]}', json), 400, 'invalid_body'],
      ['a query that fails its schema', () => get('/probe/page?RESULTSPERPAGE=101'), 400, 'invalid_parameter'],
      ['a part of the address that is too long', () => get(`/probe/id/${'x'.repeat(2100)}`), 414, 'uri_too_long'],
      ['a broken address', () => get('/probe/id/%E0%A4%A'), 400, 'invalid_request'],
      ['a fault of ours', () => get('/probe/crash'), 500, 'internal_error'],
      ['a dependency that is down', () => get('/probe/down'), 503, 'unavailable'],
    ])('%s', async (_name, send, status, code) => {
      const reply = await send();
      const body = reply.json();
      expect(reply.statusCode).toBe(status);
      expect(body).toMatchObject({ code: status, error: code });
      expect(body['message']).toEqual(expect.stringMatching(/\w/));
      expect(body['requestId']).toBe(reply.headers['x-request-id']);
      expect(reply.headers['content-type']).toContain('application/json');
    });

    test('names the path of each mistake', async () => {
      expect((await post('body', '{"items":[{"sku":1}]}', json)).json()['details']).toEqual([
        { path: 'pid', message: 'Required: string' },
        { path: 'items.0.sku', message: 'Invalid input: expected string, received number' },
      ]);
    });

    test('tells nothing of an unexpected error, and logs it under the same id', async () => {
      const reply = await get('/probe/crash', { 'x-request-id': 'find-me' });
      expect(reply.body).not.toContain('swordfish');
      expect(service.log()).toMatch(/"requestId":"find-me".*swordfish|swordfish.*"requestId":"find-me"/);
    });

    test('carries Retry-After and extra fields', async () => {
      const reply = await get('/probe/down');
      expect(reply.headers['retry-after']).toBe('7');
      expect(reply.json()['searchId']).toBe('s1');
    });
  });

  describe('bodies', () => {
    test.each([
      'application/json',
      'application/json; charset=utf-8',
      'text/plain;charset=UTF-8',
      'application/ld+json',
      '',
    ])('JSON as "%s" is read, its keys in the order sent', async (type) => {
      const reply = await post('any', '\uFEFF{"z":1,"pid":"p","a":2}', type);
      expect(Object.keys(reply.json()['body'] as object)).toEqual(['z', 'pid', 'a']);
    });

    test('nesting of 32 levels is fine', async () => {
      expect((await post('any', `${'['.repeat(32)}${']'.repeat(32)}`, 'application/json')).statusCode).toBe(200);
    });

    test('an empty body is no body', async () => {
      expect((await post('any', '', 'application/json')).json()).toEqual({ body: null });
    });

    test('NDJSON arrives as a stream, of any length', async () => {
      const reply = await post('stream', '{"a":1}\n'.repeat(3_000_000), 'application/x-ndjson');
      expect(reply.json()).toEqual({ bytes: 24_000_000 });
    });
  });

  describe('query strings', () => {
    test.each([
      ['RESULTSPERPAGE=3&sortby=pid', { resultsPerPage: '3', sortBy: 'pid' }],
      ['pids[]=1', { pids: ['1'] }],
      ['pids=1&PIDS=2&pids%5B%5D=3', { pids: ['1', '2', '3'] }],
      ['terms=a+b%20c&unknownThing=x', { terms: 'a b c', unknownThing: 'x' }],
      ['terms=&userId=undefined&page=NaN&deviceId=null&flag', {}],
      ['terms=100%', { terms: '100%' }],
      ['terms=a%2Bb', { terms: 'a+b' }],
      ['__proto__=x&terms=y', { terms: 'y' }],
    ])('%s', async (text, expected) => {
      const query = (await get(`/probe/query?${text}`)).json()['query'] as object;
      expect(Object.entries(query)).toEqual(Object.entries(expected));
    });
  });

  describe('long replies', () => {
    const long = async (accepted: string, characters = 5000): Promise<[unknown, Buffer]> => {
      const { headers, rawPayload } = await get(`/probe/long/${characters}`, { 'accept-encoding': accepted });
      return [headers['content-encoding'], rawPayload];
    };
    const plain = Buffer.from(JSON.stringify({ text: 'a'.repeat(5000) }));

    test.each([
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, deflate;q=0.5, br;q=0', 'gzip', gunzipSync],
    ])('are compressed for who accepts %s, as %s', async (accepted, encoding, unpacked) => {
      const [sent, bytes] = await long(accepted);
      expect(sent).toBe(encoding);
      expect(bytes.length).toBeLessThan(500);
      expect(unpacked(bytes)).toEqual(plain);
    });

    test.each(['', 'identity', 'zstd', 'gzip;q=0, br;q=0'])('are not where %j is accepted', async (accepted) => {
      expect(await long(accepted)).toEqual([undefined, plain]);
    });

    test('are not below a kilobyte', async () => {
      const [encoding] = await long('br', 900);
      expect(encoding).toBeUndefined();
    });

    test('say that they are compressed for some, also where they are not', async () => {
      const vary = async (characters: number, accepted: string): Promise<unknown> =>
        (await get(`/probe/long/${characters}`, { 'accept-encoding': accepted })).headers['vary'];
      expect([await vary(5000, ''), await vary(5000, 'br'), await vary(900, 'br')]).toEqual([
        'Origin, accept-encoding',
        'Origin, accept-encoding',
        'Origin',
      ]);
    });

    test('are the only ones: a compressed body that arrives is refused', async () => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const reply = await service.app.inject({ method: 'POST', url: '/probe/any', payload: gzipSync('{}'), headers });
      expect(reply.statusCode).toBe(415);
    });
  });

  describe('request ids', () => {
    test('a well-formed one is kept, another is replaced', async () => {
      expect((await get('/health/live', { 'x-request-id': 'a.B:9_-' })).headers['x-request-id']).toBe('a.B:9_-');
      for (const bad of ['a b', 'x'.repeat(129), '<script>']) {
        expect((await get('/health/live', { 'x-request-id': bad })).headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    });
  });
});
