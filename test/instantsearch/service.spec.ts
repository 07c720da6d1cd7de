import { describeInChromium } from '../browser/chromium';
import { merchandise } from '../support/merchandise';
import { must } from '../support/store-client';
import { until, WidgetShop } from './widget-page';

const HITS = `widgets.hits({ container: '#b', templates: { item: (hit, { html, sendEvent }) => html\`<p>\${hit.name}</p>
  <button onclick=\${() => sendEvent('conversion', hit, 'Added', { eventSubtype: 'addToCart' })}>cart</button>\` } })`;
const ITEMS = '.ais-Hits-item';
/** As much of a map as its widget looks for. */
const MAPS = `const anything = () => new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => 0 : anything()), apply: anything, construct: anything });
  window.maps_ = anything()`;

describeInChromium('InstantSearch on what the service adds', (newShopper) => {
  let shop: WidgetShop;
  beforeAll(async () => {
    shop = await WidgetShop.open(newShopper);
  });
  afterAll(() => shop.shop.close());

  const results = `search.helper.lastResults`;

  test('insights: clicks and carts of hits, views of products', async () => {
    const view = await shop.page(
      `started({ insights: { insightsClient: insights } }).addWidgets([widgets.searchBox({ container: '#a' }), ${HITS}]); search.start()`,
    );
    await view.page.fill('.ais-SearchBox-input', 'trilha');
    await view.page.waitForFunction(`${results}?.query === 'trilha'`);
    await view.page.waitForSelector(`${ITEMS}:first-child p:has-text("Trilha")`);
    await view.page.click(`${ITEMS}:first-child p`);
    await view.page.click(`${ITEMS}:nth-child(2) button`);
    const events = await shop.shop.arrived('"ana"', 3);
    const kinds = events.map(({ name, body }) => [name, body['interactionType']]);
    expect(kinds).toEqual(
      expect.arrayContaining([
        ['click', 'PRODUCT_VIEW'],
        ['click', 'ADD_TO_CART'],
        ['cart', undefined],
      ]),
    );
    await view.page.evaluate(
      `insights('viewedObjectIDs', { eventName: 'Product page', index: 'products', objectIDs: ['shoe-07'] });
       insights('purchasedObjectIDs', { eventName: 'Order', index: 'products', objectIDs: ['shoe-08'], value: 120 })`,
    );
    const [seen] = await shop.shop.arrived('shoe-07');
    const [bought] = await shop.shop.arrived('"total":120');
    expect([seen?.name, bought?.name]).toEqual(['product', 'transaction']);
    // What a list shows is no view of a product, and nothing of InstantSearch's own usage leaves the page.
    expect((await shop.shop.events()).filter(({ name }) => name === 'product').length).toBe(1);
  });

  test('personalization: the shopper of the page, and which variant ranked', async () => {
    await shop.shop.client.buy({ userId: 'bruno' }, ['shoe-04', 'shoe-05', 'shoe-13', 'shoe-14']);
    const view = await shop.page(
      `window.who = 'bruno'; started().addWidgets([widgets.configure({ query: 'tenis' }), ${HITS}]); search.start()`,
    );
    await view.counts(ITEMS, 20);
    const notes = await view.page.evaluate(`${results}.userData[0].personalization`);
    expect(notes).toMatchObject({ applied: true, profile: 'user', template: 'default' });
    const brands = await view.page.evaluate<string[]>(`${results}.hits.slice(0, 6).map((hit) => hit.brand)`);
    expect(brands.filter((brand) => brand === 'Calma').length).toBeGreaterThanOrEqual(4);
    const token = await shop.page(
      `search = instantsearch({ indexName: 'products', searchClient: adapter.createSearchClient({ baseUrl: options.baseUrl }),
        insights: { insightsClient: adapter.createInsights({ baseUrl: options.baseUrl }), insightsInitParams: { userToken: 'bruno' } } });
       search.addWidgets([${HITS}]); search.start()`,
    );
    await token.counts(ITEMS, 20);
    expect(token.searches.at(-1)?.get('userId')).toBe('bruno');
  });

  test('experiments: the name of the variant that ranked', async () => {
    const path = '/experiments/spring';
    const body = { variants: [{ name: 'all', share: 100, strength: 10 }] };
    must(await shop.shop.client.admin({ method: 'PUT', path, body }), 200);
    const view = await shop.page(`started().addWidgets([${HITS}]); search.start()`);
    await view.counts(ITEMS, 20);
    expect(await view.page.evaluate(`${results}.userData[0].personalization.variant`)).toBe('all');
    must(await shop.shop.client.admin({ method: 'DELETE', path }), 204);
  });

  test('did you mean, suggestions, redirects and banners', async () => {
    await merchandise(shop.shop.client, 'redirects', [{ terms: ['frete'], link: '/ajuda/entrega' }]);
    await merchandise(shop.shop.client, 'banners', [
      { id: 'b', query: 'trilha', image: '/b.png', link: '/trilha', title: 'Trilha' },
    ]);
    const view = await shop.page(
      `started().addWidgets([widgets.searchBox({ container: '#a' }), widgets.hits({ container: '#b' }), widgets.queryRuleCustomData({ container: '#c',
        templates: { default: ({ items }, { html }) => html\`<i>\${items.map((item) => item.queryType + ' ' + item.processed)}</i>\` } })]); search.start()`,
    );
    await view.page.fill('.ais-SearchBox-input', 'luminriaa');
    await view.shows('#c i', ['corrected luminária']);
    await view.page.fill('.ais-SearchBox-input', 'frete');
    await view.page.waitForFunction(`${results}?.renderingContent.redirect?.url === '/ajuda/entrega'`);
    await view.page.fill('.ais-SearchBox-input', 'trilha');
    await view.counts('.ais-Hits-banner', 1);
    expect(await view.page.getAttribute('.ais-Hits-banner-link', 'href')).toBe('/trilha');
  });

  test('dynamicWidgets, routing and several indices', async () => {
    const view = await shop.page(
      `started({ routing: { router: history_({ cleanUrlOnDispose: false }), stateMapping: singleIndex('products') } }).addWidgets([widgets.searchBox({ container: '#a' }), ${HITS},
        widgets.dynamicWidgets({ container: '#c', facets: ['*'], widgets: [
          (container) => widgets.refinementList({ container, attribute: 'brand' }),
          (container) => widgets.menu({ container, attribute: 'hierarchicalCategories.lvl0' })] }),
        widgets.index({ indexName: 'products:descPrice', indexId: 'dear' }).addWidgets([widgets.configure({ hitsPerPage: 2 }), widgets.hits({ container: '#d' })])]); search.start()`,
      '?query=tenis&refinementList%5Bbrand%5D%5B0%5D=Veloz',
    );
    await view.counts('.ais-DynamicWidgets .ais-RefinementList-item', 3);
    await view.counts(`#b ${ITEMS}`, 12);
    await view.counts(`#d ${ITEMS}`, 2);
    expect(await view.page.inputValue('.ais-SearchBox-input')).toBe('tenis');
  });

  test.each([
    [
      "refinementList with operator 'and' and several values",
      "use operator: 'or'",
      `widgets.refinementList({ container: '#a', attribute: 'brand', operator: 'and' })`,
      `{ refinementList: { brand: ['Veloz', 'Calma'] } }`,
    ],
    [
      'geoSearch in a part of a map',
      'products have no place',
      `widgets.geoSearch({ container: '#a', googleReference: { maps: maps_ } })`,
      `{ geoSearch: { boundingBox: '47.1,-122.3,47.3,-122.1' } }`,
    ],
    ['geoSearch around a place', 'products have no place', `widgets.configure({ aroundLatLng: '47,-122' })`, '{}'],
    [
      'ratingMenu',
      'rating',
      `widgets.ratingMenu({ container: '#a', attribute: 'rating' })`,
      `{ ratingMenu: { rating: 4 } }`,
    ],
    [
      'queryRuleContext',
      'rules act by query',
      `widgets.refinementList({ container: '#a', attribute: 'brand' }), widgets.queryRuleContext({ trackedFilters: { brand: (values) => values } })`,
      `{ refinementList: { brand: ['Veloz'] } }`,
    ],
    [
      'relevantSort',
      'every order has all that was found',
      `widgets.relevantSort({ container: '#a', templates: { text: 'x', button: 'x' } })`,
      `{ relevantSort: 50 }`,
    ],
  ])('%s is an error, not a wrong list', async (_name, said, more, state) => {
    const view = await shop.page(
      `window.errors = []; ${MAPS}; started({ initialUiState: { products: ${state} } }).addWidgets([${more}, ${HITS}]);
       search.on('error', ({ error }) => errors.push(error.message)); search.start()`,
    );
    await view.page.waitForFunction('errors.length > 0');
    expect(String(await view.page.evaluate('errors[0]'))).toContain(said);
  });

  test('a service that is away is an error, too', async () => {
    const away = await shop.page(
      `window.errors = []; window.client = adapter.createSearchClient({ baseUrl: 'http://127.0.0.1:1' });
       started({ searchClient: client }).addWidgets([${HITS}]); search.on('error', ({ error }) => errors.push(error.message)); search.start()`,
    );
    await away.page.waitForFunction('errors.length > 0');
    expect(await away.page.evaluate('search.status')).toBe('error');
  });

  test('react-instantsearch', async () => {
    const view = await shop.page(
      `const { InstantSearch, SearchBox, Hits, RefinementList, Highlight } = react; const e = createElement;
       createRoot(document.querySelector('#a')).render(e(InstantSearch, { searchClient: client, indexName: 'products', insights: false },
         e(SearchBox), e(RefinementList, { attribute: 'brand' }), e(Hits, { hitComponent: ({ hit }) => e(Highlight, { hit, attribute: 'name' }) })))`,
    );
    await view.page.fill('.ais-SearchBox-input', 'tenis');
    await view.counts('.ais-RefinementList-item', 3);
    await view.page.check('input[value="Calma"]');
    await view.counts(ITEMS, 12);
    expect((await view.texts(`${ITEMS} mark`)).every((text) => text === 'Tênis')).toBe(true);
    expect(view.thrown).toEqual([]);
  });

  test('autocomplete-js: products and queries by one call, values of a facet', async () => {
    const { client } = shop.shop;
    for (const userId of ['u1', 'u2', 'u3']) await client.search({ terms: 'tenis trilha', userId });
    // A page asks once for each text that is typed, so the query has to be known before.
    await until(
      () =>
        client.send({ path: '/engage/search/v3/autocompletes', query: { prefix: 'tenis' }, headers: client.headers }),
      ({ text }) => text.includes('"query":"tênis trilha"'),
    );
    const view = await shop.page(
      `const source = (sourceId, indexName, label) => ({ sourceId, templates: { item: ({ item }) => item[label] },
         getItems: ({ query }) => getAlgoliaResults({ searchClient: client, queries: [{ indexName, params: { query, hitsPerPage: 3 } }] }) });
       autocomplete({ container: '#a', detachedMediaQuery: 'none', getSources: ({ query }) => [source('q', 'products:queries', 'query'), source('p', 'products:autocomplete', 'name'),
         { sourceId: 'f', templates: { item: ({ item }) => item.label }, getItems: () => getAlgoliaFacets({ searchClient: client,
           queries: [{ indexName: 'products', facet: 'brand', params: { facetQuery: query, maxFacetHits: 2 } }] }) }] })`,
    );
    expect(view.thrown).toEqual([]);
    await view.page.fill('.aa-Input', 'trilh');
    await view.counts('[data-autocomplete-source-id="p"] .aa-Item', 3);
    await view.page.fill('.aa-Input', 'tenis');
    await view.shows('[data-autocomplete-source-id="q"] .aa-Item', ['tênis trilha']);
    await view.page.fill('.aa-Input', 'vel');
    await view.shows('[data-autocomplete-source-id="f"] .aa-Item', ['Veloz']);
    const calls = view.asked.filter(
      ({ pathname, searchParams }) => pathname.endsWith('/autocompletes') && searchParams.get('prefix') === 'tenis',
    );
    expect(calls.length).toBe(1);
    expect(view.thrown).toEqual([]);
  });
});
