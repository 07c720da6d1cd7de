import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { HostResolver } from './host-resolver';
import { addressRule, type AddressRule } from './address-rule';
import { type OutboundOptions, OutboundRequests } from './outbound-requests';

/** What it answers for a name, in turn; the last one stays. */
class ListedNames extends HostResolver {
  readonly asked: string[] = [];

  constructor(private readonly answers: Record<string, string[][]>) {
    super();
  }

  override async resolve(host: string): Promise<string[]> {
    this.asked.push(host);
    const [next, ...more] = this.answers[host] ?? [];
    if (!next) throw new Error(`${host} is not listed`);
    if (more.length > 0) this.answers[host] = more;
    return next;
  }
}

/** As if 127.0.0.1 were on the internet, and every other address of this machine were not: no test leaves the machine. */
const firstIsPublic: AddressRule = (address) => (address === '127.0.0.1' ? null : addressRule(address));

describe('outbound requests', () => {
  const servers: Server[] = [];
  /** Starts a server and answers its port. */
  const serve = async (listener: RequestListener, host = '127.0.0.1', port = 0): Promise<number> => {
    const server = createServer(listener).listen(port, host);
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    return (server.address() as AddressInfo).port;
  };

  afterEach(async () => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  const options = (more: Partial<OutboundOptions> = {}): OutboundOptions => ({
    allowedHosts: [],
    maxBytes: 10_000,
    timeoutMs: 20_000,
    ...more,
  });
  const say = (words: string) => (_request: IncomingMessage, response: ServerResponse) => void response.end(words);
  const redirectTo =
    (location: string, status = 302) =>
    (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(status, { location }).end();

  const real = new OutboundRequests(
    new ListedNames({ 'inside.test': [['127.0.0.1']], 'both.test': [['8.8.8.8', '10.0.0.1']] }),
  );
  const near = (answers: Record<string, string[][]> = {}): { requests: OutboundRequests; names: ListedNames } => {
    const names = new ListedNames({ 'shop.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']], ...answers });
    return { requests: new OutboundRequests(names, firstIsPublic), names };
  };

  test('answer status, headers, the body and the address', async () => {
    const port = await serve((request, response) => {
      response.writeHead(203, { 'x-feed': 'yes' }).end(`${request.method} ${request.headers['user-agent']}`);
    });
    const answer = await near().requests.fetch(`http://shop.test:${port}/feed#part`, options());
    expect(answer).toMatchObject({ status: 203, url: `http://shop.test:${port}/feed` });
    expect(answer.headers['x-feed']).toBe('yes');
    expect(await text(answer.body)).toBe('GET vitrine');
  });

  describe('are refused before anything is connected', () => {
    test.each([
      ['file:///etc/passwd', /http:\/\/ or https:\/\//],
      ['ftp://shop.test/feed', /http:\/\/ or https:\/\//],
      ['shop', /http:\/\/ or https:\/\//],
      ['http://127.0.0.1/', /feedHosts/],
      ['http://127.1/', /feedHosts/],
      ['http://2130706433/', /feedHosts/],
      ['http://0x7f000001/', /feedHosts/],
      ['http://[::1]/', /feedHosts/],
      ['http://[::ffff:127.0.0.1]/', /feedHosts/],
      ['http://inside.test/', /feedHosts/],
      ['http://both.test/', /feedHosts/],
      ['http://169.254.169.254/latest/meta-data', /cloud metadata/],
    ])('%s', async (address, message) => {
      const refused = real.fetch(address, options());
      await expect(refused).rejects.toMatchObject({ reason: 'refused', message: expect.stringMatching(message) });
    });

    test('and say neither the query, nor a password, nor what the name stands for', async () => {
      const refused = await real.fetch('http://me:word@inside.test/a?token=x', options()).catch(String);
      expect(refused).toContain('http://inside.test/a ');
      expect(refused).not.toMatch(/word|token|127/);
    });
  });

  test('a host in the list is asked wherever it is, but for metadata', async () => {
    const port = await serve(say('inside'));
    const asked = await real.fetch(`http://inside.test:${port}/`, options({ allowedHosts: ['Inside.test'] }));
    expect(await text(asked.body)).toBe('inside');
    const literal = await real.fetch(`http://127.0.0.1:${port}/`, options({ allowedHosts: ['127.0.0.1'] }));
    expect(await text(literal.body)).toBe('inside');
    const metadata = real.fetch('http://169.254.169.254/', options({ allowedHosts: ['169.254.169.254'] }));
    await expect(metadata).rejects.toMatchObject({ reason: 'refused' });
  });

  describe('names', () => {
    test('are resolved once: the connection is made to the address that was checked', async () => {
      const port = await serve(say('the checked one'));
      await serve(say('the private one'), '127.0.0.2', port);
      const { requests, names } = near({ 'rebinds.test': [['127.0.0.1'], ['127.0.0.2']] });
      const answer = await requests.fetch(`http://rebinds.test:${port}/`, options());
      expect(await text(answer.body)).toBe('the checked one');
      expect(names.asked).toEqual(['rebinds.test']);
      // The second answer is private, so a second request is refused.
      await expect(requests.fetch(`http://rebinds.test:${port}/`, options())).rejects.toMatchObject({
        reason: 'refused',
      });
    });

    test('are resolved and checked anew for a redirect', async () => {
      let asked = 0;
      const port = await serve((request, response) => {
        asked += 1;
        redirectTo('/again')(request, response);
      });
      await serve(say('the private one'), '127.0.0.2', port);
      const { requests } = near({ 'rebinds.test': [['127.0.0.1'], ['127.0.0.2']] });
      await expect(requests.fetch(`http://rebinds.test:${port}/`, options())).rejects.toMatchObject({
        reason: 'refused',
      });
      expect(asked).toBe(1);
    });

    test('nobody knows are said to be unknown', async () => {
      await expect(real.fetch('http://nowhere.test/', options())).rejects.toMatchObject({
        reason: 'unreachable',
        message: 'The name nowhere.test is not known',
      });
    });
  });

  describe('redirects', () => {
    test.each([
      'http://127.0.0.2:PORT/',
      'http://[::1]:PORT/',
      'http://169.254.169.254/',
      'http://inside.test:PORT/',
      'file:///etc/passwd',
    ])('to %s are refused', async (location) => {
      let port = 0;
      port = await serve((request, response) => redirectTo(location.replace('PORT', String(port)))(request, response));
      await serve(say('the private one'), '127.0.0.2', port);
      const { requests } = near({ 'inside.test': [['127.0.0.2']] });
      await expect(requests.fetch(`http://shop.test:${port}/`, options())).rejects.toMatchObject({ reason: 'refused' });
    });

    test('are followed five times', async () => {
      const port = await serve((request, response) => {
        const left = Number(request.url!.slice(1));
        if (left === 0) response.end('arrived');
        else redirectTo(`/${left - 1}`, 307)(request, response);
      });
      const { requests } = near();
      const answer = await requests.fetch(`http://shop.test:${port}/5`, options());
      expect(await text(answer.body)).toBe('arrived');
      expect(answer.url).toBe(`http://shop.test:${port}/0`);
      await expect(requests.fetch(`http://shop.test:${port}/6`, options())).rejects.toThrow('more than 5 redirects');
    });

    test('keep credentials to the server they were meant for', async () => {
      const seen: (string | undefined)[] = [];
      let port = 0;
      port = await serve((request, response) => {
        seen.push(request.headers.authorization ?? request.headers.cookie);
        if (request.url === '/') redirectTo('/same')(request, response);
        else if (request.url === '/same') redirectTo(`http://other.test:${port}/end`)(request, response);
        else response.end(request.headers['x-feed']);
      });
      const { requests } = near();
      const answer = await requests.fetch(
        `http://me:p%C3%A1ss@shop.test:${port}/`,
        options({ headers: { 'X-Feed': 'kept', Cookie: 'c=1' } }),
      );
      expect(await text(answer.body)).toBe('kept');
      const basic = `Basic ${Buffer.from('me:páss').toString('base64')}`;
      expect(seen).toEqual([basic, basic, undefined]);
    });

    test('with a user or a password are refused', async () => {
      const port = await serve(redirectTo('http://a:b@other.test/'));
      await expect(near().requests.fetch(`http://shop.test:${port}/`, options())).rejects.toThrow('carries a user');
    });

    test('repeat a body, or are the answer where they would lose it', async () => {
      const port = await serve(async (request, response) => {
        const body = await text(request);
        if (request.url === '/307') redirectTo('/end', 307)(request, response);
        else if (request.url === '/302') redirectTo('/end')(request, response);
        else response.end(`${request.method} ${body}`);
      });
      const { requests } = near();
      const post = options({ method: 'POST', body: 'hello' });
      const repeated = await requests.fetch(`http://shop.test:${port}/307`, post);
      expect(await text(repeated.body)).toBe('POST hello');
      const lost = await requests.fetch(`http://shop.test:${port}/302`, post);
      expect(lost.status).toBe(302);
      lost.body.destroy();
    });
  });

  describe('bodies', () => {
    const encoded = (encoding: string, body: Buffer) => (_request: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(body);
    const read = async (port: number, maxBytes = 10_000): Promise<Buffer> =>
      buffer((await near().requests.fetch(`http://shop.test:${port}/`, options({ maxBytes }))).body);

    test.each([
      ['gzip', gzipSync('words')],
      ['br', brotliCompressSync('words')],
      ['gzip, br', brotliCompressSync(gzipSync('words'))],
      ['identity', Buffer.from('words')],
    ])('arrive decoded from %s', async (encoding, body) => {
      expect(String(await read(await serve(encoded(encoding, body))))).toBe('words');
    });

    test('of exactly the largest size arrive, larger ones do not, whether the length is said or not', async () => {
      const said = await serve(say('x'.repeat(100)));
      expect(await read(said, 100)).toHaveLength(100);
      await expect(read(said, 99)).rejects.toMatchObject({ reason: 'too_large' });
      const unsaid = await serve((_request, response) => {
        for (let part = 0; part < 10; part += 1) response.write('x'.repeat(10));
        response.end();
      });
      expect(await read(unsaid, 100)).toHaveLength(100);
      await expect(read(unsaid, 99)).rejects.toMatchObject({ reason: 'too_large' });
    });

    test('that unfold beyond the limit are cut off', async () => {
      const port = await serve(encoded('gzip', gzipSync(Buffer.alloc(5_000_000))));
      await expect(read(port)).rejects.toMatchObject({ reason: 'too_large' });
    });

    test('that are broken, or in an encoding nobody asked for, are a bad answer', async () => {
      await expect(read(await serve(encoded('gzip', Buffer.from('no gzip'))))).rejects.toMatchObject({
        reason: 'bad_answer',
      });
      const half = gzipSync(Buffer.from('words'.repeat(100))).subarray(0, 20);
      await expect(read(await serve(encoded('gzip', half)))).rejects.toMatchObject({ reason: 'bad_answer' });
      await expect(read(await serve(encoded('zstd', Buffer.from('x'))))).rejects.toThrow(
        '"zstd" is not one of gzip, br',
      );
    });

    test('that break off are unreachable', async () => {
      const port = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('half', () => response.destroy());
      });
      await expect(read(port)).rejects.toMatchObject({ reason: 'unreachable' });
    });
  });

  test('end when the time is over, before the answer and in the middle of it', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/half') response.write('half');
    });
    const { requests } = near();
    const late = options({ timeoutMs: 300 });
    await expect(requests.fetch(`http://shop.test:${port}/`, late)).rejects.toMatchObject({ reason: 'timeout' });
    const half = requests
      .fetch(`http://shop.test:${port}/half`, options({ timeoutMs: 3000 }))
      .then(({ body }) => text(body));
    await expect(half).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('end with the signal, by its reason', async () => {
    const abort = new AbortController();
    const port = await serve(() => abort.abort(new Error('cancelled')));
    const answer = near().requests.fetch(`http://shop.test:${port}/`, options({ signal: abort.signal }));
    await expect(answer).rejects.toThrow('cancelled');
  });

  test('nobody listens: unreachable, in words that name the address', async () => {
    const port = await serve(say(''));
    servers.pop()!.close();
    await expect(near().requests.fetch(`http://shop.test:${port}/feed?key=1`, options())).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringMatching(/shop\.test:\d+\/feed can't be asked, or broke off \(ECONN/),
    });
  });
});
