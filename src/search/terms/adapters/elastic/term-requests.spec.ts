import type { Contribution } from '../../contributions';
import {
  countOperation,
  forgetOperation,
  forgottenId,
  forgottenOperation,
  namesForgotten,
  namesRequest,
  rarestRequest,
  removedId,
  removedOperation,
  searchedRequest,
  type StoredTerm,
  surplus,
  termId,
} from './term-requests';

describe('the requests of query terms', () => {
  const ana: Contribution = { user: 'ana', device: 'd1', address: null, at: 5 };
  const count = { term: 'tenis', searches: 2, size: 7, by: [ana] };
  const ofStore = { bool: { filter: [{ term: { store: 's' } }] } };

  it('an id says store and term, apart from what is kept of a store itself', () => {
    const ids = [
      termId('s', 'a'),
      termId('s', 'b'),
      termId('t', 'a'),
      removedId('s'),
      removedId('t'),
      forgottenId('s'),
    ];
    expect(new Set(ids).size).toBe(6);
    expect(ids.every((id) => /^[\w-]{43}$/.test(id))).toBe(true);
  });

  it('adds searches to a stored term, unless that has changed since', () => {
    const operation = { index: 'i', id: termId('s', 'tenis') };
    const by = '[["ana","d1",null,5]]';
    expect(countOperation('i', 's', count, { found: null, now: 9 })).toEqual({
      ...operation,
      type: 'create',
      document: JSON.stringify({
        store: 's',
        term: 'tenis',
        searches: 2,
        size: 7,
        last: 9,
        searchedAt: 9,
        by,
        shoppers: ['ana', 'd1'],
        shownUntil: 0,
      }),
    });
    const source: StoredTerm = { store: 's', term: 'tenis', searches: 5, size: 3, last: 1 };
    const found = { source, seqNo: 4, primaryTerm: 2 };
    const counted = countOperation('i', 's', count, { found, now: 9 });
    expect(counted).toMatchObject({ ...operation, type: 'index', expected: { seqNo: 4, primaryTerm: 2 } });
    expect(JSON.parse(counted.document ?? '')).toMatchObject({ searches: 7, size: 7, last: 9, by });
  });

  it('takes shoppers out of a term, and the term out with the last of them', () => {
    const two = '[["ana",null,null,5],["bia",null,null,6]]';
    const source: StoredTerm = { store: 's', term: 'tenis', searches: 5, size: 3, last: 6, by: two };
    const found = { source, seqNo: 4, primaryTerm: 2 };
    const without = (...names: string[]) => forgetOperation('i', found, new Set(names));
    expect(without('eva')).toBeNull();
    expect(JSON.parse(without('ana')?.document ?? '')).toMatchObject({ searches: 5, shoppers: ['bia'] });
    expect(without('ana', 'bia')).toMatchObject({ type: 'delete', expected: { seqNo: 4, primaryTerm: 2 } });
  });

  it('names who was forgotten for ten minutes', () => {
    const stored = (names: [string, number][]) => ({
      source: { forgotten: JSON.stringify(names) },
      seqNo: 1,
      primaryTerm: 1,
    });
    const now = 1_000_000;
    const found = stored([
      ['old', now - 600_001],
      ['ana', now - 1],
    ]);
    const { document = '' } = forgottenOperation('i', 's', ['bia'], { found, now });
    expect(JSON.parse((JSON.parse(document) as { forgotten: string }).forgotten)).toEqual([
      ['ana', now - 1],
      ['bia', now],
    ]);
    expect(namesForgotten(null)).toEqual([]);
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
    expect(searchedRequest('i', 's', 9)).toEqual({
      index: 'i',
      size: 5000,
      track_total_hits: false,
      query: { bool: { filter: [{ term: { store: 's' } }, { range: { shownUntil: { gt: 9 } } }] } },
      sort: [{ searches: 'desc' }, { term: 'asc' }],
      _source: ['term', 'size'],
    });
    expect(rarestRequest('i', 's')).toEqual({
      index: 'i',
      size: 5000,
      track_total_hits: true,
      query: ofStore,
      sort: [{ shownUntil: { order: 'asc', missing: '_first' } }, { searches: 'asc' }, { last: 'asc' }],
      _source: false,
    });
  });

  it('cuts back to 16,000 terms once there are more than 20,000', () => {
    expect([0, 20_000, 20_001, 25_000].map(surplus)).toEqual([0, 0, 4001, 5000]);
  });

  it('asks for the most frequent names', () => {
    const filter = { bool: { must_not: [{ exists: { field: 'excludedChannels' } }] } };
    const shown = { filter, aggs: { channels: { terms: { field: 'channel', size: 10 } } } };
    const entries = (field: string) => ({ terms: { field, size: 500 }, aggs: { shown } });
    expect(namesRequest('i')).toEqual({
      index: 'i',
      ignore_unavailable: true,
      size: 0,
      track_total_hits: false,
      aggs: { brand: entries('brandEntry'), category: entries('categoryEntries') },
    });
  });
});
