import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Page } from 'playwright-core';
import { AppModule } from '../../src/app.module';
import { CatalogService } from '../../src/catalog/catalog.service';
import { loadSecrets } from '../../src/config/secrets';
import { loadSettings, type Settings } from '../../src/config/settings';
import { createApp } from '../../src/create-app';
import { DemoService, type DemoTour } from '../../src/demo/demo.service';
import { type AdminRole, signAdminToken } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import { embeddedMode, type Place } from '../support/modes';
import type { NewShopper } from './chromium';

const TRIES = 10;
/** What the browser says of every reply that is an error; pages show those themselves. */
const NO_FAULT = 'the server responded with a status of';

export interface SearchReply {
  searchId: string;
  size: number;
  queries: { queryType: string };
  products: { id: string; name: string; clickUrl: string }[];
}

/** The service with its demo shop on an address of its own, for tests of the pages that a relevance engineer uses. */
export class RelevanceConsole {
  /** Script errors and requests to other hosts, of every page that was opened here. */
  readonly complaints: string[] = [];

  private constructor(
    readonly app: NestFastifyApplication,
    readonly tour: DemoTour,
    readonly address: string,
    private readonly settings: Settings,
    private readonly place: Place,
  ) {}

  static async open(): Promise<RelevanceConsole> {
    const place = embeddedMode.place();
    const settings = loadSettings({ ...place.env, LOG_LEVEL: 'silent' });
    const app = await createApp(AppModule.forRoot({ settings, started: { storage: place.open() } }), { settings });
    const tour = await filled(app.get(DemoService));
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    return new RelevanceConsole(app, tour, `http://127.0.0.1:${port}`, settings, place);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.place.remove();
  }

  token(role: AdminRole): string {
    return signAdminToken(loadSecrets(this.settings), { role }, { now: Date.now(), days: 1 }).token;
  }

  /** A page of the console, signed in to by an admin token, in English. */
  async visit(newShopper: NewShopper, path: string, options: Visit = {}): Promise<Page> {
    const { role = 'relevance', ...context } = options;
    const shopper = await newShopper({ locale: 'en-US', viewport: { width: 1280, height: 900 }, ...context });
    const page = await shopper.newPage();
    const own = new URL(this.address).host;
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes(NO_FAULT)) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== 'data:' && host !== own) this.complaints.push(`asked ${host}`);
    });
    await page.goto(`${this.address}/console/demo/${path}`);
    await page.getByRole('textbox', { name: 'Admin token' }).fill(this.token(role));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('main h1').waitFor();
    return page;
  }

  /** A search as a page of the shop asks it. */
  async search(terms: string, userId?: string): Promise<SearchReply> {
    const query = new URLSearchParams({ terms, ...(userId === undefined ? {} : { userId }) });
    const reply = await fetch(`${this.address}/searchapi/v3/queries?${query}`, {
      headers: { origin: this.tour.origin },
    });
    return (await reply.json()) as SearchReply;
  }

  async ids(terms: string, userId?: string): Promise<string[]> {
    return (await this.search(terms, userId)).products.map(({ id }) => id);
  }

  async admin<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.token('ops')}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reply = await fetch(`${this.address}/admin/stores/demo${path}`, init);
    return (await reply.json()) as T;
  }

  async put(product: Record<string, unknown>): Promise<void> {
    const store = this.app.get(StoresService, { strict: false }).byApiKey('demo');
    if (!store) throw new Error('There is no demo shop');
    await this.app.get(CatalogService, { strict: false }).putMany(store, { products: [product] });
  }
}

/** A busy machine refuses some of the demo shop's events; what is missing then is made at the next try. */
async function filled(demo: DemoService): Promise<DemoTour> {
  for (let tries = 1; ; tries += 1) {
    try {
      const tour = await demo.ensure();
      if (tour) return tour;
      throw new Error('There is no demo shop');
    } catch (error) {
      if (tries === TRIES || !String(error).includes('overloaded')) throw error;
    }
  }
}

type Visit = Parameters<NewShopper>[0] & { role?: AdminRole };
