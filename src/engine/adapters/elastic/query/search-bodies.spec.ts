import { textNumbers } from '../../../../../test/builders/text-numbers';
import { aPlan, boostsOf } from '../../../../../test/builders/an-engine-document';
import type { QueryPlan } from '../../../plan/query-plan';
import { type BoostTemplate, boostTemplateSchema } from '../../../../ranking/template/template';
import {
  amongCandidates,
  candidatesBody,
  countBody,
  matchedBody,
  hitsQuery,
  pageBody,
  scorePageBody,
} from './search-bodies';

const numbers = textNumbers(
  { name: { documents: 100, averageLength: 4 }, description: { documents: 50, averageLength: 20 } },
  { wbola: [9, 0, 0, 0, 0, 3], sbol: [10, 0, 0, 0, 0, 0] },
);
const template: BoostTemplate = { ...boostTemplateSchema.parse({ about: { step: 1 } }), signals: {} };
const terms: QueryPlan['match'] = {
  kind: 'terms',
  terms: [
    {
      word: 'bola',
      variants: [
        { token: 'bola', kind: 'typed', weight: 1 },
        { token: 'bol', kind: 'stem', weight: 0.9 },
      ],
      weight: 8,
    },
  ],
  exact: 'bola',
  someBelow: 10,
  minimumSome: 1,
};

const inDefault = {
  bool: {
    should: [
      { term: { channel: 'default' } },
      { bool: { filter: [{ term: { channel: '*' } }], must_not: [{ term: { excludedChannels: 'default' } }] } },
    ],
  },
};
const leg = (field: string, token: string, pivot: string, boost: number) => ({
  bool: {
    filter: [{ term: { [`words.${field}`]: token } }],
    must: [{ distance_feature: { field: `lengths.${field}`, origin: 0, pivot, boost: expect.closeTo(boost, 6) } }],
  },
});

describe('the query of hits', () => {
  it('sums the best leg of each term, times the personal factor, below 1, and puts a tier above', () => {
    const plan = aPlan({ match: terms, filters: [{ kind: 'brand', keys: ['acme'] }] });
    const boosts = boostsOf({ 'brand:acme': 0.5 });
    const { query, scale, all } = hitsQuery({ plan, template, boosts, numbers, least: 1 });
    // The best leg and the greatest boost, 3, end just below 1.
    expect(1 / 3 / 1.001).toBeCloseTo(0.333, 3);
    const legs = [
      leg('name', 'wbola', '142667ms', 1 / 3.003),
      leg('description', 'wbola', '102222ms', 0.129098),
      leg('name', 'sbol', '142667ms', 0.287011),
    ];
    expect(query).toEqual({
      bool: {
        must: [
          {
            function_score: {
              query: { dis_max: { queries: legs } },
              functions: [{ weight: 1 }, { filter: { terms: { features: ['brand:acme'] } }, weight: 0.5 }],
              score_mode: 'sum',
              boost_mode: 'multiply',
              max_boost: 3,
            },
          },
        ],
        filter: [inDefault, { terms: { brand: ['acme'] } }],
        should: [
          {
            constant_score: {
              filter: { bool: { filter: [{ term: { exact: 'bola' } }, { terms: { everywhere: ['wbola', 'sbol'] } }] } },
              boost: 1,
            },
          },
        ],
      },
    });
    expect(scale).toBeCloseTo(0.045677, 6);
    expect(all).toBe(0);
  });

  it('lifts each term by its weight where partial matches are found, and an exact match above all of them', () => {
    const both = { ...numbers, frequencies: new Map([...numbers.frequencies, ['wazul', [4, 0, 0, 0, 0, 0]]]) };
    const azul = { word: 'azul', variants: [{ token: 'azul', kind: 'typed' as const, weight: 1 }], weight: 5 };
    const plan = aPlan({ match: { ...terms, terms: [...terms.terms, azul], exact: 'bola azul' } });
    const { query, all } = hitsQuery({ plan, template, boosts: null, numbers: both, least: 1 });
    const bola = { terms: { everywhere: ['wbola', 'sbol'] } };
    const whole = { bool: { must: [bola, { terms: { everywhere: ['wazul'] } }] } };
    expect(query).toMatchObject({
      bool: {
        must: [{ bool: { minimum_should_match: 1 } }],
        should: [
          { constant_score: { filter: bola, boost: 8 } },
          { constant_score: { filter: { terms: { everywhere: ['wazul'] } }, boost: 5 } },
          { constant_score: { filter: { bool: { filter: [{ term: { exact: 'bola azul' } }, whole] } }, boost: 1 } },
        ],
      },
    });
    expect(all).toBe(13);
  });

  it('takes from what is not the thing asked for, by the first mark that a product has', () => {
    const named = { ...numbers, frequencies: new Map([...numbers.frequencies, ['Nbol', [8]]]) };
    const own = { ...template, about: { step: 0.3 } };
    const { query } = hitsQuery({
      plan: aPlan({ match: terms }),
      template: own,
      boosts: null,
      numbers: named,
      least: 1,
    });
    expect(query).toMatchObject({
      bool: {
        must: [
          {
            function_score: {
              functions: [
                { filter: { terms: { 'words.name': ['Nbola', 'Nbol'] } }, weight: 1 },
                { filter: { terms: { 'words.name': ['Abola', 'Abol'] } }, weight: expect.closeTo(0.09, 12) },
                { filter: { terms: { 'words.name': ['Cbola'] } }, weight: 1 },
                { weight: 0.3 },
              ],
              score_mode: 'first',
              boost_mode: 'multiply',
            },
          },
        ],
      },
    });
  });

  it('is a constant for whoever browses', () => {
    expect(hitsQuery({ plan: aPlan({}), template, boosts: null, numbers, least: 1 })).toEqual({
      query: {
        bool: {
          must: [{ constant_score: { filter: { match_all: {} }, boost: expect.closeTo(1 / 1.001, 6) } }],
          filter: [inDefault],
        },
      },
      scale: expect.closeTo(1 / 1.001, 6),
      all: 0,
    });
  });

  it('finds products by id alone', () => {
    const plan = aPlan({ match: { kind: 'ids', ids: ['a', 'b'] } });
    const { query } = hitsQuery({ plan, template, boosts: null, numbers, least: 1 });
    expect(query).toMatchObject({
      bool: { must: [{ constant_score: { filter: { terms: { productId: ['a', 'b'] } } } }] },
    });
  });

  it('finds nothing where a word is in no product', () => {
    const plan = aPlan({ match: terms });
    const unknown = { ...numbers, frequencies: new Map() };
    expect(hitsQuery({ plan, template, boosts: null, numbers: unknown, least: 1 }).query).toMatchObject({
      bool: { must: [{ match_none: {} }] },
    });
  });
});

describe('the bodies of a search', () => {
  const query = { match_all: {} };

  it('a page reads columns, the whole document only to explain it', () => {
    expect(pageBody({ query }, aPlan({}), { from: 24, size: 12, explain: false })).toEqual({
      query,
      sort: [{ _score: { order: 'desc' } }, { productId: { order: 'asc' } }],
      track_scores: true,
      track_total_hits: true,
      from: 24,
      size: 12,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['productId', 'channel', 'excludedChannels', 'version'],
    });
    expect(pageBody({ query }, aPlan({ sortBy: 'ascPrice' }), { from: 0, size: 1, explain: true })).toEqual({
      query,
      sort: [{ price: { order: 'asc', missing: '_last' } }, { productId: { order: 'asc' } }],
      track_scores: true,
      track_total_hits: true,
      from: 0,
      size: 1,
      _source: true,
    });
  });

  it('a page by score alone has the hits on both sides of it', () => {
    expect(scorePageBody({ query }, { from: 24, size: 12, explain: false })).toEqual({
      query,
      track_total_hits: true,
      from: 23,
      size: 14,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['productId', 'channel', 'excludedChannels', 'version'],
    });
    expect(scorePageBody({ query }, { from: 0, size: 12, explain: true })).toEqual({
      query,
      track_total_hits: true,
      from: 0,
      size: 13,
      _source: true,
    });
  });

  it('candidates are numbers, and the next search is among them', () => {
    expect(candidatesBody({ query }, 1000)).toEqual({
      query,
      sort: [{ _score: { order: 'desc' } }, { productId: { order: 'asc' } }],
      track_total_hits: true,
      size: 1000,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['number'],
    });
    expect(amongCandidates(query, [7, 9])).toEqual({
      bool: { must: [query], filter: [{ terms: { number: [7, 9] } }] },
    });
  });

  it('counts what matches all terms beside a search that takes some', () => {
    const all = countBody({ plan: aPlan({ facets: [] }), numbers, template, least: 1 });
    expect(matchedBody({ plan: aPlan({}), numbers, template }, 1)).toEqual(all);
  });

  it('facets are counted over what the terms match, in a body of their own', () => {
    const plan = aPlan({ match: terms, facets: ['brand'], filters: [{ kind: 'brand', keys: ['acme'] }] });
    const order = [{ _count: 'desc' }, { _key: 'asc' }];
    const entries = { terms: { field: 'brandEntry', size: 400, order } };
    expect(countBody({ plan, numbers, template, least: 1 })).toEqual({
      query: { bool: { filter: [{ terms: { everywhere: ['wbola', 'sbol'] } }, inDefault] } },
      size: 0,
      track_total_hits: true,
      aggs: {
        own0: {
          filter: { match_all: {} },
          aggs: { entries0: entries, selected0: { filter: { terms: { brand: ['acme'] } }, aggs: { entries } } },
        },
      },
    });
  });
});
