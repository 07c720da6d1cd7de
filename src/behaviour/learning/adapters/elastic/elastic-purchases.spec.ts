import { newPurchasesRequest, provenOf, purchasesOf } from './elastic-purchases';

describe('the requests for purchases', () => {
  test('which events they are', () => {
    expect(purchasesOf('s')).toEqual([
      { term: { store: 's' } },
      { term: { name: 'transaction' } },
      { term: { counted: true } },
    ]);
  });

  test('which of them may say that the store sends orders with keys', () => {
    const day = 86_400_000;
    expect(provenOf('s', 100 * day)).toEqual([
      ...purchasesOf('s'),
      { term: { keyed: true } },
      { range: { at: { gt: 63 * day } } },
    ]);
  });

  test('how many purchases are new, and the last of all', () => {
    expect(newPurchasesRequest('i', 's', 7)).toEqual({
      searches: [
        { index: 'i', allow_partial_search_results: false },
        {
          size: 0,
          track_total_hits: 1000,
          query: { bool: { filter: [...purchasesOf('s'), { range: { seq: { gt: 7 } } }] } },
        },
        { index: 'i', allow_partial_search_results: false },
        {
          size: 0,
          track_total_hits: false,
          query: { bool: { filter: purchasesOf('s') } },
          aggs: { last: { max: { field: 'seq' } } },
        },
      ],
    });
  });
});
