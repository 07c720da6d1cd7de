import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventLog, type StoredEvent } from '../../src/behaviour/events/event-log';
import { StoresService } from '../../src/stores/stores.service';
import { embeddedMode } from '../support/modes';
import type { StoreClient } from '../support/store-client';
import { startWholeApp, type WholeApp } from '../support/whole-app';

const STUB = `<script>window.vitrine=window.vitrine||function(){(vitrine.q=vitrine.q||[]).push(arguments)}</script>`;
const GIVE_UP_MS = 60_000;
const LOOK_EVERY_MS = 25;

interface Page {
  head?: string;
  body?: string;
  /** Attributes of the script tag. */
  tag?: string;
}

/** A store's pages on an origin of their own, and the service they send to on another. */
export class Shop {
  private readonly pages = new Map<string, Page>();
  /** Paths that were asked for, with their queries. */
  readonly asked: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly service: WholeApp,
    readonly client: StoreClient,
    /** Of the service. */
    readonly endpoint: string,
  ) {
    server.on('request', (request, response) => {
      this.asked.push(request.url ?? '');
      const page = this.pages.get((request.url ?? '').split('?')[0] ?? '');
      response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page ? this.html(page) : '');
    });
  }

  static async open(): Promise<Shop> {
    const service = await startWholeApp(embeddedMode);
    const client = await service.store('shop', { origins: ['shop.example'] });
    await service.app.listen(0, '127.0.0.1');
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new Shop(server, service, client, `http://127.0.0.1:${portOf(service.app.getHttpServer() as Server)}`);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.service.close();
  }

  /** Puts a page there and answers its address. */
  page(path: string, page: Page = {}): string {
    this.pages.set(path, page);
    return `http://shop.example:${portOf(this.server)}${path}`;
  }

  private html({ head = '', body = '', tag = '' }: Page): string {
    const script = `<script async src="${this.endpoint}/vitrine.js" data-api-key="shop" ${tag}></script>`;
    return `<!doctype html><html><head><title>Shop</title>${STUB}${script}${head}</head><body>${body}</body></html>`;
  }

  /** Everything the service has kept, in order. */
  async events(): Promise<StoredEvent[]> {
    const store = this.service.app.get(StoresService, { strict: false }).byApiKey('shop')!.id;
    return this.service.app.get(EventLog, { strict: false }).read({ store, limit: 1000 });
  }

  /** Those whose body or name holds this text. */
  async eventsWith(text: string): Promise<StoredEvent[]> {
    return (await this.events()).filter(({ name, body }) => JSON.stringify([name, body]).includes(text));
  }

  /** Waits until there are so many with this text. */
  async arrived(text: string, count = 1): Promise<StoredEvent[]> {
    return until(
      () => this.eventsWith(text),
      (events) => events.length >= count,
    );
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** Asks until the answer is good; what never becomes so is answered as it is, and its test fails. */
export async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  const giveUp = performance.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await ask();
    if (good(answer) || performance.now() > giveUp) return answer;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
