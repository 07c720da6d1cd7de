import type { Page } from 'playwright-core';
import { describeInChromium } from './chromium';
import { Shop, until } from './shop';

const WAITING = `Object.keys(localStorage).filter((key) => key.startsWith('vitrine:q:')).length`;
const LOADED = `window.vitrine.loaded === true`;

describeInChromium('the browser tag delivers', (newShopper) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  const view = (page: Page, fields: object): Promise<unknown> =>
    page.evaluate(`vitrine('view', ${JSON.stringify(fields)})`);
  const acknowledged = (page: Page): Promise<unknown> => page.waitForFunction(`${WAITING} === 0`);
  const idsWith = async (text: string): Promise<unknown[]> =>
    (await shop.eventsWith(text)).map(({ body }) => body['pid']).toSorted();

  test('from a page of another origin, from before it was loaded, in the name of one device', async () => {
    const head = `<script>
      vitrine('user', { id: 'ana' });
      vitrine('view', { name: 'product', pid: 'early-1', price: 9.5 });
    </script>`;
    const page = await (await newShopper()).newPage();
    await page.goto(`${shop.page('/early', { head, tag: 'data-source="desktop"' })}?token=secret#part`);
    const [early] = await shop.arrived('early-1');
    expect(early).toMatchObject({ name: 'product', userId: 'ana', keyed: false, verdict: 'counted' });
    expect(early?.body).toMatchObject({ source: 'desktop', price: 9.5, url: page.url().split('?')[0] });
    await page.evaluate(`vitrine('user', null)`);
    await view(page, { name: 'product', pid: 'early-2' });
    const [later] = await shop.arrived('early-2');
    const device = await page.evaluate(`new Promise((resolve) => vitrine('device', resolve))`);
    expect([early?.deviceId, later?.deviceId, later?.userId]).toEqual([device, device, null]);
    await acknowledged(page);
  });

  test('the same thing once for a page, however often it is told', async () => {
    const page = await (await newShopper()).newPage();
    await page.goto(shop.page('/once'));
    await view(page, { name: 'product', pid: 'once-1' });
    await view(page, { name: 'product', pid: 'once-1', price: 3 });
    await view(page, { name: 'product', pid: 'once-2' });
    await shop.arrived('once-2');
    await acknowledged(page);
    expect(await idsWith('once-')).toEqual(['once-1', 'once-2']);
  });

  test('each change of a cart, also back to what it was', async () => {
    const page = await (await newShopper()).newPage();
    await page.goto(shop.page('/carts'));
    const cart = (pids: string[]): Promise<unknown> =>
      view(page, { name: 'cart', id: 'cart-1', items: pids.map((pid) => ({ pid })) });
    for (const pids of [['a'], ['a', 'b'], ['a', 'b'], ['a']]) await cart(pids);
    const events = await shop.arrived('cart-1', 3);
    await acknowledged(page);
    expect((await shop.eventsWith('cart-1')).length).toBe(3);
    expect(events.map(({ body }) => (body['items'] as unknown[]).length).toSorted()).toEqual([1, 1, 2]);
  });

  test('what happened offline, once the browser is back', async () => {
    const shopper = await newShopper();
    const page = await shopper.newPage();
    await page.goto(shop.page('/offline'));
    await page.waitForFunction(LOADED);
    await shopper.setOffline(true);
    await view(page, { name: 'product', pid: 'offline-1' });
    await view(page, { name: 'product', pid: 'offline-2' });
    expect(await page.evaluate(WAITING)).toBe(2);
    expect(await idsWith('offline-')).toEqual([]);
    await shopper.setOffline(false);
    await shop.arrived('offline-', 2);
    await acknowledged(page);
    expect(await idsWith('offline-')).toEqual(['offline-1', 'offline-2']);
  });

  test('an event whose answer was lost, once', async () => {
    const page = await (await newShopper()).newPage();
    let lost = 0;
    await page.route('**/v7/events/**', async (route) => {
      if (lost > 0) return route.continue();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await page.goto(shop.page('/lost'));
    await view(page, { name: 'product', pid: 'lost-1' });
    await shop.arrived('lost-1');
    await acknowledged(page);
    expect([lost, await idsWith('lost-')]).toEqual([1, ['lost-1']]);
  });

  test('what the service refuses for now, when it is asked again; what it never accepts goes', async () => {
    const page = await (await newShopper()).newPage();
    const answers = [503, 429];
    const cors = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
    await page.route('**/v7/events/**', (route) => {
      const status = answers.shift();
      return status ? route.fulfill({ status, headers: { ...cors, 'retry-after': '0' } }) : route.continue();
    });
    await page.goto(shop.page('/refused'));
    await view(page, { name: 'nothing-like-it', pid: 'refused-0' });
    await view(page, { name: 'product', pid: 'refused-1' });
    await shop.arrived('refused-1');
    await acknowledged(page);
    expect([answers, await idsWith('refused-')]).toEqual([[], ['refused-1']]);
  });

  test('what two tabs do at once, as one device', async () => {
    const shopper = await newShopper();
    const address = shop.page('/tabs');
    const [left, right] = [await shopper.newPage(), await shopper.newPage()];
    for (const tab of [left, right]) {
      await tab.goto(address);
      await tab.waitForFunction(LOADED);
    }
    const some = (tab: string): string =>
      `for (let n = 0; n < 10; n += 1) vitrine('view', { name: 'product', pid: 'tab-${tab}-' + n })`;
    await Promise.all([left.evaluate(some('l')), right.evaluate(some('r'))]);
    await shop.arrived('tab-', 20);
    await acknowledged(left);
    const events = await shop.eventsWith('tab-');
    expect([events.length, new Set(events.map(({ body }) => body['pid'])).size]).toEqual([20, 20]);
    expect(new Set(events.map(({ deviceId }) => deviceId)).size).toBe(1);
  });

  test('what a page does that closes at once', async () => {
    const shopper = await newShopper();
    const page = await shopper.newPage();
    const [address, next] = [shop.page('/closing'), shop.page('/next')];
    await page.goto(address);
    await page.waitForFunction(LOADED);
    const leave = `vitrine('view', { name: 'product', pid: 'closing-1' }); location.href = ${JSON.stringify(next)}`;
    // The answer of what leaves its page may be lost with it.
    await page.evaluate(leave).catch(() => undefined);
    await page.waitForURL(next);
    await page.waitForFunction(LOADED);
    await view(page, { name: 'product', pid: 'closing-2' });
    await page.close();
    // Should the browser have ended too soon for the request, the shop's next page has it.
    await (await shopper.newPage()).goto(address);
    await shop.arrived('closing-', 2);
    expect(await idsWith('closing-')).toEqual(['closing-1', 'closing-2']);
  });

  test('what an earlier page left behind, with the time it happened', async () => {
    const page = await (await newShopper()).newPage();
    const at = Date.now() - 3_600_000;
    const body = { apiKey: 'shop', deviceId: 'left', eventId: 'left-1', pid: 'left-1' };
    const letter = JSON.stringify({ path: '/v7/events/views/product', body, at });
    await page.addInitScript(
      `localStorage.getItem('vitrine:q:${at}-x') ?? localStorage.setItem('vitrine:q:${at}-x', ${JSON.stringify(letter)})`,
    );
    await page.goto(shop.page('/left'));
    const [event] = await shop.arrived('left-1');
    expect(event?.body['timestamp']).toBe(at);
  });

  test('nothing that is older than a week, and of what waits the newest two hundred', async () => {
    const shopper = await newShopper();
    const page = await shopper.newPage();
    const at = Date.now() - 8 * 86_400_000;
    const letter = JSON.stringify({ path: '/v7/events/views/product', body: { pid: 'stale-1' }, at });
    await page.addInitScript(`localStorage.setItem('vitrine:q:${at}-x', ${JSON.stringify(letter)})`);
    await page.goto(shop.page('/many'));
    await page.waitForFunction(LOADED);
    expect(await page.evaluate(WAITING)).toBe(0);
    await shopper.setOffline(true);
    await page.evaluate(`for (let n = 0; n < 205; n += 1) vitrine('view', { name: 'product', pid: 'many-' + n })`);
    expect(await page.evaluate(WAITING)).toBe(200);
    const newest = `Object.values({ ...localStorage }).some((text) => text.includes('"many-204"'))`;
    expect(await page.evaluate(newest)).toBe(true);
    await page.close();
    expect(await shop.eventsWith('stale-1')).toEqual([]);
  });

  test('nothing, and disturbs nobody, where the service is away', async () => {
    const page = await (await newShopper()).newPage();
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(shop.page('/away', { tag: 'data-endpoint="http://away.example:9"', body: '<p>here</p>' }));
    await page.waitForFunction(LOADED);
    await page.evaluate(
      `vitrine('view'); vitrine('no such thing', 1); vitrine('view', { name: 'product', pid: 'away-1' })`,
    );
    const failed = await until(
      () => page.evaluate(`performance.getEntriesByName('http://away.example:9/v7/events/views/product').length`),
      (attempts) => Number(attempts) > 0,
    );
    expect([errors, Number(failed) > 0, await page.evaluate(WAITING)]).toEqual([[], true, 1]);
    expect(await page.textContent('p')).toBe('here');
  });
});
