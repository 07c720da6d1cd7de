import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Page } from 'playwright-core';
import { AppModule } from '../../src/app.module';
import { EventLog, type StoredEvent } from '../../src/behaviour/events/event-log';
import { CatalogService } from '../../src/catalog/catalog.service';
import { loadSettings } from '../../src/config/settings';
import { createApp } from '../../src/create-app';
import { DemoService, type DemoTour } from '../../src/demo/demo.service';
import type { Store } from '../../src/stores/store';
import { StoresService } from '../../src/stores/stores.service';
import { embeddedMode, type Place } from '../support/modes';
import type { NewShopper } from './chromium';

/** As words/en.ts has them: tests read the pages in English. */
const LOCALE = 'en-US';

/** The service with its demo shop, on an address of its own, and what a browser sees of it. */
export class Storefront {
  /** Console errors, failed scripts and requests to other hosts, of every page that was opened here. */
  readonly complaints: string[] = [];

  /** Addresses that were answered well, with their queries. */
  readonly answered: string[] = [];

  private constructor(
    readonly app: NestFastifyApplication,
    readonly tour: DemoTour | null,
    readonly address: string,
    private readonly place: Place,
  ) {}

  static async open({ demo = true } = {}): Promise<Storefront> {
    const place = embeddedMode.place();
    const settings = loadSettings({ ...place.env, LOG_LEVEL: 'silent', DEMO: demo ? 'on' : 'off' });
    const app = await createApp(AppModule.forRoot({ settings, started: { storage: place.open() } }), { settings });
    const tour = demo ? await app.get(DemoService).ensure() : null;
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    return new Storefront(app, tour, `http://127.0.0.1:${port}`, place);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.place.remove();
  }

  get store(): Store {
    const store = this.app.get(StoresService, { strict: false }).byApiKey('demo');
    if (!store) throw new Error('There is no demo shop');
    return store;
  }

  /** A page of the shop in a browser with storage of its own. */
  async visit(newShopper: NewShopper, path: string, options: Parameters<NewShopper>[0] = {}): Promise<Page> {
    const shopper = await newShopper({ locale: LOCALE, viewport: { width: 1280, height: 900 }, ...options });
    const page = await shopper.newPage();
    const own = new URL(this.address).host;
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== 'data:' && host !== own) this.complaints.push(`asked ${host}`);
    });
    page.on('response', (response) => {
      if (response.status() < 400) this.answered.push(response.url());
      else this.complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${this.address}/demo${path}`);
    return page;
  }

  async events(name: string): Promise<StoredEvent[]> {
    const log = this.app.get(EventLog, { strict: false });
    const all: StoredEvent[] = [];
    for (let after: number | undefined; ; after = all.at(-1)?.seq) {
      const some = await log.read({ store: this.store.id, limit: 1000, ...(after === undefined ? {} : { after }) });
      all.push(...some);
      if (some.length < 1000) return all.filter((event) => event.name === name);
    }
  }

  put(product: Record<string, unknown>): Promise<unknown> {
    return this.app.get(CatalogService, { strict: false }).putMany(this.store, { products: [product] });
  }
}

/** Names of the products of the list that is shown, once there are some. */
export async function shownNames(page: Page): Promise<string[]> {
  await page.locator('main .card').first().waitFor();
  return page.locator('main .card h3').allTextContents();
}
