import type { Page } from 'playwright-core';
import type { NewShopper } from '../browser/chromium';
import { Shop } from '../browser/shop';
import { pageBundle } from './page-bundle';
import { shoes } from './shoes';

const SEARCH = '/searchapi/v3/queries';
const TRIES = 200;
const PAUSE_MS = 50;

/** Asks until the answer is good; what never becomes so fails its test. */
export async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    const answer = await ask();
    if (good(answer) || tried >= TRIES) return answer;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The shop, with a page of widgets for each test. */
export class WidgetShop {
  private opened = 0;
  private readonly bundle = pageBundle();

  private constructor(
    readonly shop: Shop,
    private readonly newShopper: NewShopper,
  ) {}

  static async open(newShopper: NewShopper): Promise<WidgetShop> {
    const shop = await Shop.open();
    await shop.client.putMany(shoes());
    return new WidgetShop(shop, newShopper);
  }

  /** A page with `#a` to `#f` in which `script` has run; `client` and `insights` are the adapter's. */
  async page(script: string, query = ''): Promise<WidgetPage> {
    const page = await (await this.newShopper()).newPage();
    const body = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `<div id="${id}"></div>`).join('');
    const address = this.shop.page(`/widgets-${(this.opened += 1)}`, { body });
    const asked: URL[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (request.method() !== 'OPTIONS' && url.origin === this.shop.endpoint) asked.push(url);
    });
    const thrown: string[] = [];
    page.on('pageerror', (error) => thrown.push(error.message));
    await page.goto(address + query);
    await page.addScriptTag({ content: this.bundle });
    const options = `{ baseUrl: ${JSON.stringify(this.shop.endpoint)}, shopper: () => ({ userId: window.who || 'ana' }) }`;
    await page.addScriptTag({
      content: `window.options = ${options};
        window.client = adapter.createSearchClient(options);
        window.insights = adapter.createInsights(options);
        window.started = (more) => (window.search = instantsearch({ indexName: 'products', searchClient: client, insights: false,
          future: { preserveSharedStateOnUnmount: true }, ...more }));
        (() => { ${script} })();`,
    });
    return new WidgetPage(page, asked, thrown);
  }
}

export class WidgetPage {
  constructor(
    readonly page: Page,
    /** What the page asked of the service. */
    readonly asked: URL[],
    readonly thrown: string[],
  ) {}

  /** Searches the page has sent. */
  get searches(): URLSearchParams[] {
    return this.asked.filter(({ pathname }) => pathname === SEARCH).map(({ searchParams }) => searchParams);
  }

  /** Texts of all elements. */
  texts(selector: string): Promise<string[]> {
    return this.page.evaluate<string[]>(
      `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (one) => one.textContent.trim())`,
    );
  }

  /** Waits until the texts are these. */
  async shows(selector: string, expected: unknown): Promise<void> {
    const wanted = JSON.stringify(expected);
    const texts = await until(
      () => this.texts(selector),
      (found) => JSON.stringify(found) === wanted,
    );
    expect(texts).toEqual(expected);
  }

  /** Waits until there are so many. */
  async counts(selector: string, expected: number): Promise<void> {
    const found = await until(
      () => this.page.locator(selector).count(),
      (count) => count === expected,
    );
    expect([selector, found]).toEqual([selector, expected]);
  }
}
