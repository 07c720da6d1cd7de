import type { NewShopper } from './chromium';
import type { Console } from './console-pages';

const MANY = 10_000;

/** The first of them is the one that is there. */
function manyStores(): { apiKey: string; name: string }[] {
  const createdAt = new Date().toISOString();
  return Array.from({ length: MANY }, (_, index) => ({
    apiKey: index === 0 ? 'loja' : `store-${index}`,
    name: `Store number ${index}`,
    origins: [],
    settings: {},
    createdAt,
  }));
}

/** What a console meets that has run for years, and somebody who leaves a page open over lunch. */
export function testEdges(newShopper: NewShopper, opened: () => Console): void {
  test('ten thousand stores: the first are shown, any is found, and the page can be used', async () => {
    const page = await opened().window(newShopper, 'jobs');
    const stores = manyStores();
    await page.route('**/admin/stores', (route) => route.fulfill({ json: { stores } }));
    await page.route('**/console/session', async (route) => {
      const response = await route.fetch();
      const { session } = (await response.json()) as { session: object };
      await route.fulfill({ response, json: { session: { ...session, stores } } });
    });
    await opened().go(page, 'stores');
    const rows = page.getByRole('region', { name: 'Every store' }).getByRole('row');
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(101);
    await page.getByRole('button', { name: 'More (9,900)' }).click();
    expect(await rows.count()).toBe(201);
    await page.getByLabel('Find among 10,000').fill('store-9999');
    await page.getByRole('link', { name: 'Store number 9999' }).click();
    await page.waitForURL('**/console/store-9999/stores');
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('link', { name: 'Other stores' }).click();
    await page.waitForURL('**/console/store-9999/stores');
  });

  test('a session that ends takes nothing away from whoever was writing', async () => {
    const page = await opened().window(newShopper, 'stores');
    const form = page.locator('form').last();
    await form.getByLabel('Name').fill('Half a name');
    await page.context().clearCookies();
    const again = page.getByRole('dialog', { name: 'The session has ended' });
    await again.getByLabel('Admin token').fill(` ${opened().service.token()}\n`);
    await page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Half a name');
    await form.getByLabel('apiKey').fill('kept');
    await form.getByRole('button', { name: 'Create a store' }).click();
    await page.getByRole('cell', { name: 'kept', exact: true }).waitFor();
  });

  test('an upload that the service leaves half-way says so, and is sent again', async () => {
    const page = await opened().window(newShopper, 'catalog');
    await page.route('**/imports?*', (route) => route.abort());
    const buffer = Buffer.from('{"id":"again","name":"Again"}');
    await page.locator('input[type=file]').setInputFiles({ name: 'feed.ndjson', mimeType: 'text/plain', buffer });
    const send = page.getByRole('button', { name: 'Import', exact: true });
    await send.click();
    await page.getByText('The service does not answer').first().waitFor();
    await page.unroute('**/imports?*');
    await send.click();
    await page
      .getByText(/accepted \d/)
      .first()
      .waitFor();
  });
}
