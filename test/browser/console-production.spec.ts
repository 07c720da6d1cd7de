import { aProduct } from '../builders/a-product';
import { productionMode } from '../support/modes';
import { describeOn } from '../support/servers';
import { describeInChromium } from './chromium';
import { Console } from './console-pages';
import { until } from './shop';

describeOn(['elasticsearch', 'redis'], (urls) => {
  describeInChromium('the console in production', (newShopper) => {
    let console: Console;
    beforeAll(async () => {
      console = await Console.open(productionMode(urls));
      await console.client.put(aProduct({ id: 'p' }));
      await console.client.event('product', { userId: 'ana', pid: 'p' });
    });
    afterAll(() => console.close());

    test('shows every page, and what is changed in one window in another', async () => {
      const page = await console.window(newShopper, 'stores');
      const other = await console.window(newShopper, 'stores');
      await page.getByLabel('Name').first().fill('Another name');
      await page.getByRole('button', { name: 'Save' }).click();
      await other.getByRole('link', { name: 'Another name' }).waitFor();
      await page.goto(`${console.url}/console/loja/shoppers/user/ana`);
      await page.locator('.bars li', { hasText: '× 1' }).first().waitFor();
      await page.goto(`${console.url}/console/loja/audit`);
      await page.getByText('PATCH /admin/stores/:apiKey').first().waitFor();
      await page.goto(`${console.url}/console/loja/catalog`);
      await page.getByRole('button', { name: 'Look now' }).click();
      await page.getByText('Products: 1').waitFor();
      await page.getByRole('link', { name: 'Jobs' }).click();
      await page.getByRole('heading', { name: 'Schedules' }).waitFor();
    });

    test('ranks, merchandises and counts, shows a product as it was sent, and erases a shopper', async () => {
      await console.client.put(aProduct({ id: 'q', name: 'Tênis Segundo' }));
      const page = await console.window(newShopper, 'lab');
      await page.getByLabel('Query', { exact: false }).first().fill('tenis');
      await page.getByLabel('Shoppers').fill('ana');
      await page.keyboard.press('Enter');
      await page.locator('li[data-product="q"]').first().waitFor();
      await page
        .getByRole('button', { name: /^Why\?/ })
        .first()
        .click();
      await page.getByText('shown', { exact: true }).waitFor();
      await console.go(page, 'templates');
      await page.getByLabel('strength', { exact: true }).waitFor();
      await console.go(page, 'merchandising');
      await page.getByLabel('Show the result of').fill('tenis');
      await page.keyboard.press('Enter');
      const second = page.locator('[data-order] li[data-product="q"]');
      await second.getByLabel(/^What happens with/).selectOption('hide');
      await page.getByRole('button', { name: 'Save rules' }).click();
      await page.getByRole('button', { name: /^Switch off/ }).waitFor();
      const found = (): Promise<string[]> => console.client.order({ terms: 'tenis' });
      expect(await until(found, (ids) => !ids.includes('q'))).toEqual(['p']);
      await console.go(page, 'insight');
      await page.getByRole('region', { name: 'Top queries' }).getByRole('cell', { name: 'tenis' }).first().waitFor();
      await console.go(page, 'catalog/p');
      await page.getByText('found by searches', { exact: true }).waitFor();
      await console.go(page, 'shoppers/user/ana');
      await page.getByRole('button', { name: 'Erase everything that is known' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Nothing is known of this shopper').waitFor();
      expect(await console.client.exported('ana')).toEqual([]);
    });
  });
});
