import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const REFUSAL = JSON.stringify({ error: { type: 'illegal_argument_exception', reason: 'refused' }, status: 400 });

/** Stands between a service and its Elasticsearch, and passes everything on, or refuses it. */
export class FaultyProxy {
  failing = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(to: string): Promise<FaultyProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const proxy = new FaultyProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (asked, answer) => {
      if (proxy.failing) {
        asked.resume();
        const headers = {
          'content-type': 'application/vnd.elasticsearch+json;compatible-with=9',
          'x-elastic-product': 'Elasticsearch',
        };
        answer.writeHead(400, headers).end(REFUSAL);
        return;
      }
      const { host: _host, connection: _connection, ...headers } = asked.headers;
      const passed = request(new URL(asked.url ?? '/', to), { method: asked.method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      asked.pipe(passed);
    });
    return proxy;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
