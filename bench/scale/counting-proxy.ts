import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';

/** Passes every request on, and counts it by what it asks. */
export class CountingProxy {
  private counts = new Map<string, number>();
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });
  private readonly server = createServer((asked, reply) => this.pass(asked, reply));

  private constructor(private readonly target: URL) {}

  static async to(target: string): Promise<CountingProxy> {
    const proxy = new CountingProxy(new URL(target));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Since it was asked last. */
  take(): { total: number; kinds: [string, number][] } {
    const kinds = [...this.counts].sort((a, b) => b[1] - a[1]);
    this.counts = new Map();
    return { total: kinds.reduce((sum, [, count]) => sum + count, 0), kinds };
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
  }

  private pass(asked: IncomingMessage, reply: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = asked;
    const kind = kindOf(method, url);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const { hostname: host, port } = this.target;
    const passed = request({ host, port, method, path: url, headers, agent: this.agent }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    // As a server that is not there: the connection ends.
    passed.on('error', () => reply.destroy());
    asked.pipe(passed);
  }
}

/** `POST documents/_mget`: without the prefix of the installation, and without ids. */
function kindOf(method: string, url: string): string {
  const parts = (url.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const [first = ''] = parts;
  const index = first.startsWith('_') ? [] : [first.replace(/^[^-]+-/, '').slice(0, 40)];
  return [method, [...index, ...parts.filter((part) => part.startsWith('_'))].join('/')].join(' ');
}
