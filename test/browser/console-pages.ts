import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { ConsoleLinks } from '../../src/stores/access/console/console-links';
import type { AdminRole } from '../../src/stores/access/admin-tokens';
import { StoresService } from '../../src/stores/stores.service';
import type { Mode } from '../support/modes';
import type { StoreClient } from '../support/store-client';
import { startWholeApp, type WholeApp } from '../support/whole-app';
import type { NewShopper } from './chromium';

/** The service with a store `loja`, and windows that are signed in to its console. */
export class Console {
  private constructor(
    readonly service: WholeApp,
    readonly client: StoreClient,
    readonly url: string,
  ) {}

  static async open(mode: Mode): Promise<Console> {
    const service = await startWholeApp(mode);
    const client = await service.store('loja', { name: 'A loja' });
    await service.app.listen(0, '127.0.0.1');
    const { port } = (service.app.getHttpServer() as Server).address() as AddressInfo;
    return new Console(service, client, `http://127.0.0.1:${port}`);
  }

  close(): Promise<void> {
    return this.service.close();
  }

  /** A new one-time link, as the start prints it. */
  async link(role: AdminRole = 'ops', store?: string): Promise<string> {
    const storeId = this.service.app.get(StoresService, { strict: false }).byApiKey(store ?? '')?.id;
    const bound = store === undefined || storeId === undefined ? {} : { store, storeId };
    const { url } = await this.service.app.get(ConsoleLinks, { strict: false }).create({ role, ...bound });
    return `${this.url}/console/${new URL(url).hash}`;
  }

  /** A window of its own that is signed in and shows this page of the store. */
  async window(
    newShopper: NewShopper,
    path: string,
    { role = 'ops', ...options }: { role?: AdminRole } & Parameters<NewShopper>[0] = {},
  ): Promise<Page> {
    const context = await newShopper({ locale: 'en-US', ...options });
    const page = await context.newPage();
    await page.goto(await this.link(role));
    await page.getByRole('navigation').waitFor({ state: 'attached' });
    await this.go(page, path);
    return page;
  }

  /** Shows this page of the store in a window that is signed in. */
  async go(page: Page, path: string): Promise<void> {
    await page.goto(`${this.url}/console/loja/${path}`);
    await page.locator('main h1').waitFor();
  }
}
