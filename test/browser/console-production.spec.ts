import { aProduct } from '../builders/a-product';
import { productionMode } from '../support/modes';
import { describeOn } from '../support/servers';
import { describeInChromium } from './chromium';
import { Console } from './console-pages';

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
  });
});
