import type { Page } from 'playwright-core';
import type { AdminRole } from '../../src/stores/access/admin-tokens';
import type { NewShopper } from './chromium';
import { Demo } from './demo';

/** What the browser says of every reply that is an error; pages show those themselves. */
const NO_FAULT = 'the server responded with a status of';

export interface SearchReply {
  searchId: string;
  size: number;
  queries: { queryType: string };
  products: { id: string; name: string; clickUrl: string }[];
}

/** The demo shop's console, as a relevance engineer uses it. */
export class RelevanceConsole {
  /** What the browser must not have said or done, of every page that was opened here. */
  readonly complaints: string[] = [];

  private constructor(readonly demo: Demo) {}

  static async open(): Promise<RelevanceConsole> {
    return new RelevanceConsole(await Demo.open());
  }

  close(): Promise<void> {
    return this.demo.close();
  }

  token(role: AdminRole): string {
    return this.demo.token(role);
  }

  /** A page of the console, signed in to by an admin token, in English. */
  async visit(newShopper: NewShopper, path: string, options: Visit = {}): Promise<Page> {
    const { role = 'relevance', ...context } = options;
    const shopper = await newShopper({ locale: 'en-US', viewport: { width: 1280, height: 900 }, ...context });
    const page = await shopper.newPage();
    this.demo.watch(page, (complaint) => {
      if (!complaint.includes(NO_FAULT)) this.complaints.push(complaint);
    });
    await page.goto(`${this.demo.address}/console/demo/${path}`);
    await page.getByRole('textbox', { name: 'Admin token' }).fill(this.token(role));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('main h1').waitFor();
    return page;
  }

  /** A search as a page of the shop asks it. */
  async search(terms: string, userId?: string): Promise<SearchReply> {
    const query = new URLSearchParams({ terms, ...(userId === undefined ? {} : { userId }) });
    const reply = await fetch(`${this.demo.address}/searchapi/v3/queries?${query}`, {
      headers: { origin: this.demo.origin },
    });
    return (await reply.json()) as SearchReply;
  }

  async ids(terms: string, userId?: string): Promise<string[]> {
    return (await this.search(terms, userId)).products.map(({ id }) => id);
  }

  /** A search whose first product is looked at, and in the log. */
  async searchAndClick(terms: string, userId: string): Promise<void> {
    const { searchId, products } = await this.search(terms, userId);
    await fetch(`${this.demo.address}/v7/events/views/product`, {
      method: 'POST',
      headers: { origin: this.demo.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ pid: products[0]!.id, userId, searchId }),
    });
  }

  admin<T>(method: string, path: string, body?: object): Promise<T> {
    return this.demo.admin(method, path, body);
  }
}

type Visit = Parameters<NewShopper>[0] & { role?: AdminRole };
