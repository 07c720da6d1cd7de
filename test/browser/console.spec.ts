import { gzipSync } from 'node:zlib';
import { aProduct } from '../builders/a-product';
import { JobQueue } from '../../src/jobs/job-queue';
import { embeddedMode } from '../support/modes';
import { describeInChromium } from './chromium';
import { testEdges } from './console-edges';
import { Console } from './console-pages';
import { findingsInBoth } from './page-checks';
import { until } from './shop';

const PAGES = ['catalog', 'catalog/p', 'shoppers/user/ana', 'jobs', 'stores', 'audit'];
const BUDGET = 350 * 1024;
/** Markup, a script, and text that turns what stands after it. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202Egnp.exe';
const PHONE = { width: 360, height: 740 };

describeInChromium('the console', (newShopper) => {
  let console: Console;
  beforeAll(async () => {
    console = await Console.open(embeddedMode);
    await console.client.put(aProduct({ id: 'p', name: HOSTILE }));
    await console.client.event('product', { userId: 'ana', pid: 'p' });
  });
  afterAll(() => console.close());

  test('is signed in to by a link, once, and keeps nothing that a script could read', async () => {
    const context = await newShopper({ locale: 'en-US' });
    const page = await context.newPage();
    const link = await console.link();
    await page.goto(link);
    await page.waitForURL(`${console.url}/console/loja/catalog`);
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    const kept = await page.evaluate('JSON.stringify([document.cookie, {...localStorage}, {...sessionStorage}])');
    expect(kept).not.toMatch(/[\w-]{40}/);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('This link no longer signs anybody in').waitFor();
    await page.getByLabel('Admin token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This token is not valid').waitFor();
    await page.getByLabel('Admin token').fill(console.service.token());
    await page.keyboard.press('Enter');
    await page.getByRole('navigation').waitFor();
  });

  test('jobs: one goes before the eyes, schedules pause, and another window sees it', async () => {
    const page = await console.window(newShopper, 'jobs');
    const other = await console.window(newShopper, 'jobs');
    await page.getByRole('button', { name: 'Pause stores.resume' }).click();
    await other.getByRole('button', { name: 'Resume stores.resume' }).waitFor();
    await page.getByRole('button', { name: 'Run now stores.resume' }).click();
    await page.waitForURL(/\/jobs\/.+/);
    await page.getByText('completed').waitFor();
    await page.getByRole('link', { name: 'All jobs' }).click();
    await page.getByRole('button', { name: 'Resume stores.resume' }).click();
    await other.getByRole('button', { name: 'Pause stores.resume' }).waitFor();
  });

  test('stores: one is made, its key shown once, and mistakes stand at their field', async () => {
    const page = await console.window(newShopper, 'stores');
    const other = await console.window(newShopper, 'stores');
    const form = page.locator('form').last();
    await form.getByLabel('Name').fill(HOSTILE);
    await form.getByLabel('apiKey').fill('nova');
    await form.getByRole('button', { name: 'Create a store' }).click();
    const secret = await page.getByRole('status').locator('code').textContent();
    expect(secret).toMatch(/^[\w-]{43}$/);
    await other.getByRole('cell', { name: 'nova' }).waitFor();
    expect(await other.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(secret);

    const settings = page.getByLabel('Settings (JSON)');
    await settings.fill('{"currency":"XXXX"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('p[id$=-error]', { hasText: 'settings.currency: An ISO 4217' }).waitFor();
    await settings.fill('{"currency":"EUR"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('✓ Saved').waitFor();
    await other.locator('main', { hasText: 'A loja' }).waitFor();
    expect((await console.client.admin({ path: '' })).json['settings']).toMatchObject({ currency: 'EUR' });
  });

  test('catalog: a feed is sent, its report read, and the catalog looked at', async () => {
    const page = await console.window(newShopper, 'catalog');
    const buffer = Buffer.from(JSON.stringify(aProduct({ id: 'fed', name: 'Fed' })));
    await page.locator('input[type=file]').setInputFiles({ name: 'feed.ndjson', mimeType: 'text/plain', buffer });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/accepted 1\b/).waitFor();
    await page.getByRole('button', { name: 'Look now' }).click();
    await page.getByText('Products: 2').waitFor();
    await page.getByRole('button', { name: 'Index again' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/\/jobs\/.+/);
    await page.getByText('completed').waitFor();
    await page.getByRole('link', { name: 'Catalog' }).click();
    await page.getByRole('button', { name: 'Go back to the index before' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Products in the index that serves now: 2').waitFor();
  });

  test('jobs: one that runs is watched live, cancelled, and tried again to its end', async () => {
    const jobs = console.service.app.get(JobQueue, { strict: false });
    let goOn = (): void => undefined;
    jobs.process('test.slow', async ({ signal, progress }) => {
      await progress(1, 2);
      await new Promise<void>((resolve) => {
        goOn = resolve;
        signal.addEventListener('abort', () => resolve());
      });
      signal.throwIfAborted();
      return { slow: true };
    });
    const id = await jobs.enqueue({ kind: 'test.slow', store: '*', payload: {}, attempts: 1 });
    const page = await console.window(newShopper, `jobs/${id}`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByText('1 / 2').waitFor();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByText('cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('active', { exact: true }).waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    goOn();
    await page.getByText('completed', { exact: true }).waitFor();
  });

  test('stores: a new key is shown once and works, and so does the one before', async () => {
    const page = await console.window(newShopper, 'stores');
    await page.getByRole('button', { name: 'New secretKey' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
    for (const secretKey of [secret, console.client.keys.secretKey]) {
      const body = { apiKey: 'loja', secretKey };
      expect((await console.service.send({ method: 'POST', path: '/authenticate', body })).status).toBe(200);
    }
    await page.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(secret);
  });

  test('shoppers: what the store has learned, from what; the audit list says who asked', async () => {
    const page = await console.window(newShopper, 'shoppers');
    await page.getByLabel('Id').fill('ana');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.locator('.bars li', { hasText: '× 1' }).first().waitFor();
    expect(await page.locator('.bars rect').count()).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Show everything that is kept' }).click();
    await page.getByRole('cell', { name: 'counted' }).first().waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByText('POST /admin/stores/:apiKey/users/:userId/export').first().waitFor();
  });

  test('shoppers: one is erased, and the timeline is empty after that', async () => {
    await console.client.event('product', { userId: 'eva', pid: 'p' });
    const page = await console.window(newShopper, 'shoppers/user/eva');
    await page.locator('.bars li').first().waitFor();
    await page.getByRole('button', { name: 'Erase everything that is known' }).click();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(/Erased: events 1\b/).waitFor();
    await page.getByText('Nothing is known of this shopper').waitFor();
    expect(await console.client.exported('eva')).toEqual([]);
  });

  test('catalog: one product is shown as it was sent and as a search answers it, and says why none finds it', async () => {
    await console.client.put(aProduct({ id: 'poor', name: 'Poor', price: undefined, margin: 0.25 }));
    const page = await console.window(newShopper, 'catalog');
    await page.getByLabel('Product id').fill('poor');
    await page.getByRole('button', { name: 'Show' }).click();
    const sent = page.getByRole('region', { name: 'As it was sent', exact: true });
    await sent.getByText('price is missing').waitFor();
    await sent.getByText('"margin": 0.25').waitFor();
    await page.getByText('No search finds it').waitFor();
    // What the store sends meanwhile is seen without asking again.
    await console.client.put(aProduct({ id: 'poor', name: 'Poor', price: 12 }));
    const found = page.getByRole('region', { name: 'As searches answer it', exact: true });
    await found.getByText('"clickUrl"').waitFor();
    await sent.getByText('found by searches', { exact: true }).waitFor();
  });

  test('a relevance role sees no button it may not use', async () => {
    const page = await console.window(newShopper, PAGES[0]!, { role: 'relevance' });
    for (const path of PAGES) {
      await console.go(page, path);
      const allowed = /^(Find|Show|Sign out|All \(\d+\))$/;
      const names = await page.getByRole('button').allTextContents();
      expect([path, names.filter((name) => !allowed.test(name.trim()) && name.trim() !== '')]).toEqual([path, []]);
    }
  });

  test('nobody is kept out of any page, in light or dark, on a phone', async () => {
    const page = await (await newShopper({ locale: 'en-US', viewport: PHONE })).newPage();
    await page.goto(`${console.url}/console`);
    await page.locator('h1').waitFor();
    expect(await findingsInBoth(page)).toEqual({ light: [], dark: [] });
    await page.goto(await console.link());
    await page.getByRole('navigation').waitFor({ state: 'attached' });
    for (const path of PAGES) {
      await console.go(page, path);
      // A script in the page's own words would be refused by its policy, once it has to wait.
      await page.locator('main [role=status] .mantine-Loader-root').first().waitFor({ state: 'detached' });
      expect([path, await findingsInBoth(page)]).toEqual([path, { light: [], dark: [] }]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    }
  });

  test('works by keyboard: past the menu, and from page to page', async () => {
    const page = await console.window(newShopper, 'audit');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('page');
    await page.getByRole('link', { name: 'Jobs' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
  });

  test('speaks three languages', async () => {
    const page = await console.window(newShopper, 'jobs', { locale: 'pt-BR' });
    await page.getByRole('heading', { name: 'Tarefas' }).waitFor();
    await page.getByLabel('Idioma').selectOption('es');
    await page.getByRole('heading', { name: 'Programaciones' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('es');
  });

  test('shows hostile names as text, runs no script but its own, and breaks no policy', async () => {
    const context = await newShopper({ locale: 'en-US' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on(
      'request',
      (request) => !/^(?:data:|http:\/\/127\.0\.0\.1:)/.test(request.url()) && problems.push(request.url()),
    );
    await page.goto(await console.link());
    await page.getByRole('navigation').waitFor();
    for (const path of PAGES) {
      await page.goto(`${console.url}/console/loja/${path}`);
      await page.locator('main h1').waitFor();
      expect(await page.locator('img').count()).toBe(0);
    }
    await page.goto(`${console.url}/console/loja/stores`);
    await page.getByRole('link', { name: HOSTILE.slice(0, 20) }).waitFor();
    // A dialog holds the page still by a style of its own.
    await page.getByRole('button', { name: 'Erase the store' }).click();
    await page.getByRole('dialog').waitFor();
    expect(problems).toEqual([]);
  });

  test('no page of another site can frame it, or change anything in its name', async () => {
    const page = await console.window(newShopper, 'stores');
    const reply = await page.request.get(`${console.url}/console/`);
    expect(reply.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    const before = await console.service.send({
      path: '/admin/stores',
      headers: { authorization: `Bearer ${console.service.token()}` },
    });
    const port = new URL(console.url).port;
    const framing = await page.context().newPage();
    const frame = `<iframe src="${console.url}/console/loja/stores"></iframe>`;
    await framing.route('**/frame', (route) => route.fulfill({ contentType: 'text/html', body: frame }));
    await framing.goto(`http://evil.example:${port}/frame`);
    const framed = async (): Promise<string | undefined> => framing.frames()[1]?.url();
    expect(await until(framed, (url) => url?.startsWith('chrome-error:') === true)).toBe(
      'chrome-error://chromewebdata/',
    );
    expect(await framing.frameLocator('iframe').getByRole('heading').count()).toBe(0);
    // Another name of this machine: another site to the browser, with the same cookies in its jar.
    const strange = await page.context().newPage();
    await strange.goto(`http://evil.example:${port}/docs`);
    const attack = `fetch('${console.url}/admin/stores', { method: 'POST', credentials: 'include', mode: 'no-cors',
      headers: { 'content-type': 'text/plain' }, body: '{"name":"Stolen"}' }).then(() => 'sent', () => 'refused')`;
    await strange.evaluate(attack);
    const after = await console.service.send({
      path: '/admin/stores',
      headers: { authorization: `Bearer ${console.service.token()}` },
    });
    expect(after.json).toEqual(before.json);
  });

  test('its first page takes at most 350 KB of script', async () => {
    const page = await (await newShopper({ locale: 'en-US' })).newPage();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => response.url().endsWith('.js') && scripts.push(response.body()));
    await page.goto(await console.link());
    await page.getByRole('heading', { name: 'Catalog' }).waitFor();
    const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET);
  });

  test('says so when the service is away, and goes on when it is back', async () => {
    const page = await console.window(newShopper, 'jobs');
    await page.context().setOffline(true);
    await page.getByText('The service does not answer').first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('The service does not answer').waitFor({ state: 'detached' });
  });

  // Last: the store that is made there would be the one that others begin with.
  testEdges(newShopper, () => console);
});
