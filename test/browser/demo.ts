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
import type { Store } from '../../src/stores/store';
import { StoresService } from '../../src/stores/stores.service';
import { embeddedMode, type Place } from '../support/modes';

const TRIES = 10;

/** The service on one file and an address of its own, with its demo shop where that is turned on. */
export class Demo {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly settings: Settings,
    /** null: the demo is turned off. */
    readonly tour: DemoTour | null,
    readonly address: string,
    private readonly place: Place,
  ) {}

  static async open({ demo = true } = {}): Promise<Demo> {
    const place = embeddedMode.place();
    const settings = loadSettings({ ...place.env, LOG_LEVEL: 'silent', DEMO: demo ? 'on' : 'off' });
    const app = await createApp(AppModule.forRoot({ settings, started: { storage: place.open() } }), { settings });
    const tour = demo ? await filled(app.get(DemoService)) : null;
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    return new Demo(app, settings, tour, `http://127.0.0.1:${port}`, place);
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

  /** The Origin of the shop's pages. */
  get origin(): string {
    if (!this.tour) throw new Error('There is no demo shop');
    return this.tour.origin;
  }

  token(role: AdminRole): string {
    return signAdminToken(loadSecrets(this.settings), { role }, { now: Date.now(), days: 1 }).token;
  }

  /** An admin route of the shop. */
  async admin<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { authorization: `Bearer ${this.token('ops')}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const reply = await fetch(`${this.address}/admin/stores/demo${path}`, init);
    return (await reply.json()) as T;
  }

  put(product: Record<string, unknown>): Promise<unknown> {
    return this.app.get(CatalogService, { strict: false }).putMany(this.store, { products: [product] });
  }

  /** Passes on what a browser must not say or do on a page: errors, failed scripts, and requests to other hosts. */
  watch(page: Page, complain: (complaint: string) => void): void {
    const own = new URL(this.address).host;
    page.on('console', (message) => {
      if (message.type() === 'error') complain(message.text());
    });
    page.on('pageerror', (error) => complain(error.message));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (protocol !== 'data:' && host !== own) complain(`asked ${host}`);
    });
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
