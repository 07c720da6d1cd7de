import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** Stands between a service and its Elasticsearch, and passes every request on after a while. */
export class SlowProxy {
  delayMs = 0;
  /** Only requests whose body says so are late; null: all are. */
  onlyWhere: string | null = null;
  /** It takes connections and requests, and answers none. */
  hung = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(to: string): Promise<SlowProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new SlowProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', async (asked, answer) => {
      if (proxy.hung) return;
      const body = await buffer(asked);
      // Also where the caller gives up meanwhile: what was sent arrives late.
      const isLate = proxy.onlyWhere === null || body.includes(proxy.onlyWhere);
      if (proxy.delayMs > 0 && isLate) await wait(proxy.delayMs);
      const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = asked.headers;
      const sent = { method: asked.method, headers: { ...headers, 'content-length': body.length } };
      const passed = request(new URL(asked.url ?? '/', to), sent, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      passed.end(body);
    });
    return proxy;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
