import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../shared/api-error';
import { errorBody, errorHeaders, toApiError } from '../error-body';
import { requestId } from '../request-id';
import type { Metrics } from './metrics';
import type { Readiness } from './readiness';

const JSON_TYPE = 'application/json; charset=utf-8';

/** `/health/live`, `/health/ready` and `/metrics` of a process that answers nothing else. */
export class HealthServer {
  private readonly server = createServer((request, response) => void this.reply(request, response));

  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

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

  private async reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const id = requestId(request);
    const headers = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', 'x-request-id': id };
    try {
      const { body, type = JSON_TYPE } = await this.answer(request.url?.split('?')[0]);
      response.writeHead(200, { ...headers, 'content-type': type }).end(body);
    } catch (cause) {
      const error = toApiError(cause);
      response
        .writeHead(error.status, { ...headers, ...errorHeaders(error) })
        .end(JSON.stringify(errorBody(error, id)));
    }
  }

  private async answer(path: string | undefined): Promise<{ body: string; type?: string }> {
    switch (path) {
      case '/health/live':
        return { body: JSON.stringify({ status: 'live' }) };
      case '/health/ready':
        return { body: JSON.stringify(await this.readiness.report()) };
      case '/metrics':
        return { body: await this.metrics.registry.metrics(), type: 'text/plain; version=0.0.4; charset=utf-8' };
      default:
        throw new ApiError('unknown_route', 'A worker answers /health/live, /health/ready and /metrics');
    }
  }
}
