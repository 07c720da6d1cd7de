import type { Page } from 'playwright-core';
import { describeInChromium } from './chromium';
import { RelevanceConsole } from './relevance-console';

const QUERY = 'tenis';

const order = (page: Page): Promise<string[]> =>
  page
    .locator('[data-order] li[data-product]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-product') ?? ''));

async function showResult(page: Page, query: string): Promise<string[]> {
  await page.getByLabel('Show the result of').fill(query);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.locator('[data-order] li').first().waitFor();
  return order(page);
}

describeInChromium('the console for merchandising', (newShopper) => {
  let service: RelevanceConsole;

  beforeAll(async () => {
    service = await RelevanceConsole.open();
  });
  afterAll(() => service?.close());
  afterEach(async () => {
    expect(service.complaints.splice(0)).toEqual([]);
    await service.admin('PUT', '/rules', { rules: [] });
  });

  const saved = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByRole('button', { name: 'Save rules' }).waitFor({ state: 'detached' });
  };

  it('pins a product where it is dragged to, and hides one that is dragged onto hiding', async () => {
    const page = await service.visit(newShopper, 'merchandising');
    const before = await showResult(page, QUERY);
    const [first, second, , , fifth] = before as [string, string, string, string, string];
    const item = (id: string) => page.locator(`[data-order] li[data-product="${id}"]`);
    await item(fifth).dragTo(item(first));
    expect((await order(page))[0]).toBe(fifth);
    await item(second).dragTo(page.locator('[data-zone=hide]'));
    expect(await order(page)).not.toContain(second);
    const expected = await order(page);
    expect(await service.ids(QUERY)).toEqual(before);
    await saved(page);
    const after = await service.ids(QUERY);
    expect(after.slice(0, 20)).toEqual(expected.slice(0, 20));
    expect(after[0]).toBe(fifth);
    expect(after).not.toContain(second);
  });

  it('makes rules with the keyboard alone, switches one off and removes it', async () => {
    const page = await service.visit(newShopper, 'merchandising');
    await page.getByLabel('Show the result of').focus();
    await page.keyboard.type(QUERY);
    await page.keyboard.press('Enter');
    await page.locator('[data-order] li').first().waitFor();
    const before = await order(page);
    const third = page.locator(`[data-order] li[data-product="${before[2]}"]`);
    await third.getByRole('button', { name: 'Up:' }).focus();
    await page.keyboard.press('Enter');
    expect((await order(page)).indexOf(before[2]!)).toBe(1);
    await page.getByRole('button', { name: 'Save rules' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Switch off/ }).waitFor();
    expect((await service.ids(QUERY)).indexOf(before[2]!)).toBe(1);
    await page.getByRole('button', { name: /^Switch off/ }).press('Enter');
    await page.getByRole('button', { name: /^Switch on/ }).waitFor();
    expect(await service.ids(QUERY)).toEqual(before);
    await page.getByRole('button', { name: /^Remove/ }).press('Enter');
    await page.getByRole('button', { name: /^Remove/ }).waitFor({ state: 'detached' });
  });

  it('buries a product', async () => {
    const page = await service.visit(newShopper, 'merchandising');
    const { products: named } = await service.search(QUERY);
    const before = await showResult(page, QUERY);
    const first = page.locator(`[data-order] li[data-product="${before[0]}"]`);
    await first.getByLabel(/^What happens with/).selectOption('bury');
    expect((await order(page))[0]).not.toBe(before[0]);
    await saved(page);
    expect((await service.ids(QUERY))[0]).not.toBe(before[0]);
    // The list names what a rule is about.
    const name = named.find(({ id }) => id === before[0])?.name ?? '';
    await page.getByRole('row', { name: /bury/ }).getByText(name, { exact: true }).waitFor();
    const { rules } = await service.admin<{ rules: { type: string; query: string }[] }>('GET', '/rules');
    expect(rules).toEqual([expect.objectContaining({ type: 'bury', query: QUERY })]);
  });

  it('saves over nobody: a list that was changed meanwhile is read again', async () => {
    const page = await service.visit(newShopper, 'merchandising');
    const [first] = await showResult(page, QUERY);
    // A window that nobody looks at does not ask again by itself.
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })`);
    await page
      .locator(`[data-product="${first}"]`)
      .getByLabel(/^What happens with/)
      .selectOption('hide');
    await service.admin('PUT', '/rules', { rules: [{ id: 'other', type: 'hide', products: ['x'] }] });
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('Somebody else has changed this list').waitFor();
    await saved(page);
    const { rules } = await service.admin<{ rules: { id: string }[] }>('GET', '/rules');
    expect(rules).toHaveLength(2);
  });

  it('shows the first of a thousand rules, finds any of them, and a second window sees what the first one does', async () => {
    const rules = Array.from({ length: 1000 }, (_, index) => ({
      id: `rule-${index}`,
      type: 'hide',
      query: `of ${index}`,
      products: ['x'],
    }));
    await service.admin('PUT', '/rules', { rules });
    const page = await service.visit(newShopper, 'merchandising');
    const other = await service.visit(newShopper, 'merchandising');
    await other.getByRole('row').nth(100).waitFor();
    expect(await other.getByRole('row').count()).toBe(101);
    await other.getByLabel('Find among 1,000').fill('rule-999');
    await page.getByLabel('Find among 1,000').fill('rule-999');
    await page.getByRole('button', { name: 'Remove rule-999' }).click();
    await other.getByText('Find among 999').waitFor();
    expect(await other.getByRole('button', { name: 'Remove rule-999' }).count()).toBe(0);
    const kept = await service.admin<{ rules: { id: string }[] }>('GET', '/rules');
    expect(kept.rules.map(({ id }) => id)).toEqual(rules.slice(0, 999).map(({ id }) => id));
  });

  it('lets nobody order facets over what somebody else has saved meanwhile', async () => {
    const page = await service.visit(newShopper, 'merchandising', { role: 'ops' });
    await page.getByRole('tab', { name: 'Facets' }).click();
    await page.getByLabel('Facet', { exact: true }).selectOption('brand');
    await page.getByRole('button', { name: 'Add' }).click();
    await service.admin('PATCH', '', { settings: { facets: [{ attribute: 'price' }] } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else has changed this list').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'price' }).waitFor();
    await service.admin('PATCH', '', { settings: { facets: null } });
  });

  it('previews and adds a synonym, and the search finds by it', async () => {
    expect((await service.search('pisante')).size).toBe(0);
    const page = await service.visit(newShopper, 'merchandising');
    await page.getByRole('tab', { name: 'Synonyms' }).click();
    await page.getByLabel('Word', { exact: false }).first().fill('pisante');
    await page.getByLabel('Other words').fill('tenis');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('group', { name: 'Preview' });
    await preview.getByText('pisante: 0').waitFor();
    await preview.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'pisante, tenis', exact: true }).waitFor();
    expect((await service.search('pisante')).size).toBeGreaterThan(0);
  });

  it('makes a redirect, a hotsite and a banner', async () => {
    const page = await service.visit(newShopper, 'merchandising');
    await page.getByRole('tab', { name: 'Redirects' }).click();
    await page.getByLabel('Queries (with commas)').fill('troca');
    await page.getByLabel('Link').fill('/ajuda/troca');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: '/ajuda/troca', exact: true }).waitFor();
    expect((await service.search('troca')).queries.queryType).toBe('redirect');

    await page.getByRole('tab', { name: 'Hotsites' }).click();
    await page.getByLabel('Name').fill('verao');
    await page.getByLabel('Title').fill('Verão');
    await page.getByLabel('Filters').fill('price:1..100');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('products found').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'verao', exact: true }).waitFor();

    await page.getByRole('tab', { name: 'Banners' }).click();
    await page.getByLabel('Id').fill('bf');
    await page.getByLabel('Picture').fill('/b.jpg');
    await page.getByLabel('Link').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('banners.0.link').first().waitFor();
  });

  it('lets operations order the facets, and nobody else', async () => {
    const page = await service.visit(newShopper, 'merchandising', { role: 'ops' });
    await page.getByRole('tab', { name: 'Facets' }).click();
    for (const kind of ['brand', 'price']) {
      await page.getByLabel('Facet', { exact: true }).selectOption(kind);
      await page.getByRole('button', { name: 'Add' }).click();
    }
    await page.getByRole('button', { name: 'Up: price' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor();
    const relevance = await service.visit(newShopper, 'merchandising');
    await relevance.getByRole('tab', { name: 'Facets' }).click();
    await relevance.getByText('Only operations may change').waitFor();
    expect(await relevance.getByRole('tabpanel').getByRole('button').count()).toBe(0);
    expect(await relevance.getByRole('listitem').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('price'), expect.stringContaining('brand')]),
    );
  });
});
