import { aProduct } from '../builders/a-product';
import { describeInChromium } from './chromium';
import { findingsInBoth, seriousFindings, sideways } from './page-checks';
import { RelevanceConsole } from './relevance-console';
import { until } from './shop';

const HOSTILE = '<img src=x onerror="window.hurt=1"> \u202Eevil\u202C zzhostile';
const PAGES = ['insight', 'lab', 'templates', 'merchandising'];

describeInChromium('the pages of the console for relevance', (newShopper) => {
  let service: RelevanceConsole;

  beforeAll(async () => {
    service = await RelevanceConsole.open();
    await service.demo.put(aProduct({ id: 'hostile', name: HOSTILE, brand: '<b>bold</b>' }));
    await service.search('zzempty', 'ana');
    const { searchId, products } = await service.search('zzhostile', 'ana');
    await fetch(`${service.demo.address}/v7/events/views/product`, {
      method: 'POST',
      headers: { origin: service.demo.origin, 'content-type': 'application/json' },
      body: JSON.stringify({ pid: products[0]!.id, userId: 'ana', searchId }),
    });
  });
  afterAll(() => service?.close());
  afterEach(() => expect(service.complaints.splice(0)).toEqual([]));

  it('shows what was searched, what found nothing, what followed, verdicts of events and campaigns', async () => {
    await until(
      () => service.admin<{ clicks: number }>('GET', '/metrics/search'),
      ({ clicks }) => clicks > 0,
    );
    const page = await service.visit(newShopper, 'insight');
    const top = page.getByRole('region', { name: 'Top queries' }).first();
    await top.getByRole('cell', { name: 'zzhostile' }).waitFor();
    await page.getByRole('region', { name: 'Queries without results' }).first().getByText('zzempty').waitFor();
    await page.getByRole('img', { name: /^Searches: / }).waitFor();
    await page.getByRole('cell', { name: 'counted' }).waitFor();
    const { campaigns } = await service.admin<{ campaigns: { name: string }[] }>('GET', '/campaigns');
    const campaign = page.getByRole('region', { name: campaigns[0]!.name });
    await campaign.getByRole('img', { name: /^Spent so far, of a budget of / }).waitFor();
    expect(await campaign.locator('.chart-limit').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'CSV by query' }).click(),
    ]);
    expect(download.suggestedFilename()).toContain('.csv');
  });

  it('shows hostile names and queries as text', async () => {
    const page = await service.visit(newShopper, 'lab');
    await page.getByLabel('Query', { exact: false }).first().fill(`zzhostile <script>window.hurt=1</script>`);
    await page.keyboard.press('Enter');
    await page.getByText('Query type').waitFor();
    await page.getByLabel('Query', { exact: false }).first().fill('zzhostile');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('<img src=x onerror', { exact: false }).first().waitFor();
    await page.getByText('<b>bold</b>').first().waitFor();
    expect(await page.evaluate('window.hurt')).toBeUndefined();
    const { campaigns } = await service.admin<{ campaigns: object[] }>('GET', '/campaigns');
    const { spent: _spent, id: _id, ...campaign } = campaigns[0] as Record<string, unknown>;
    await service.admin('PUT', '/campaigns/hostile', { ...campaign, name: HOSTILE });
    await page.getByRole('link', { name: 'Insight' }).click();
    await page.getByText('<img src=x onerror', { exact: false }).first().waitFor();
    await service.admin('PUT', '/templates/hostile', { strength: 50, note: HOSTILE, author: HOSTILE });
    await page.getByRole('link', { name: 'Templates' }).click();
    await page.getByRole('button', { name: 'hostile', exact: true }).click();
    await page.getByRole('region', { name: 'hostile', exact: true }).getByText('<img src=x onerror').first().waitFor();
    expect(await page.evaluate('window.hurt')).toBeUndefined();
    expect(await page.locator('main img[src="x"]').count()).toBe(0);
  });

  it.each(PAGES)('%s has no serious finding of axe, in dark and light, and fits a phone', async (name) => {
    const page = await service.visit(newShopper, name);
    if (name === 'lab') {
      await page.getByLabel('Query', { exact: false }).first().fill('tenis');
      await page.getByLabel('Shoppers').fill('ana');
      await page.keyboard.press('Enter');
      await page.locator('li[data-product]').first().waitFor();
      await page
        .getByRole('button', { name: /^Why\?/ })
        .first()
        .click();
      await page.getByText('shown', { exact: true }).waitFor();
    } else if (name === 'merchandising') {
      await page.getByLabel('Show the result of').fill('tenis');
      await page.keyboard.press('Enter');
      await page.locator('[data-order] li').first().waitFor();
    } else if (name === 'templates') await page.getByLabel('strength', { exact: true }).waitFor();
    else await page.getByRole('cell', { name: 'zzhostile' }).first().waitFor();
    expect(await findingsInBoth(page)).toEqual({ light: [], dark: [] });
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sideways(page)).toBe(0);
  });

  it.each([
    ['templates', ['Tune', 'Experiments', 'Templates', 'JSON', 'Compare', 'Preview', 'Replay']],
    ['merchandising', ['Synonyms', 'Redirects', 'Hotsites', 'Banners', 'Facets']],
  ])('%s has none on any of its tabs either, and each fits a phone', async (name, tabs) => {
    await service.admin('PUT', '/experiments/axe', { variants: [{ name: 'half', share: 50, strength: 50 }] });
    await service.admin('PUT', '/synonyms', { synonyms: [{ terms: ['zzlong'.repeat(20), 'tv'] }] });
    const page = await service.visit(newShopper, name, { role: 'ops', colorScheme: 'dark' });
    for (const tab of tabs) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('tab', { name: tab, exact: true }).click();
      await page.locator('[role=status] .mantine-Loader-root').waitFor({ state: 'detached' });
      expect([tab, await seriousFindings(page)]).toEqual([tab, []]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect([tab, await sideways(page)]).toEqual([tab, 0]);
    }
  });

  it('speaks Portuguese and Spanish', async () => {
    for (const [locale, label] of [
      ['pt-BR', 'Laboratório de busca'],
      ['es-ES', 'Laboratorio de búsqueda'],
    ] as const) {
      const shopper = await newShopper({ locale });
      const page = await shopper.newPage();
      await page.goto(`${service.demo.address}/console/demo/lab`);
      await page.locator('input[type=password]').fill(service.token('relevance'));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: label }).waitFor();
    }
  });

  it('says so when the service does not answer', async () => {
    const page = await service.visit(newShopper, 'lab');
    await page.route('**/preview', (route) => route.abort());
    await page.getByLabel('Query', { exact: false }).first().fill('tenis');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/preview');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('li[data-product]').first().waitFor();
    service.complaints.splice(0);
  });
});
