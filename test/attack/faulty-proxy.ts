import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const REFUSAL = JSON.stringify({ error: { type: 'illegal_argument_exception', reason: 'refused' }, status: 400 });

/** Stands between a service and its Elasticsearch, and passes on what is asked, or refuses it. */
export class FaultyProxy {
  /** Whether all is refused, or what is refused, by what is sent. */
  failing: boolean | RegExp = false;

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
      // Whoever asked may give up.
      proxy.answer(asked, answer, to).catch(() => answer.destroy());
    });
    return proxy;
  }

  private async answer(asked: IncomingMessage, answer: ServerResponse, to: string): Promise<void> {
    const body = await buffer(asked);
    const { failing } = this;
    if (failing instanceof RegExp ? failing.test(`${asked.url} ${body.toString()}`) : failing) {
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
    passed.end(body);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
