import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type EarlyRefusals, refuseEarly, type RequestHead } from './early-refusals';
import { plainRoute } from './shed-routes';

describe('refusals in front of the framework', () => {
  let server: Server;
  let url: string;
  let heads: Pick<RequestHead, 'ip' | 'query'>[];
  let refuses: boolean;
  let off: boolean;
  let reached: string[];
  let counted: unknown[];

  beforeEach(async () => {
    [heads, refuses, off, reached, counted] = [[], true, false, [], []];
    server = createServer((request, response) => {
      reached.push(`${request.method} ${request.url}`);
      response.end('done');
    });
    const options: EarlyRefusals = {
      control: { sheds: () => refuses },
      addressOf: () => '10.0.0.1',
      namesOf: ({ ip, query }) => {
        heads.push({ ip, query });
        return ['store', 'caller'];
      },
      corsHeaders: (origin) => (origin === undefined ? {} : { 'access-control-allow-origin': origin }),
      refused: (_socket, labels) => counted.push(labels),
      isOff: () => off,
    };
    refuseEarly(server, options);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((done) => server.close(done)));

  const SEARCH = '/searchapi/v3/queries?terms=t%C3%AAnis&apikey=shop';

  test('are as complete as every other error', async () => {
    const reply = await fetch(url + SEARCH, { headers: { 'x-request-id': 'mine-1', origin: 'https://shop.example' } });
    const text = await reply.text();
    expect(reply.status).toBe(503);
    expect(JSON.parse(text)).toEqual({
      code: 503,
      error: 'overloaded',
      message: expect.stringContaining('try again') as string,
      requestId: 'mine-1',
    });
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-request-id': 'mine-1',
      'retry-after': '1',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(text.length),
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': 'https://shop.example',
    });
    expect(reached).toEqual([]);
    expect(heads).toEqual([{ ip: '10.0.0.1', query: { terms: 'tênis', apiKey: 'shop' } }]);
    expect(counted).toEqual([{ method: 'GET', route: '/searchapi/v3/queries', status: 503 }]);
  });

  test('keep the connection, and read no body', async () => {
    const agent = new Agent({ keepAlive: true });
    const post = async (): Promise<number | undefined> => {
      const sent = ask(`${url}/v7/events/views/home`, { method: 'POST', agent }).end('{"pid":"a"}');
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      await once(reply.resume(), 'close');
      return reply.statusCode;
    };
    let connections = 0;
    server.on('connection', () => (connections += 1));
    expect([await post(), await post()]).toEqual([503, 503]);
    refuses = false;
    expect(await post()).toBe(200);
    expect(connections).toBe(1);
    agent.destroy();
    expect(counted).toHaveLength(2);
    expect(counted[0]).toMatchObject({ method: 'POST', route: '/v7/events/views/:name' });
  });

  test.each([
    ['another route', 'GET', '/health/live'],
    ['another method', 'POST', SEARCH],
    ['a preflight', 'OPTIONS', SEARCH],
    ['an address with escapes', 'GET', '/searchapi/v3/%71ueries'],
    ['a slash at the end', 'GET', '/searchapi/v3/queries/'],
    ['an event with escapes', 'POST', '/v7/events/views/h%6Fme'],
    ['no event', 'POST', '/v7/events/views/'],
    ['a long address', 'GET', `/searchapi/v3/queries?terms=${'x'.repeat(2048)}`],
  ])('leave %s to the framework', async (_what, method, path) => {
    await (await fetch(new URL(path, url), { method })).text();
    expect(reached).toHaveLength(1);
    expect(heads).toEqual([]);
  });

  test('leave what goes wrong here to the framework', async () => {
    heads.push = (): never => {
      throw new TypeError('no address');
    };
    expect(await (await fetch(url + SEARCH)).text()).toBe('done');
  });

  test('know their routes by their own names alone', () => {
    expect(plainRoute('GET', '/searchapi/v3/queries')).toBe('/searchapi/v3/queries');
    expect(plainRoute('GET', 'constructor')).toBeUndefined();
  });

  test('leave what is let in to the framework, and everything while they are off', async () => {
    refuses = false;
    expect((await fetch(url + SEARCH)).status).toBe(200);
    [refuses, off] = [true, true];
    expect((await fetch(url + SEARCH)).status).toBe(200);
    expect(reached).toHaveLength(2);
    expect(counted).toEqual([]);
  });
});
