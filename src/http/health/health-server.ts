import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../shared/api-error';
import { errorBody, errorHeaders, toApiError } from '../error-body';
import type { Metrics } from './metrics';
import type { Readiness } from './readiness';
import { requestId } from '../request-id';

interface Answer {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
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
      const id = requestId(request);
      void this.answer(request.url ?? '', id).then((answer) => send(response, answer, id));
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

  private async answer(url: string, id: string): Promise<Answer> {
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
          throw new ApiError('unknown_route', 'A worker answers /health/live, /health/ready and /metrics');
      }
    } catch (cause) {
      const error = toApiError(cause);
      return { ...json(error.status, errorBody(error, id)), headers: errorHeaders(error) };
    }
  }
}

function send(response: ServerResponse, { status, type, body, headers }: Answer, id: string): void {
  const own = { 'content-type': type, 'cache-control': 'no-store', 'x-request-id': id };
  response.writeHead(status, { ...own, ...headers }).end(body);
}
