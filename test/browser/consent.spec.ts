import type { BrowserContext } from 'playwright-core';
import { describeInChromium } from './chromium';
import { Shop } from './shop';

const KEPT = `JSON.stringify([Object.keys(localStorage).sort(), document.cookie])`;
const DEVICE = `new Promise((resolve) => vitrine('device', resolve))`;
const NO_STORAGE = `Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused'); } })`;

describeInChromium('the browser tag keeps to what the shopper said:', (newShopper) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  /** Paths of requests to the service, but for the script. */
  function requestsOf(shopper: BrowserContext): string[] {
    const paths: string[] = [];
    shopper.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === shop.endpoint && pathname !== '/vitrine.js') paths.push(pathname);
    });
    return paths;
  }

  test('where consent is required nothing is kept or sent before it, and what waited is then', async () => {
    const shopper = await newShopper();
    const requests = requestsOf(shopper);
    const page = await shopper.newPage();
    const address = shop.page('/consent', { tag: 'data-consent="required"' });
    await page.goto(address);
    await page.waitForFunction(`window.vitrine.loaded`);
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'consent-1' })`);
    expect(await page.evaluate(DEVICE)).toBeNull();
    expect([await page.evaluate(KEPT), requests]).toEqual(['[[],""]', []]);
    await page.evaluate(`vitrine('consent', true)`);
    const [event] = await shop.arrived('consent-1');
    expect(event?.deviceId).toBe(await page.evaluate(DEVICE));
    // The next page knows.
    await page.goto(address);
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'consent-2' })`);
    await shop.arrived('consent-2');
  });

  test('a no forgets what was kept, and what waited', async () => {
    const shopper = await newShopper();
    const page = await shopper.newPage();
    await page.goto(shop.page('/withdrawn'));
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'withdrawn-1' })`);
    await shop.arrived('withdrawn-1');
    const requests = requestsOf(shopper);
    await shopper.setOffline(true);
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'withdrawn-2' }); vitrine('consent', false)`);
    await shopper.setOffline(false);
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'withdrawn-3' })`);
    expect(await page.evaluate(KEPT)).toBe('[["vitrine:consent"],""]');
    await page.reload();
    await page.waitForFunction(`window.vitrine.loaded`);
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'withdrawn-4' })`);
    expect(await page.evaluate(DEVICE)).toBeNull();
    expect(requests.length).toBeLessThanOrEqual(1);
    expect((await shop.eventsWith('withdrawn-')).length).toBe(1);
  });

  test('Global Privacy Control is a no, whatever the page says', async () => {
    const shopper = await newShopper();
    await shopper.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true })`);
    const requests = requestsOf(shopper);
    const page = await shopper.newPage();
    await page.goto(shop.page('/control'));
    await page.waitForFunction(`window.vitrine.loaded`);
    await page.evaluate(`vitrine('consent', true); vitrine('view', { name: 'product', pid: 'control-1' })`);
    expect(await page.evaluate(DEVICE)).toBeNull();
    expect([await page.evaluate(KEPT), requests]).toEqual(['[[],""]', []]);
  });

  test('Global Privacy Control that is turned on later forgets what was kept before', async () => {
    const shopper = await newShopper();
    const page = await shopper.newPage();
    await page.goto(shop.page('/later'));
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'later-1' })`);
    await shop.arrived('later-1');
    expect(await page.evaluate(KEPT)).toContain('vitrine:device');
    await shopper.addInitScript(`Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true })`);
    await page.reload();
    await page.waitForFunction(`window.vitrine.loaded`);
    expect(await page.evaluate(KEPT)).toBe('[[],""]');
  });

  test('what waits for a yes is fifty events at most', async () => {
    const page = await (await newShopper()).newPage();
    await page.goto(shop.page('/held', { tag: 'data-consent="required" data-collect="calls"' }));
    await page.waitForFunction(`window.vitrine.loaded`);
    await page.evaluate(
      `for (let n = 0; n < 60; n += 1) vitrine('view', { name: 'product', pid: 'held-' + n }); vitrine('consent', true)`,
    );
    await page.evaluate(`vitrine('view', { name: 'product', pid: 'after-held' })`);
    await shop.arrived('after-held');
    await page.waitForFunction(`Object.keys(localStorage).filter((key) => key.startsWith('vitrine:q:')).length === 0`);
    const pids = (await shop.eventsWith('"held-')).map(({ body }) => body['pid']);
    expect([pids.length, pids.includes('held-49'), pids.includes('held-50')]).toEqual([50, true, false]);
  });

  test('a page that is only prepared sends nothing before it is shown', async () => {
    const shopper = await newShopper();
    await shopper.addInitScript(
      `let isPrepared = true; Object.defineProperty(Document.prototype, 'prerendering', { get: () => isPrepared });
       window.show = () => { isPrepared = false; document.dispatchEvent(new Event('prerenderingchange')); }`,
    );
    const requests = requestsOf(shopper);
    const page = await shopper.newPage();
    const head = `<script>vitrine('view', { name: 'product', pid: 'prepared-1' })</script>`;
    await page.goto(shop.page('/prepared', { head }), { waitUntil: 'load' });
    expect([await page.evaluate(KEPT), requests]).toEqual(['[[],""]', []]);
    await page.evaluate('show()');
    await shop.arrived('prepared-1');
  });

  test('where the browser refuses storage, a cookie knows the device', async () => {
    const shopper = await newShopper();
    await shopper.addInitScript(NO_STORAGE);
    const page = await shopper.newPage();
    const address = shop.page('/cookie');
    for (const pid of ['cookie-1', 'cookie-2']) {
      await page.goto(address);
      await page.evaluate(`vitrine('view', { name: 'product', pid: '${pid}' })`);
      await shop.arrived(pid);
    }
    const [first, second] = await shop.eventsWith('cookie-');
    const cookie = (await shopper.cookies()).find(({ name }) => name === 'vitrine_device');
    expect([first?.deviceId, second?.deviceId]).toEqual([cookie?.value, cookie?.value]);
  });
});
