import {
  countOperation,
  namesRequest,
  rarestRequest,
  removedId,
  removedOperation,
  searchedRequest,
  surplus,
  termId,
} from './term-requests';

describe('the requests of query terms', () => {
  const count = { term: 'tenis', searches: 2, size: 7 };
  const ofStore = { bool: { filter: [{ term: { store: 's' } }] } };

  it('an id says store and term, apart from the mark of a removed store', () => {
    const ids = [termId('s', 'a'), termId('s', 'b'), termId('t', 'a'), removedId('s'), removedId('t')];
    expect(new Set(ids).size).toBe(5);
    expect(ids.every((id) => /^[\w-]{43}$/.test(id))).toBe(true);
  });

  it('adds searches to a stored term, unless that has changed since', () => {
    const operation = { index: 'i', id: termId('s', 'tenis') };
    expect(countOperation('i', 's', count, null, 9)).toEqual({
      ...operation,
      type: 'create',
      document: '{"store":"s","term":"tenis","searches":2,"size":7,"last":9}',
    });
    const source = { store: 's', term: 'tenis', searches: 5, size: 3, last: 1 };
    const found = { source, seqNo: 4, primaryTerm: 2 };
    expect(countOperation('i', 's', count, found, 9)).toEqual({
      ...operation,
      type: 'index',
      expected: { seqNo: 4, primaryTerm: 2 },
      document: '{"store":"s","term":"tenis","searches":7,"size":7,"last":9}',
    });
  });

  it('remembers a store that was removed', () => {
    expect(removedOperation('i', 's')).toEqual({
      type: 'index',
      index: 'i',
      id: removedId('s'),
      document: '{"removed":true}',
    });
  });

  it('reads the most searched, and the least searched with their number', () => {
    expect(searchedRequest('i', 's')).toEqual({
      index: 'i',
      size: 5000,
      track_total_hits: false,
      query: ofStore,
      sort: [{ searches: 'desc' }, { term: 'asc' }],
      _source: ['term', 'size'],
    });
    expect(rarestRequest('i', 's')).toEqual({
      index: 'i',
      size: 5000,
      track_total_hits: true,
      query: ofStore,
      sort: [{ searches: 'asc' }, { last: 'asc' }],
      _source: false,
    });
  });

  it('cuts back to 16,000 terms once there are more than 20,000', () => {
    expect([0, 20_000, 20_001, 25_000].map(surplus)).toEqual([0, 0, 4001, 5000]);
  });

  it('asks for the most frequent names', () => {
    const entries = (field: string) => ({ terms: { field, size: 500 } });
    expect(namesRequest('i')).toEqual({
      index: 'i',
      ignore_unavailable: true,
      size: 0,
      track_total_hits: false,
      aggs: { brand: entries('brandEntry'), category: entries('categoryEntries') },
    });
  });
});
