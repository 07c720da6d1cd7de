import { gzipSync } from 'node:zlib';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { embeddedMode } from '../../support/modes';
import { sendRaw } from '../../support/raw-request';
import { startTestApp, type TestApp } from '../http/support';

@Controller('probe')
class ProbeController {
  @Post('any')
  @HttpCode(200)
  any(@Body() body: unknown): object {
    return { has: body !== undefined };
  }

  @Get()
  root(): object {
    return {};
  }
}

// What happens before any storage is asked: the same whichever there is.
describe('the edge of the service', () => {
  let service: TestApp;
  let port: number;

  beforeAll(async () => {
    service = await startTestApp(embeddedMode, { controllers: [ProbeController], bodyWithinMs: 300 });
    await service.app.listen(0, '127.0.0.1');
    ({ port } = service.app.getHttpServer().address() as { port: number });
  });
  afterAll(() => service.close());

  const HOST = 'host: x\r\nconnection: close\r\n';
  const post = (headers: string, ...body: (string | Buffer)[]): (string | Buffer)[] => [
    `POST /probe/any HTTP/1.1\r\n${HOST}content-type: application/json\r\n${headers}\r\n`,
    ...body,
  ];
  const sized = (body: string | Buffer, headers = ''): (string | Buffer)[] =>
    post(`${headers}content-length: ${Buffer.byteLength(body)}\r\n`, body);
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const tooLong = 'x'.repeat(70_000);
  const megabyte = 'x'.repeat(1_048_576);

  test.each<[string, (string | Buffer)[], number, string]>([
    ['no HTTP', ['\x16\x03\x01 hello\r\n\r\n'], 400, 'invalid_request'],
    [
      'a length and chunks at once',
      post('content-length: 3\r\ntransfer-encoding: chunked\r\n', '{}'),
      400,
      'invalid_request',
    ],
    ['two lengths', post('content-length: 2\r\ncontent-length: 3\r\n', '{}'), 400, 'invalid_request'],
    [
      'a line break in a header',
      [`GET /probe HTTP/1.1\r\n${HOST}x-request-id: a\nb\rc\r\n\r\n`],
      400,
      'invalid_request',
    ],
    ['a NUL in a header', [`GET /probe HTTP/1.1\r\n${HOST}x-request-id: a\0b\r\n\r\n`], 400, 'invalid_request'],
    ['headers without end', [`GET /probe HTTP/1.1\r\n${HOST}x-long: ${tooLong}\r\n\r\n`], 431, 'headers_too_large'],
    ['an address without end', [`GET /probe?${tooLong} HTTP/1.1\r\n${HOST}\r\n`], 431, 'headers_too_large'],
    ['a body over the limit', sized(`"${megabyte}"`), 413, 'body_too_large'],
    [
      'chunks without end',
      post('transfer-encoding: chunked\r\n', chunk(`"${megabyte}`), chunk(megabyte)),
      413,
      'body_too_large',
    ],
    [
      'a compressed bomb',
      sized(gzipSync(megabyte.repeat(20)), 'content-encoding: gzip\r\n'),
      415,
      'unsupported_media_type',
    ],
    ['brotli', sized('{}', 'content-encoding: br\r\n'), 415, 'unsupported_media_type'],
    ['brackets alone', sized(`[${'[],'.repeat(340_000)}[]]`), 413, 'body_too_large'],
    ['objects alone', sized(`[${'{},'.repeat(340_000)}{}]`), 413, 'body_too_large'],
    ['nesting without end', sized('['.repeat(1_000_000)), 400, 'too_deep'],
    ['objects in objects', sized('{"a":'.repeat(100_000)), 400, 'too_deep'],
  ])('%s is refused in the one shape', async (_name, pieces, status, error) => {
    const since = performance.now();
    const reply = await sendRaw(port, pieces);
    expect(reply.json).toMatchObject({ code: status, error, message: expect.stringMatching(/\w/) });
    expect(reply.status).toBe(status);
    expect(reply.json['requestId']).toBe(/x-request-id: (\S+)/.exec(reply.head)?.[1]);
    expect(performance.now() - since).toBeLessThan(15_000);
  });

  test('brackets in a text are no lists', async () => {
    const text = JSON.stringify({ a: `${'[{'.repeat(100_000)}\\"[` });
    expect((await sendRaw(port, sized(text))).status).toBe(200);
  });

  test('a body that comes byte by byte is given up', async () => {
    const slow = Array.from({ length: 100 }, () => ' ');
    const reply = await sendRaw(port, [...post('content-length: 1000\r\n'), ...slow], 50);
    expect(reply.json).toMatchObject({ code: 408, error: 'request_timeout' });
  });

  test('a client that stops in the middle holds nothing', async () => {
    const [head = ''] = post('content-length: 1000\r\n');
    expect((await sendRaw(port, [head, '{"a":'])).status).toBe(408);
    expect((await service.app.inject({ url: '/probe' })).statusCode).toBe(200);
  });

  test('nobody waits for a body that nobody reads', async () => {
    const headers = `${HOST}content-type: application/json\r\n`;
    const withBody = `GET /probe HTTP/1.1\r\n${headers}content-length: 1000\r\n\r\n{`;
    for (const whole of [withBody, `GET /probe HTTP/1.1\r\n${headers}\r\n`]) {
      expect((await sendRaw(port, [whole])).status).toBe(200);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await service.app.inject({ url: '/probe' })).statusCode).toBe(200);
  });

  test('headers have to arrive within seconds', () => {
    const server = service.app.getHttpServer() as { headersTimeout: number; requestTimeout: number };
    expect(server.headersTimeout).toBeLessThanOrEqual(15_000);
    expect(server.requestTimeout).toBeLessThanOrEqual(15 * 60_000);
  });

  test('nothing of a request becomes a header of its reply', async () => {
    const query = 'a=%0d%0aset-cookie:%20x=1&%0d%0aset-cookie:=1';
    const path = `/nowhere%0d%0aset-cookie:x?${query}`;
    const { head } = await sendRaw(port, [`GET ${path} HTTP/1.1\r\n${HOST}origin: http://x%0d%0aset-cookie\r\n\r\n`]);
    expect(head).not.toContain('set-cookie');
  });

  test.each(['/docs', '/docs/start.js', '/nowhere', '/probe'])('%s carries the security headers', async (url) => {
    const { headers } = await service.app.inject({ url });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("object-src 'none'"),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });
});
