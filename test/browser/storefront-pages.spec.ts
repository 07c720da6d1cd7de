import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describeInChromium } from './chromium';
import { findingsInBoth, seriousFindings, sideways } from './page-checks';
import { until } from './shop';
import { shownNames, Storefront } from './storefront';

const MOST_SCRIPT = 220 * 1024;
const ASSETS = join(__dirname, '../../dist/web/demo/assets');
/** Markup, and a mark that turns what follows around. */
const HOSTILE = `<img src=x onerror="document.title='owned'">\u202Eevil & "co"`;

const PAGES: readonly [name: string, path: string, ready: string][] = [
  ['home', '/', 'main .card'],
  ['search', '/search?q=tenis', 'main .card'],
  ['search that finds nothing', '/search?q=zzqxv', '.notice'],
  ['category', `/category/Moda/${encodeURIComponent('Calçados')}`, 'main .card'],
  ['product', '/products/d0001', 'main .product h1'],
  ['product that is not there', '/products/none', '.notice'],
  ['two shoppers', '/compare?q=tenis', '.two.large .score-bar'],
  ['cart', '/cart', '.lines'],
  ['checkout', '/checkout', '.summary'],
  ['order', '/orders/demo-1', '[data-order]'],
];

const CART = `localStorage.setItem('demo:cart:ana', JSON.stringify([{ id: 'd0001', name: 'Tênis', price: 10, image: '', quantity: 2 }]))`;

test('the scripts of the storefront are within their budget', () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  const bytes = scripts.map((name) => gzipSync(readFileSync(join(ASSETS, name))).length);
  expect(bytes.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST_SCRIPT);
});

describeInChromium('each page of the storefront', (newShopper) => {
  let shop: Storefront;
  beforeAll(async () => {
    shop = await Storefront.open();
  });
  afterAll(() => shop.close());

  test.each(PAGES)(
    '%s has no serious finding of axe, in light and dark, and fits a phone',
    async (_name, path, ready) => {
      const page = await shop.visit(newShopper, '/');
      await page.evaluate(CART);
      await page.goto(`${shop.demo.address}/demo${path}`);
      await page.locator(ready).first().waitFor();
      await page.locator('.panel .bars li').first().waitFor();
      expect(await findingsInBoth(page)).toEqual({ light: [], dark: [] });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.reload();
      await page.locator(ready).first().waitFor();
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: 'Behind the shop' }).click();
      await page.locator('.panel .bars li').first().waitFor();
      // In sight, and not below everything else.
      expect((await page.locator('.panel .fold').boundingBox())?.y).toBeLessThan(740);
      expect(await sideways(page)).toBeLessThanOrEqual(0);
      expect(shop.complaints.splice(0)).toEqual([]);
    },
  );

  test.each([
    ['a desk', { width: 1280, height: 900 }],
    ['a phone', { width: 360, height: 740 }],
  ])('answers why a product is there where it is looked for, far down the list, on %s', async (_name, viewport) => {
    const page = await shop.visit(newShopper, '/search?q=tenis', { viewport });
    await shownNames(page);
    const card = page.locator('main .card').nth(17);
    const name = (await card.locator('h3').textContent()) ?? '';
    await card.locator('.why').click();
    const answer = page.locator('.why-here .subject', { hasText: name });
    await answer.waitFor();
    // What stands above it may still come.
    const place = async (): Promise<number> => (await answer.boundingBox())?.y ?? -1;
    const top = await until(place, (y) => y > 0 && y < viewport.height - 20);
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(viewport.height - 20);
    expect(shop.complaints.splice(0)).toEqual([]);
  });

  test('shows hostile names as text', async () => {
    await shop.demo.put({
      id: 'hostile',
      name: `Tênis ${HOSTILE}`,
      brand: '<b>brand</b>',
      price: 10,
      url: 'https://shop.example/x',
      images: { default: 'javascript:alert(1)' },
      categories: ['Moda'],
      description: '<script>document.title="owned"</script>',
      status: 'available',
    });
    const page = await shop.visit(newShopper, '/products/hostile');
    await page.locator('main h1').waitFor();
    expect(await page.locator('main h1 bdi').textContent()).toContain(HOSTILE);
    expect(await page.locator('main').getByText('<script>document.title="owned"</script>').count()).toBe(1);
    await page.goto(`${shop.demo.address}/demo/search?q=${encodeURIComponent(HOSTILE)}`);
    await page.locator('main h1').waitFor();
    expect(await page.locator('main h1').textContent()).toContain(HOSTILE);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('main img[src="x"]').count()).toBe(0);
    expect(shop.complaints.splice(0)).toEqual([]);
  });

  test('speaks the language that is chosen, also next time', async () => {
    const page = await shop.visit(newShopper, '/', { locale: 'pt-BR' });
    await page.getByRole('link', { name: 'Carrinho (0)' }).waitFor();
    await page.selectOption('select[name=language]', 'es');
    await page.getByRole('link', { name: 'Carrito (0)' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Carrito (0)' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
  });

  test('follows nobody where nobody looks, and a random device where somebody is themself', async () => {
    const page = await shop.visit(newShopper, '/');
    await shownNames(page);
    await page.selectOption('select[name=shopper]', 'nobody');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v7/events/')) sent.push(request.postData() ?? '');
    });
    await page.locator('main .card a').first().click();
    await page.locator('main .product h1').waitFor();
    expect(sent).toEqual([]);
    await page.selectOption('select[name=shopper]', 'you');
    await page.goto(`${shop.demo.address}/demo/products/d0002`);
    await page.locator('.bars li').first().waitFor();
    const device = await page.evaluate(`localStorage.getItem('demo:device')`);
    expect(device).toMatch(/^[0-9a-f]{32}$/);
    const events = await shop.events('product');
    expect(events.filter(({ deviceId }) => deviceId === device).map(({ userId }) => userId)).toContain(null);
  });
});

describeInChromium('the storefront without its shop', (newShopper) => {
  test('says how to turn the demo on', async () => {
    const off = await Storefront.open({ demo: false });
    try {
      const page = await off.visit(newShopper, '/search?q=tenis');
      await page.getByRole('heading', { name: 'The demo shop is turned off' }).waitFor();
      expect(await page.locator('code').textContent()).toContain('DEMO=on');
      expect(await seriousFindings(page)).toEqual([]);
    } finally {
      await off.close();
    }
  });

  test('says that the service is away, and goes on when it is back', async () => {
    const shop = await Storefront.open();
    try {
      const page = await shop.visit(newShopper, '/');
      await shownNames(page);
      await page.route('**/*', (route) => route.abort());
      await page.getByRole('link', { name: 'Moda', exact: true }).click();
      await page.getByRole('heading', { name: 'The shop does not answer' }).waitFor();
      await page.unroute('**/*');
      await page.getByRole('button', { name: 'Ask again now' }).click();
      await shownNames(page);
    } finally {
      await shop.close();
    }
  });
});
