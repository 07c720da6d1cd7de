import { within } from '../locations/location';
import { facetAggregations } from '../query/facet-aggregations';
import { visible } from '../query/hit-filters';
import { statusBody, trendsBody } from './index-upkeep';
import { rollBackActions, sortIndices, switchActions } from './store-indices';
import { fieldAggregations, tokenAggregations } from './text-numbers';
import { ownLocation, wordsOf } from '../locations/location';
import { othersBody, suggestions } from '../query/word-lookup';

describe('what is asked of an index', () => {
  it('its products and highest version', () => {
    expect(statusBody(ownLocation('i'))).toEqual({
      index: 'i',
      size: 0,
      track_total_hits: false,
      query: { bool: { filter: [{ term: { part: 0 } }] } },
      aggs: { live: { filter: { exists: { field: 'channel' } } }, version: { max: { field: 'version' } } },
    });
  });

  it('learned popularity, page by page, but for what acts as none does', () => {
    const body = {
      index: 'i',
      size: 1000,
      track_total_hits: false,
      query: {
        bool: {
          filter: [{ term: { part: 0 } }, { exists: { field: 'trendLog' } }],
          must_not: [{ term: { trendLog: 0 } }],
        },
      },
      sort: [{ productId: { order: 'asc' } }],
      _source: ['productId'],
    };
    expect(trendsBody(ownLocation('i'), null)).toEqual(body);
    expect(trendsBody(ownLocation('i'), 'p9')).toEqual({ ...body, search_after: ['p9'] });
  });

  it('how many documents have a token, by field where that is needed', () => {
    const fields = ['name', 'brand', 'categories', 'tags', 'skus', 'description'];
    expect(
      tokenAggregations([
        { token: 'wbola', byField: true },
        { token: 'sbol', byField: false },
      ]),
    ).toEqual({
      tokens: {
        filters: {
          filters: [
            { term: { everywhere: 'wbola' } },
            ...fields.map((field) => ({ term: { [`words.${field}`]: 'wbola' } })),
            { term: { everywhere: 'sbol' } },
          ],
        },
      },
    });
    expect(Object.keys(fieldAggregations())).toEqual(
      fields.flatMap((field) => [`${field}_documents`, `${field}_length`]),
    );
    expect(fieldAggregations()).toMatchObject({
      name_documents: { value_count: { field: 'lengths.name' } },
      name_length: { avg: { field: 'lengths.name' } },
    });
  });

  it('longer words that begin as one does, beside what is near it', () => {
    expect(othersBody(['bola'], wordsOf(ownLocation('i')))).toEqual({
      query: { constant_score: { filter: { bool: { should: [{ prefix: { everywhere: 'wbola' } }] } } } },
      size: 0,
      aggs: { word0: { terms: { field: 'completions', size: 12, include: 'bola.*' } } },
      suggest: suggestions(['bola'], wordsOf(ownLocation('i'))),
    });
  });

  it('words near one, with the same first letter', () => {
    expect(suggestions(['bola'], wordsOf(ownLocation('i')))).toEqual({
      word0: {
        text: 'wbola',
        term: {
          field: 'everywhere',
          size: 100,
          suggest_mode: 'always',
          max_edits: 1,
          prefix_length: 2,
          min_word_length: 2,
          max_inspections: 20,
          string_distance: 'damerau_levenshtein',
        },
      },
    });
  });

  it('a facet over what passes the other filters', () => {
    const filters = [
      { kind: 'category' as const, keys: ['a/b'] },
      { kind: 'price' as const, ranges: [{ min: null, max: 5 }] },
    ];
    const order = [{ _count: 'desc' }, { _key: 'asc' }];
    const entries = { terms: { field: 'categoryEntries', size: 400, order } };
    const cheap = { bool: { should: [{ range: { price: { lte: 5 } } }], minimum_should_match: 1 } };
    expect(facetAggregations({ facets: ['category'], filters })).toEqual({
      own0: {
        filter: { bool: { filter: [cheap] } },
        aggs: {
          entries0: entries,
          selected0: { filter: { terms: { categories: ['a/b'] } }, aggs: { entries } },
        },
      },
    });
  });

  it('facets without a selection together, one of a family by what its entries begin with', () => {
    const filters = [{ kind: 'spec.a+b' as const, keys: ['x'] }];
    const order = [{ _count: 'desc' }, { _key: 'asc' }];
    const terms = (field: string, size: number, more: object = {}) => ({ terms: { field, size, order, ...more } });
    const entries = terms('specEntries', 400, { include: '0a\\+b\n.*' });
    expect(facetAggregations({ facets: ['brand', 'spec.*'], filters })).toEqual({
      hits: {
        filter: { bool: { filter: [{ terms: { specs: ['a+b\nx'] } }] } },
        aggs: {
          entries0: terms('specEntries', 2000, { exclude: '0a\\+b\n.*' }),
          entries1: terms('brandEntry', 400),
        },
      },
      own2: {
        filter: { match_all: {} },
        aggs: { entries2: entries, selected2: { filter: { terms: { specs: ['a+b\nx'] } }, aggs: { entries } } },
      },
    });
  });

  it('facets of many documents by the numbers of their values, in an index that stores share, too', () => {
    const plan = {
      facets: ['brand' as const, 'spec.*' as const],
      filters: [{ kind: 'brand' as const, keys: ['acme'] }],
    };
    const hints = (many: boolean): string[] => {
      const { aggs } = within({ index: 'pool', scope: 's1.1' }, { aggs: facetAggregations(plan, { many }) });
      return Array.from(JSON.stringify(aggs).matchAll(/"execution_hint":"(\w+)"/g), ([, hint]) => String(hint));
    };
    expect(hints(true)).toEqual(Array.from({ length: 3 }, () => 'global_ordinals'));
    expect(hints(false)).toEqual(Array.from({ length: 3 }, () => 'map'));
  });

  it('a product in the first of several channels in which it exists', () => {
    const isIn = (channel: string, named: string, excluded: string) => ({
      bool: {
        should: [
          { term: { [named]: channel } },
          { bool: { filter: [{ term: { [named]: '*' } }], must_not: [{ term: { [excluded]: channel } }] } },
        ],
      },
    });
    expect(visible({ channels: ['app', 'web'], availableOnly: true })).toEqual([
      {
        bool: {
          should: [
            isIn('app', 'channel', 'excludedChannels'),
            {
              bool: {
                filter: [isIn('web', 'channel', 'excludedChannels')],
                must_not: [isIn('app', 'siblingChannels', 'siblingExclusions')],
              },
            },
          ],
        },
      },
      { term: { available: true } },
    ]);
  });
});

describe('the indices of a store', () => {
  it('are sorted by their aliases, and by age where nobody finishes them', () => {
    const ours = { uuid: 'u', isOurs: true, schema: 1 };
    const found = [
      { ...ours, name: 'p-s-000001', aliases: [], createdAt: 5 },
      { ...ours, name: 'p-s-000002', aliases: ['p-s'], createdAt: 1, uuid: 'serving' },
      { ...ours, name: 'p-s-000003', aliases: ['p-s-growing', 'p-s-000003-filling'], createdAt: 9 },
      { ...ours, name: 'p-s-000004', aliases: ['p-s-growing', 'p-s-000004-filling'], createdAt: 10 },
    ];
    expect(sortIndices('p-s', found, 10)).toEqual({
      serving: ['p-s-000002'],
      uuid: 'serving',
      schema: 1,
      alien: null,
      building: ['p-s-000004'],
      growing: true,
      kept: null,
      orphaned: ['p-s-000001', 'p-s-000003'],
      last: 4,
    });
    expect(sortIndices('p-s', [], 0)).toMatchObject({ serving: [], uuid: null, building: [], orphaned: [], last: 0 });
  });

  it('are none that somebody else made, which are told where they are in the way, and never deleted', () => {
    const theirs = { uuid: 'u', isOurs: false, schema: 0, createdAt: 5 };
    const beside = sortIndices('p-s', [{ ...theirs, name: 'p-s-backup', aliases: [] }], 10);
    expect(beside).toMatchObject({ serving: [], building: [], orphaned: [], alien: null, last: 0 });
    for (const index of [
      { ...theirs, name: 'p-s', aliases: [] },
      { ...theirs, name: 'theirs', aliases: ['p-s'] },
    ]) {
      expect(sortIndices('p-s', [index], 10)).toMatchObject({ serving: [], orphaned: [], alien: index.name });
    }
  });

  it('change places in one request, which fails where somebody began anew', () => {
    const kept = { name: 'p-s-000001', alias: 'p-s-kept-70', until: 70 };
    const build = { old: ['p-s-000002'], next: 'p-s-000003', filling: 'p-s-000003-filling', kept, keptUntil: 90 };
    expect(switchActions('p-s', build)).toEqual([
      { remove: { index: 'p-s-000001', alias: 'p-s-kept-70' } },
      { remove: { index: 'p-s-000002', alias: 'p-s' } },
      { add: { index: 'p-s-000002', alias: 'p-s-kept-90' } },
      { add: { index: 'p-s-000003', alias: 'p-s' } },
      { remove: { index: 'p-s-000003', alias: 'p-s-growing', must_exist: true } },
      { remove: { index: 'p-s-000003', alias: 'p-s-000003-filling', must_exist: true } },
    ]);
  });

  it('change back in one request, by what is there', () => {
    const ours = { uuid: 'u', isOurs: true, schema: 1, createdAt: 5 };
    const { serving, kept, orphaned } = sortIndices(
      'p-s',
      [
        { ...ours, name: 'p-s-000001', aliases: [] },
        { ...ours, name: 'p-s-000002', aliases: ['p-s-kept-90'] },
        { ...ours, name: 'p-s-000003', aliases: ['p-s'] },
      ],
      0,
    );
    expect({ serving, kept, orphaned }).toEqual({
      serving: ['p-s-000003'],
      kept: { name: 'p-s-000002', alias: 'p-s-kept-90', until: 90 },
      orphaned: ['p-s-000001'],
    });
    expect(rollBackActions('p-s', { current: serving, kept: kept! })).toEqual([
      { remove: { index: 'p-s-000003', alias: 'p-s', must_exist: true } },
      { remove: { index: 'p-s-000002', alias: 'p-s-kept-90', must_exist: true } },
      { add: { index: 'p-s-000002', alias: 'p-s' } },
    ]);
  });
});
