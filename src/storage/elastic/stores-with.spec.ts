import { storesRequest } from './stores-with';

describe('which stores have something', () => {
  const query = { exists: { field: 'openSince' } };

  it('is one request for a page of them', () => {
    expect(storesRequest('i', { query })).toEqual({
      index: 'i',
      size: 0,
      track_total_hits: false,
      query,
      aggs: { stores: { composite: { size: 1000, sources: [{ store: { terms: { field: 'store' } } }] } } },
    });
  });

  it('goes on behind the page before, and asks for the newest of each', () => {
    expect(storesRequest('i', { query, highest: 'seq', after: { store: 's' } }).aggs).toEqual({
      stores: {
        composite: { size: 1000, sources: [{ store: { terms: { field: 'store' } } }], after: { store: 's' } },
        aggs: { newest: { max: { field: 'seq' } } },
      },
    });
  });
});
