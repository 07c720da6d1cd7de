import type { Page } from 'playwright-core';
import { EventLog, type StoredEvent } from '../../src/behaviour/events/event-log';
import type { NewShopper } from './chromium';
import { Demo } from './demo';

/** As words/en.ts has them: tests read the pages in English. */
const LOCALE = 'en-US';

/** The demo shop's storefront, and what a browser sees of it. */
export class Storefront {
  /** What the browser must not have said or done, of every page that was opened here; refused requests among it. */
  readonly complaints: string[] = [];

  /** Addresses that were answered well, with their queries. */
  readonly answered: string[] = [];

  private constructor(readonly demo: Demo) {}

  static async open(options?: { demo: boolean }): Promise<Storefront> {
    return new Storefront(await Demo.open(options));
  }

  close(): Promise<void> {
    return this.demo.close();
  }

  /** A page of the shop in a browser with storage of its own. */
  async visit(newShopper: NewShopper, path: string, options: Parameters<NewShopper>[0] = {}): Promise<Page> {
    const shopper = await newShopper({ locale: LOCALE, viewport: { width: 1280, height: 900 }, ...options });
    const page = await shopper.newPage();
    this.demo.watch(page, (complaint) => this.complaints.push(complaint));
    page.on('response', (response) => {
      if (response.status() < 400) this.answered.push(response.url());
      else this.complaints.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${this.demo.address}/demo${path}`);
    return page;
  }

  async events(name: string): Promise<StoredEvent[]> {
    const log = this.demo.app.get(EventLog, { strict: false });
    const store = this.demo.store.id;
    const all: StoredEvent[] = [];
    for (let after: number | undefined; ; after = all.at(-1)?.seq) {
      const some = await log.read({ store, limit: 1000, ...(after === undefined ? {} : { after }) });
      all.push(...some);
      if (some.length < 1000) return all.filter((event) => event.name === name);
    }
  }
}

/** Names of the products of the list that is shown, once there are some. */
export async function shownNames(page: Page): Promise<string[]> {
  await page.locator('main .card').first().waitFor();
  return page.locator('main .card h3').allTextContents();
}
