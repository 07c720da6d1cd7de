import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Connections } from './connections';

const MINUTE = 60_000;
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

describe('the connections of a server that ends', () => {
  let server: Server;
  let connections: Connections;
  let answer: RequestListener;

  beforeEach(async () => {
    server = createServer((request, response) => answer(request, response));
    server.keepAliveTimeout = MINUTE;
    connections = new Connections(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => void server.closeAllConnections());

  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const everything = async (socket: Socket): Promise<string> => {
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  };

  test('idle ones are ended, those with a request under way once it is answered, and the reply says so', async () => {
    let release: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        release = () => void response.end('done');
        resolve();
      };
    });
    const [idle, busy] = [await open(), await open()];
    busy.write(GET);
    await begun;
    const ended = connections.end({ idleMs: 0, withinMs: MINUTE });
    expect(await everything(idle)).toBe('');
    release();
    const reply = await everything(busy);
    expect(reply).toMatch(/^HTTP\/1.1 200 OK\r\nconnection: close\r\n/);
    expect(reply).toContain('done');
    expect(await ended).toBe(0);
  });

  test('one whose last request was answered in front of all listeners is idle', async () => {
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      response.end('refused');
      connections.answeredAtOnce(request.socket);
    });
    const socket = await open();
    socket.write(GET);
    await new Promise((resolve) => socket.once('data', resolve));
    const since = performance.now();
    expect(await connections.end({ idleMs: 0, withinMs: MINUTE })).toBe(0);
    expect(performance.now() - since).toBeLessThan(MINUTE / 2);
  });

  test('a reply that is written reaches a client that reads it late, whole', async () => {
    const big = 'x'.repeat(32 * 1024 * 1024);
    const written = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.end(big);
        resolve();
      };
    });
    const socket = await open();
    socket.pause();
    socket.write(GET);
    await written;
    const ended = connections.end({ idleMs: 0, withinMs: MINUTE });
    await wait(100);
    expect((await everything(socket)).length).toBeGreaterThan(big.length);
    expect(await ended).toBe(0);
  });

  test('of requests that a client sends at once, all are answered', async () => {
    const releases: (() => void)[] = [];
    const both = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        releases.push(() => void response.end(`reply ${releases.length}`));
        if (releases.length === 2) resolve();
      };
    });
    connections.endAfterReplies();
    const socket = await open();
    socket.write(GET + GET);
    await both;
    const ended = connections.end({ idleMs: 0, withinMs: MINUTE });
    for (const release of releases) release();
    const text = await everything(socket);
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(text.match(/connection: close/gi)).toHaveLength(1);
    expect(await ended).toBe(0);
  });

  test('a request that arrives on an idle connection meanwhile is answered; new connections are refused', async () => {
    answer = (_request, response) => void response.writeHead(503).end();
    const socket = await open();
    const ended = connections.end({ idleMs: 300, withinMs: MINUTE });
    socket.write(GET);
    expect(await everything(socket)).toMatch(/^HTTP\/1.1 503 /);
    expect(server.listening).toBe(false);
    expect(await ended).toBe(0);
  });

  test('a request of which a part has arrived may arrive, and is answered', async () => {
    answer = (_request, response) => void response.writeHead(503).end();
    const socket = await open();
    socket.write(GET.slice(0, 20));
    await wait(100);
    const ended = connections.end({ idleMs: 0, withinMs: MINUTE });
    await wait(100);
    socket.write(GET.slice(20));
    expect(await everything(socket)).toMatch(/^HTTP\/1.1 503 /);
    expect(await ended).toBe(0);
  });

  test('what is not answered in time is cut off, and counted', async () => {
    const begun = new Promise<void>((resolve) => {
      answer = (): void => resolve();
    });
    const socket = await open();
    socket.write(GET);
    await begun;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.resume();
    expect(await connections.end({ idleMs: 0, withinMs: 50 })).toBe(1);
    await closed;
  });
});
