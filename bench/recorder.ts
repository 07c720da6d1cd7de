import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { BenchRequest } from './load/connection';

/** Stands between a service and its Elasticsearch, passes everything on, and remembers the searches. */
export class Recorder {
  private searches: BenchRequest[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(to: string): Promise<Recorder> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const recorder = new Recorder(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (asked, answer) => {
      const parts: Buffer[] = [];
      asked.on('data', (part: Buffer) => parts.push(part));
      asked.on('end', () => {
        const body = Buffer.concat(parts);
        const path = asked.url ?? '/';
        if (path.startsWith('/_msearch')) {
          const { accept = '', 'content-type': type = '' } = asked.headers;
          recorder.searches.push({
            method: 'POST',
            path,
            headers: { accept, 'content-type': type },
            body: body.toString(),
          });
        }
        const { host: _host, connection: _connection, ...headers } = asked.headers;
        const passed = request(new URL(path, to), { method: asked.method, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 502, reply.headers);
          reply.pipe(answer);
        });
        passed.on('error', () => answer.destroy());
        passed.end(body);
      });
    });
    return recorder;
  }

  /** The searches since this was asked last. */
  take(): BenchRequest[] {
    const taken = this.searches;
    this.searches = [];
    return taken;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
