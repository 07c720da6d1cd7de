import type { Page } from 'playwright-core';
import { describeInChromium } from './chromium';
import { RelevanceConsole } from './relevance-console';
import { until } from './shop';

const QUERY = 'tenis de corrida';

/** Ids in the order of one side of a comparison. */
const shown = (page: Page, side: 'Left' | 'Right'): Promise<string[]> =>
  page
    .getByRole('region', { name: side, exact: true })
    .locator('li[data-product]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-product') ?? ''));

describeInChromium('the console for ranking', (newShopper) => {
  let service: RelevanceConsole;

  beforeAll(async () => {
    service = await RelevanceConsole.open();
  });
  afterAll(() => service?.close());
  afterEach(() => expect(service.complaints.splice(0)).toEqual([]));

  it('shows a query as two shoppers get it, what scores are made of, and why a product is there or not', async () => {
    const page = await service.visit(newShopper, 'lab');
    await page.getByLabel('Query', { exact: false }).first().fill(QUERY);
    await page.getByLabel('Shoppers').fill('ana, bruno');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.locator('li[data-product]').first().waitFor();
    await page.getByLabel('Left', { exact: true }).last().selectOption({ index: 1 });
    await page.getByLabel('Right', { exact: true }).last().selectOption({ index: 2 });
    expect(await shown(page, 'Left')).toEqual(await service.ids(QUERY, 'ana'));
    expect(await shown(page, 'Right')).toEqual(await service.ids(QUERY, 'bruno'));
    expect(await page.locator('[data-move]').count()).toBe((await shown(page, 'Right')).length);
    expect(await page.getByText('Query type').textContent()).toContain('search');
    expect(await page.locator('li[data-product] svg[role=img]').first().getAttribute('aria-label')).toContain('text ');
    const names = (await service.search(QUERY, 'ana')).products.map(({ name }) => name);
    await page.getByText(names[0]!).first().waitFor();

    await page
      .getByRole('button', { name: `Why? ${names[1]}` })
      .first()
      .click();
    const why = page.getByRole('region', { name: 'Why is it there, or not?' });
    await why.getByText('shown', { exact: true }).waitFor();
    await why.getByText('To pass the product above it').first().waitFor();
    await why.getByLabel('Product id').fill('no-such-product');
    await page.keyboard.press('Enter');
    await why.getByText('unknown_product').waitFor();
  });

  it('says what the service made of a query, and leaves nothing of it in the log', async () => {
    await service.admin('PUT', '/redirects', { redirects: [{ terms: ['frete'], link: '/ajuda' }] });
    const page = await service.visit(newShopper, 'lab');
    await page.getByLabel('Query', { exact: false }).first().fill('frete');
    await page.keyboard.press('Enter');
    await page.getByText('redirect').first().waitFor();
    await page.getByText('/ajuda').waitFor();
    // It stands in the address: the way back leads to it, and a link can be sent.
    await page.getByRole('link', { name: 'Insight' }).click();
    await page.getByRole('heading', { name: 'Insight', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('/ajuda').waitFor();
    expect(await page.getByLabel('Query', { exact: false }).first().inputValue()).toBe('frete');
    const { topTerms } = await service.admin<{ topTerms: { query: string }[] }>('GET', '/metrics/search');
    expect(topTerms.map(({ query }) => query)).not.toContain('frete');
  });

  it('changes a template, previews it, activates it, and a search answers in another order; rolling back undoes it', async () => {
    const before = await service.ids(QUERY, 'ana');
    const nobody = await service.ids(QUERY);
    expect(before).not.toEqual(nobody);
    const page = await service.visit(newShopper, 'templates');
    await page.getByLabel('New template').fill('neutral');
    await page.getByRole('button', { name: 'Make' }).click();
    const template = page.getByRole('region', { name: 'neutral', exact: true });
    const other = await service.visit(newShopper, 'templates');
    await template.getByLabel('strength', { exact: true }).fill('0');
    await template.getByLabel('Note').fill('the same for everyone');
    await template.getByRole('button', { name: 'Save as a version' }).click();
    await template
      .getByLabel('Version', { exact: true })
      .locator('option', { hasText: '2' })
      .waitFor({ state: 'attached' });
    await template.getByText('the same for everyone').first().waitFor();

    await template.getByRole('tab', { name: 'Compare' }).click();
    await template.getByRole('cell', { name: 'strength', exact: true }).waitFor();
    await template.getByRole('tab', { name: 'Preview' }).click();
    await template.getByLabel('Query').fill(QUERY);
    await template.getByLabel('Shoppers').fill('ana');
    await template.getByRole('button', { name: 'Preview' }).click();
    await template.locator('li[data-product]').first().waitFor();
    expect(await shown(page, 'Left')).toEqual(before);
    expect(await shown(page, 'Right')).toEqual(nobody);
    expect(await service.ids(QUERY, 'ana')).toEqual(before);
    // A product of the right list is asked about with the version that is tried, not with what serves.
    await template
      .getByRole('region', { name: 'Right' })
      .getByRole('button', { name: /^Why\?/ })
      .first()
      .click();
    const why = template.getByRole('region', { name: 'Why is it there, or not?' });
    await why.getByText(/Rank 1 .* neutral$/).waitFor();
    expect(await why.getByLabel('Template that ranks').inputValue()).toBe('candidate');
    await why.getByLabel('Template that ranks').selectOption('current');
    await why.getByRole('button', { name: 'Ask' }).click();
    await why.getByText(/ default$/).waitFor();

    await template.getByRole('button', { name: 'Activate this version' }).click();
    await template.getByText('✓ Serves').waitFor();
    await other.getByRole('row', { name: /^neutral.*Serves/ }).waitFor();
    expect(await service.ids(QUERY, 'ana')).toEqual(nobody);
    await page.getByRole('button', { name: 'Roll back' }).click();
    await template.getByRole('button', { name: 'Activate this version' }).waitFor();
    expect(await service.ids(QUERY, 'ana')).toEqual(before);
  });

  it('tells each mistake of a template by its path and line', async () => {
    const page = await service.visit(newShopper, 'templates');
    const template = page.getByRole('region', { name: 'default', exact: true });
    await template.getByRole('tab', { name: 'JSON' }).click();
    const text = template.getByLabel('The template as JSON');
    await text.fill('{\n  "strength": 100,\n  "fields": {\n    "name": -1\n  }\n}');
    await template.getByText('Line 4:').waitFor();
    await template.getByText('fields.name', { exact: true }).waitFor();
    await text.fill('{ "strength": ');
    await template.getByText('This is no JSON object').waitFor();
    expect(await template.getByRole('button', { name: 'Save as a version' }).isDisabled()).toBe(true);
  });

  it('refuses to activate what was not replayed, replays it, and shows the report', async () => {
    await service.admin('PUT', '/templates/half', { strength: 50 });
    for (const userId of ['ana', 'bruno']) await service.searchAndClick(QUERY, userId);
    await service.admin('PATCH', '', { settings: { requireReplay: true } });
    const page = await service.visit(newShopper, 'templates');
    await page.getByRole('button', { name: 'half', exact: true }).click();
    const template = page.getByRole('region', { name: 'half', exact: true });
    await template.getByRole('button', { name: 'Activate this version' }).click();
    await template.getByRole('button', { name: 'Activate all the same' }).waitFor();
    await template.getByRole('tab', { name: 'Replay' }).click();
    await template.getByRole('button', { name: 'Replay' }).click();
    await template.getByRole('img', { name: /^nDCG@10: / }).waitFor();
    await template.getByRole('button', { name: 'Activate all the same' }).click();
    await template.getByText('✓ Serves').waitFor();
    await service.admin('PATCH', '', { settings: { requireReplay: false } });
    await service.admin('POST', '/templates/rollback');
  });

  it('starts an experiment, shows its groups, and stops it', async () => {
    const page = await service.visit(newShopper, 'templates');
    await page.getByRole('tab', { name: 'Experiments' }).click();
    await page.getByLabel('Name of the experiment').fill('spring');
    await page.getByLabel('Strength').fill('50');
    await page.getByRole('button', { name: 'Start' }).click();
    const experiment = page.getByRole('region', { name: 'spring' });
    await experiment.getByRole('button', { name: 'Results' }).click();
    await experiment.getByText('too early to say anything').waitFor();
    await experiment.getByRole('cell', { name: 'candidate', exact: true }).first().waitFor();
    await experiment.getByRole('button', { name: 'Stop' }).click();
    await experiment.getByText('ended').waitFor();
    const { experiments } = await until(
      () => service.admin<{ experiments: { state: string }[] }>('GET', '/experiments'),
      (found) => found.experiments[0]?.state === 'ended',
    );
    expect(experiments.map(({ state }) => state)).toEqual(['ended']);
  });
});
