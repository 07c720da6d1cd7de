import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from './api-error';
import type { Metrics } from './metrics';
import type { Readiness } from './readiness';

interface Answer {
  status: number;
  type: string;
  body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

/** `/health/live`, `/health/ready` and `/metrics` of a process that answers nothing else. */
export class HealthServer {
  private readonly server: Server;

  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {
    this.server = createServer((request, response) => {
      void this.answer(request.url ?? '').then((answer) => send(response, answer));
    });
  }

  /** Resolves with the port. */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => resolve((this.server.address() as AddressInfo).port));
    });
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(url: string): Promise<Answer> {
    try {
      switch (url.split('?')[0]) {
        case '/health/live':
          return json(200, { status: 'live' });
        case '/health/ready':
          return json(200, await this.readiness.report());
        case '/metrics': {
          const body = await this.metrics.registry.metrics();
          return { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body };
        }
        default:
          return json(404, { message: 'A worker answers /health/live, /health/ready and /metrics' });
      }
    } catch (error) {
      const extra = error instanceof ApiError ? error.options.extra : {};
      return json(503, { message: 'A dependency is down', ...extra });
    }
  }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
