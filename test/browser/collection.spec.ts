import type { Page } from 'playwright-core';
import { aShop } from '../builders/a-shop';
import { QUERIES } from '../support/store-client';
import { describeInChromium } from './chromium';
import { Shop, until } from './shop';

const jsonLd = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const product = (sku: string): object => ({ '@type': 'Product', sku, offers: { price: '12.50' } });

describeInChromium('the browser tag notices', (newShopper) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
    await shop.client.putMany(aShop());
  });
  afterAll(() => shop.close());

  async function open(path: string, content: { head?: string; body?: string; tag?: string }): Promise<Page> {
    const page = await (await newShopper()).newPage();
    await page.goto(shop.page(path, content));
    await page.waitForFunction(`window.vitrine.loaded`);
    return page;
  }

  /** Names and what matters of the events of a page, in the order in which they happened, once this many have arrived. */
  async function eventsOf(page: Page, count: number): Promise<unknown[]> {
    const events = await shop.arrived(page.url(), count);
    return events.map(({ name, body }) => [name, body['pid'] ?? body['query'] ?? body['categories'] ?? body['items']]);
  }

  test('GA4 e-commerce events, as Tag Manager and gtag write them', async () => {
    const head = `<script>
      window.dataLayer = [{ event: 'view_item', ecommerce: { items: [{ item_id: 'ga-1', price: 10 }] } }];
    </script>`;
    const page = await open('/ga', { head });
    await shop.arrived('ga-1');
    const push = async (entry: string, known: number): Promise<unknown> => {
      await page.evaluate(`dataLayer.push(${entry})`);
      return eventsOf(page, known);
    };
    const gtag = (name: string, fields: object): string =>
      `(function () { return arguments })('event', '${name}', ${JSON.stringify(fields)})`;
    const list = [
      { item_id: 'a', item_category: 'Shoes', item_category2: 'Running' },
      { item_id: 'b', item_category: 'Shoes', item_category2: 'Trail' },
    ];
    // Below a product, a list is no visit to a category.
    await push(gtag('view_item_list', { items: list }), 1);
    await push(`{ event: 'view_search_results', search_term: 'boots' }`, 2);
    await push(gtag('add_to_cart', { items: [{ item_id: 'ga-1', price: 10, quantity: 1 }] }), 3);
    await push(gtag('add_to_cart', { items: [{ item_id: 'ga-2', price: 5, quantity: 2 }] }), 4);
    await push(gtag('remove_from_cart', { items: [{ item_id: 'ga-1', quantity: 1 }] }), 5);
    const events = await push(
      gtag('purchase', { transaction_id: 'order-1', value: 10, items: [{ item_id: 'ga-2', price: 5, quantity: 2 }] }),
      6,
    );
    const [one, two] = [
      { pid: 'ga-1', price: 10, quantity: 1 },
      { pid: 'ga-2', price: 5, quantity: 2 },
    ];
    expect(events).toEqual([
      ['product', 'ga-1'],
      ['search', 'boots'],
      ['cart', [one]],
      ['cart', [one, two]],
      ['cart', [two]],
      ['transaction', [two]],
    ]);
    expect(await page.evaluate(`dataLayer.length`)).toBe(7);
    await page.evaluate(
      `history.pushState({}, '', '/ga-list'); dataLayer.push({ event: 'view_item_list', ecommerce: { items: ${JSON.stringify(list)} } })`,
    );
    expect(await eventsOf(page, 1)).toEqual([['category', ['Shoes']]]);
  });

  test('the product of a page by its markup, and the next one of a single-page app', async () => {
    const page = await open('/markup', { head: jsonLd({ '@graph': [{ '@type': 'WebPage' }, product('ld-1')] }) });
    expect(await eventsOf(page, 1)).toEqual([['product', 'ld-1']]);
    await page.evaluate(`history.pushState({}, '', '/markup-2');
      setTimeout(() => { document.querySelector('[type="application/ld+json"]').textContent = ${JSON.stringify(JSON.stringify(product('ld-2')))} })`);
    expect(await eventsOf(page, 1)).toEqual([['product', 'ld-2']]);
    await page.evaluate(`history.back(); new Promise((resolve) => addEventListener('popstate', resolve, { once: true })).then(() => {
      document.querySelector('[type="application/ld+json"]').textContent = ${JSON.stringify(JSON.stringify(product('ld-1')))} })`);
    await until(
      () => shop.eventsWith('ld-1'),
      (events) => events.length === 2,
    );
    expect((await shop.eventsWith('ld-')).map(({ body }) => body['pid'])).toEqual(['ld-1', 'ld-2', 'ld-1']);
  });

  test('a list of products as none of them, and nothing that the store does not want collected', async () => {
    const list = await open('/list', { head: jsonLd([product('li-1'), product('li-2')] as never) });
    await list.evaluate(`vitrine('view', { name: 'home', note: 'li-end' })`);
    await shop.arrived('li-end');
    const calls = await open('/calls', { head: jsonLd(product('li-3')), tag: 'data-collect="calls"' });
    await calls.evaluate(`(window.dataLayer = window.dataLayer || []).push({ event: 'search', search_term: 'li-4' })`);
    await calls.evaluate(`vitrine('view', { name: 'home', note: 'li-done' })`);
    await shop.arrived('li-done');
    expect((await shop.eventsWith('li-')).map(({ name }) => name)).toEqual(['home', 'home']);
  });

  test('clicks on what a search found, and what follows from it', async () => {
    const { headers } = shop.client;
    const { json } = await shop.client.send({ path: QUERIES, query: { terms: 'tênis' }, headers });
    const { searchId, products } = json as unknown as {
      searchId: string;
      products: { id: string; clickUrl: string }[];
    };
    const [first, second] = products;
    const body = `<div data-vitrine-search="${searchId}">
      <a data-vitrine-click="${first?.clickUrl.replaceAll('&', '&amp;')}" href="/found-product"><b>see</b></a>
      <button data-vitrine-cart="${second?.clickUrl.replaceAll('&', '&amp;')}">buy</button></div>`;
    shop.page('/found-product', { head: jsonLd(product(String(first?.id))) });
    const page = await open('/found', { body });
    await page.click('button');
    await page.click('b');
    await page.waitForURL('**/found-product');
    const events = await shop.arrived(searchId, 3);
    const device = await page.evaluate(`new Promise((resolve) => vitrine('device', resolve))`);
    expect(events.map(({ deviceId }) => deviceId)).toEqual([device, device, device]);
    const seen = events.map(({ name, body: { interactionType, pid } }) => [name, interactionType ?? pid]);
    expect(seen.toSorted()).toEqual([
      ['click', 'ADD_TO_CART'],
      ['click', 'PRODUCT_VIEW'],
      ['product', first?.id],
    ]);
  });

  test('what follows from a search for half an hour, and no longer', async () => {
    const page = await open('/follows', {});
    for (const minutes of [29, 31]) {
      await page.evaluate(
        `localStorage.setItem('vitrine:search', (Date.now() - ${minutes} * 60000) + ' search-then');
         vitrine('view', { name: 'product', pid: 'follows-${minutes}' })`,
      );
      const [event] = await shop.arrived(`follows-${minutes}`);
      expect([minutes, event?.body['searchId']]).toEqual([minutes, minutes === 29 ? 'search-then' : undefined]);
    }
  });

  test('a showcase once half of it is seen, by its pixel', async () => {
    const pixel = (name: string): string => shop.page(`/${name}`);
    const body = `<div data-vitrine-px="${pixel('seen.gif')}" style="height: 50px">seen</div><div style="height: 5000px"></div>
      <div id="below" data-vitrine-px="${pixel('below.gif')}" style="height: 50px">below</div>`;
    const page = await open('/showcase', { body });
    const asked = (): string[] => shop.asked.filter((path) => path.endsWith('.gif'));
    await until(
      async () => asked(),
      (paths) => paths.length > 0,
    );
    expect(asked()).toEqual(['/seen.gif']);
    await page.locator('#below').scrollIntoViewIfNeeded();
    await until(
      async () => asked(),
      (paths) => paths.length > 1,
    );
    expect(asked()).toEqual(['/seen.gif', '/below.gif']);
  });
});
