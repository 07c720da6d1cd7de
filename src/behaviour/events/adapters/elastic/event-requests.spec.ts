import {
  allBut,
  devicesRequest,
  expired,
  ofAll,
  ofShoppers,
  oldErasures,
  pageRequest,
  shoppersRequest,
  waitingFor,
} from './event-requests';

describe('the requests of the event log', () => {
  const store = { term: { store: 's' } };

  test('a page of what shoppers did, in order', () => {
    expect(pageRequest('i', { filter: ofShoppers('s', ['u:a', 'd:b'], true), after: 7, size: 20 })).toEqual({
      index: 'i',
      size: 20,
      track_total_hits: false,
      allow_partial_search_results: false,
      seq_no_primary_term: true,
      query: {
        bool: {
          filter: [
            store,
            { terms: { shopper: ['u:a', 'd:b'] } },
            { term: { counted: true } },
            { range: { seq: { gt: 7 } } },
          ],
        },
      },
      sort: [{ seq: 'asc' }],
    });
  });

  test('which events are meant', () => {
    expect(ofShoppers('s', ['u:a'])).toEqual([store, { terms: { shopper: ['u:a'] } }]);
    expect(ofAll('s')).toEqual([store]);
    expect(ofAll('s', true)).toEqual([store, { term: { counted: true } }]);
    expect(waitingFor('s', ['p1', 'p2'])).toEqual([store, { terms: { waiting: ['p1', 'p2'] } }]);
  });

  test('the devices of a user', () => {
    expect(devicesRequest('i', 's', 'ana')).toEqual({
      index: 'i',
      size: 0,
      track_total_hits: false,
      allow_partial_search_results: false,
      query: { bool: { filter: [store, { term: { user: 'ana' } }], must_not: [{ term: { verdict: 'bot' } }] } },
      aggs: {
        devices: {
          terms: { field: 'device', size: 10_000, order: { first: 'asc' } },
          aggs: { first: { min: { field: 'received' } }, last: { max: { field: 'received' } } },
        },
      },
    });
  });

  test('a page of shoppers, and the next', () => {
    const composite = { size: 3, sources: [{ shopper: { terms: { field: 'shopper' } } }] };
    const request = {
      index: 'i',
      size: 0,
      track_total_hits: false,
      allow_partial_search_results: false,
      query: { bool: { filter: [store] } },
    };
    expect(shoppersRequest('i', { store: 's', limit: 3 })).toEqual({ ...request, aggs: { shoppers: { composite } } });
    expect(shoppersRequest('i', { store: 's', limit: 3, after: 'u:a' })).toEqual({
      ...request,
      aggs: { shoppers: { composite: { ...composite, after: { shopper: 'u:a' } } } },
    });
  });

  test('what is too old, without what a vector still lacks, and all but that', () => {
    const old = { bool: { filter: [store, { range: { at: { lt: 9 } } }] } };
    expect(expired('s', 9, [])).toEqual(old);
    const removable = expired('s', 9, ['u:a']);
    expect(removable).toEqual({
      bool: {
        filter: [old],
        must_not: [{ bool: { filter: [{ term: { counted: true } }, { terms: { shopper: ['u:a'] } }] } }],
      },
    });
    expect(allBut(removable)).toEqual({ bool: { must_not: [removable] } });
    expect(oldErasures(5)).toEqual({
      bool: { filter: [{ term: { kind: 'erased' } }, { range: { at: { lte: 5 } } }] },
    });
  });
});
