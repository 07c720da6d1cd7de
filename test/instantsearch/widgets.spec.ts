import { describeInChromium } from '../browser/chromium';
import { WidgetShop } from './widget-page';

const HITS = `widgets.hits({ container: '#b', templates: { item: (hit, { html, components }) => html\`<p>\${components.Highlight({ hit, attribute: 'name' })}</p>\` } })`;
const TENIS = `widgets.configure({ query: 'tenis' })`;
const ITEMS = '.ais-Hits-item';
/** As much of instantsearch.css as places the handles. */
const SLIDER_STYLE = `.rheostat { position: relative; width: 400px; height: 20px; margin: 40px }
  .rheostat-handle { position: absolute; width: 20px; height: 20px; margin-left: -10px; z-index: 1 }`;

describeInChromium('InstantSearch widgets', (newShopper) => {
  let shop: WidgetShop;
  beforeAll(async () => {
    shop = await WidgetShop.open(newShopper);
  });
  afterAll(() => shop.shop.close());

  const open = (more: string, options = '{}', query = '') =>
    shop.page(`started(${options}).addWidgets([${more}]); search.start()`, query);

  test('searchBox, hits, highlight and stats', async () => {
    const view = await open(
      `widgets.searchBox({ container: '#a' }), ${HITS}, widgets.stats({ container: '#c', templates: { text: ({ nbHits }) => nbHits + ' found' } })`,
    );
    await view.counts(ITEMS, 20);
    await view.page.fill('.ais-SearchBox-input', 'tenis trilha');
    await view.shows(`${ITEMS}:first-child mark`, ['Tênis', 'Trilha']);
    expect((await view.texts('.ais-Stats'))[0]).toContain('36 found');
    expect(view.thrown).toEqual([]);
  });

  test('markup in what a store sent stays text', async () => {
    const view = await open(
      `widgets.searchBox({ container: '#a' }), ${HITS}`,
      `{ initialUiState: { products: { query: 'luminaria' } } }`,
    );
    await view.counts(ITEMS, 4);
    expect((await view.texts(ITEMS))[0]).toContain('<img src=x onerror=');
    expect(await view.page.evaluate('window.hurt')).toBeUndefined();
  });

  test('infiniteHits', async () => {
    const view = await open(`widgets.configure({ hitsPerPage: 15 }), widgets.infiniteHits({ container: '#b' })`);
    await view.counts('.ais-InfiniteHits-item', 15);
    await view.page.click('.ais-InfiniteHits-loadMore');
    await view.counts('.ais-InfiniteHits-item', 30);
    await view.page.click('.ais-InfiniteHits-loadMore');
    await view.counts('.ais-InfiniteHits-item', 40);
    expect(await view.page.isDisabled('.ais-InfiniteHits-loadMore')).toBe(true);
  });

  test('pagination and hitsPerPage', async () => {
    const view = await open(
      `widgets.pagination({ container: '#a' }), ${HITS}, widgets.hitsPerPage({ container: '#c', items: [{ label: '6', value: 6, default: true }, { label: '30', value: 30 }] })`,
    );
    await view.counts(ITEMS, 6);
    await view.counts('.ais-Pagination-item--page', 7);
    await view.page.click('.ais-Pagination-item--lastPage a');
    await view.counts(ITEMS, 4);
    await view.page.selectOption('.ais-HitsPerPage-select', '30');
    await view.counts(ITEMS, 30);
  });

  test('refinementList: several values, all counts from one call', async () => {
    const view = await open(
      `${TENIS}, widgets.refinementList({ container: '#a', attribute: 'brand' }), widgets.refinementList({ container: '#c', attribute: 'details.Cor' }), ${HITS},
       widgets.currentRefinements({ container: '#d' }), widgets.clearRefinements({ container: '#e' })`,
    );
    await view.counts('#a .ais-RefinementList-item', 3);
    await view.page.check('#a input[value="Veloz"]');
    await view.counts(ITEMS, 12);
    await view.page.check('#a input[value="Norte & Sul"]');
    await view.page.check('#c input[value="Azul"]');
    await view.counts(ITEMS, 12);
    await view.shows('#a .ais-RefinementList-count', ['6', '6', '6']);
    await view.shows('#c .ais-RefinementList-count', ['12', '6', '6']);
    await view.shows('.ais-CurrentRefinements-categoryLabel', ['Veloz', 'Norte & Sul', 'Azul']);
    // One call for each state, though the widgets sent three requests for the last.
    expect(view.searches.length).toBe(4);
    await view.page.click('.ais-ClearRefinements-button');
    await view.counts(ITEMS, 20);
  });

  test('refinementList: search in values, show more', async () => {
    const view = await open(
      `widgets.refinementList({ container: '#a', attribute: 'brand', searchable: true, limit: 2, showMore: true })`,
    );
    await view.counts('.ais-RefinementList-item', 2);
    await view.page.click('.ais-RefinementList-showMore');
    await view.counts('.ais-RefinementList-item', 4);
    await view.page.fill('.ais-RefinementList .ais-SearchBox-input', 'sul');
    await view.shows('.ais-RefinementList-labelText', ['Norte & Sul']);
    expect(await view.texts('.ais-RefinementList mark')).toEqual(['Sul']);
  });

  test('menu, menuSelect and toggleRefinement', async () => {
    const view = await open(
      `${TENIS}, widgets.menu({ container: '#a', attribute: 'spec.Tamanho' }), widgets.menuSelect({ container: '#c', attribute: 'brand' }), ${HITS},
       widgets.toggleRefinement({ container: '#d', attribute: 'availability', on: 'available' })`,
    );
    await view.shows('.ais-Menu-count', ['9', '9', '9', '9']);
    await view.page.click('.ais-Menu-item a');
    await view.counts(ITEMS, 9);
    await view.counts('.ais-Menu-item', 4);
    await view.page.selectOption('.ais-MenuSelect-select', 'Calma');
    await view.counts(ITEMS, 3);
    await view.page.selectOption('.ais-MenuSelect-select', '');
    await view.page.check('.ais-ToggleRefinement-checkbox');
    await view.counts(ITEMS, 8);
  });

  test('hierarchicalMenu and breadcrumb', async () => {
    const attributes = `['hierarchicalCategories.lvl0', 'hierarchicalCategories.lvl1', 'hierarchicalCategories.lvl2']`;
    const view = await open(
      `widgets.hierarchicalMenu({ container: '#a', attributes: ${attributes} }), widgets.breadcrumb({ container: '#c', attributes: ${attributes} }), ${HITS}`,
    );
    await view.shows('.ais-HierarchicalMenu-label', ['Casa', 'Moda']);
    await view.page.click('.ais-HierarchicalMenu-link:has-text("Moda")');
    await view.page.click('.ais-HierarchicalMenu-link:has-text("Calçados")');
    await view.page.click('.ais-HierarchicalMenu-link:has-text("Trilha")');
    await view.counts(ITEMS, 12);
    await view.shows('.ais-HierarchicalMenu-label', ['Casa', 'Moda', 'Calçados', 'Corrida', 'Passeio', 'Trilha']);
    expect(await view.texts('.ais-Breadcrumb-item')).toEqual(['Home', '>Moda', '>Calçados', '>Trilha']);
    expect(view.searches.length).toBe(4);
    expect(view.thrown).toEqual([]);
  });

  test('rangeSlider, rangeInput and numericMenu', async () => {
    const view = await open(
      `widgets.rangeSlider({ container: '#a', attribute: 'price' }), widgets.rangeInput({ container: '#c', attribute: 'price' }), ${HITS}`,
    );
    await view.counts(ITEMS, 20);
    const bounds = await view.page.getAttribute('#c input[type=number] >> nth=0', 'placeholder');
    expect([bounds, await view.page.getAttribute('#c input[type=number] >> nth=1', 'placeholder')]).toEqual([
      '50',
      '900',
    ]);
    await view.page.fill('#c input[type=number] >> nth=0', '100');
    await view.page.fill('#c input[type=number] >> nth=1', '150');
    await view.page.click('#c button');
    await view.counts(ITEMS, 6);
    await view.counts('.rheostat-handle', 2);
    const menu = await open(
      `${HITS}, widgets.numericMenu({ container: '#a', attribute: 'price', items: [{ label: 'all' }, { label: 'cheap', end: 60 }, { label: 'dear', start: 900 }] })`,
    );
    await menu.page.check('.ais-NumericMenu-item:nth-child(2) input');
    await menu.counts(ITEMS, 2);
    await menu.page.check('.ais-NumericMenu-item:nth-child(3) input');
    await menu.counts(ITEMS, 4);
  });

  test('rangeSlider, dragged', async () => {
    const view = await open(`widgets.rangeSlider({ container: '#a', attribute: 'price' }), ${HITS}`);
    await view.counts('.rheostat-handle', 2);
    await view.page.addStyleTag({ content: SLIDER_STYLE });
    const { x, y, width } = (await view.page.locator('.rheostat').boundingBox())!;
    await view.page.locator('.rheostat-handle-upper').hover();
    await view.page.mouse.down();
    await view.page.mouse.move(x + width / 2, y + 10, { steps: 5 });
    await view.page.mouse.up();
    await view.shows('.rheostat-handle-upper .rheostat-tooltip', ['475']);
    await view.page.waitForFunction(`search.status === 'idle' && search.getUiState().products.range`);
    expect(view.searches.at(-1)?.getAll('filter')).toEqual(['price:..475']);
    expect(view.thrown).toEqual([]);
  });

  test('discount: what is at least half off', async () => {
    const view = await open(
      `widgets.numericMenu({ container: '#a', attribute: 'discount', items: [{ label: 'all' }, { label: 'half', start: 50 }] }), ${HITS}`,
    );
    await view.counts(ITEMS, 20);
    await view.page.check('.ais-NumericMenu-item:nth-child(2) input');
    await view.counts(ITEMS, 2);
    expect((await view.texts(`${ITEMS} p`)).map((name) => name.at(-1)).toSorted()).toEqual(['1', '2']);
  });

  test('_snippetResult: some words around what was found', async () => {
    const view = await open(
      `widgets.configure({ query: 'leve', attributesToSnippet: ['description:6'] }), widgets.hits({ container: '#b', templates: { item: (hit, { html, components }) =>
         html\`<p>\${components.Snippet({ hit, attribute: 'description' })}</p>\` } })`,
    );
    await view.counts(ITEMS, 20);
    await view.shows(`${ITEMS}:first-child mark`, ['leve']);
    expect((await view.texts(`${ITEMS}:first-child p`))[0]).toMatch(/^…tênis de \p{L}+ leve, para quem…$/u);
  });

  test('sortBy', async () => {
    const view = await open(
      `${TENIS}, ${HITS}, widgets.sortBy({ container: '#a', items: [{ label: 'best', value: 'products' }, { label: 'cheap', value: 'products:ascPrice' }, { label: 'dear', value: 'products:descPrice' }] })`,
    );
    await view.page.selectOption('.ais-SortBy-select', 'products:ascPrice');
    await view.shows(`${ITEMS}:first-child`, ['Tênis Corrida 1']);
    await view.page.selectOption('.ais-SortBy-select', 'products:descPrice');
    await view.shows(`${ITEMS}:first-child`, ['Tênis Passeio 36']);
  });
});
