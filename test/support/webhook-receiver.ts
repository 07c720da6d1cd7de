import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Json } from './store-client';

export interface Received {
  signature: string;
  /** As it arrived. */
  text: string;
  body: Json & { id: string; event: string; data: Json };
}

/** A store's own server, on this machine: a test's store lists 127.0.0.1 among its `feedHosts`. */
export class WebhookReceiver {
  readonly received: Received[] = [];
  /** What it answers. */
  status = 204;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer(async (request, response) => {
      const body = await text(request);
      receiver.received.push({
        signature: String(request.headers['x-vitrine-signature']),
        text: body,
        body: JSON.parse(body) as Received['body'],
      });
      response.writeHead(receiver.status).end();
    });
    const receiver = new WebhookReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${path}`;
  }

  of(event: string): Received[] {
    return this.received.filter(({ body }) => body.event === event);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
