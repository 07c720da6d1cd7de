import { writeOver } from '../../../storage/elastic/write-over';
import { counterId, documentId, listRequest } from './document-requests';

const key = { kind: 'rule', store: 's', id: 'a' };
const id = documentId(key);
const found = (version: number, body = '1') => ({ source: { ...key, version, body }, seqNo: 7, primaryTerm: 2 });

describe('the requests of documents', () => {
  it('an id says kind, store and id, apart from a counter of the same name', () => {
    const ids = [id, counterId(key), documentId({ ...key, kind: 's', store: 'rule' }), documentId({ ...key, id: 'b' })];
    expect(new Set(ids).size).toBe(4);
    expect(ids.every((one) => /^[\w-]{43}$/.test(one))).toBe(true);
  });

  it('lists a kind of one store, after the page before', () => {
    expect(listRequest('i', { kind: 'rule', store: 's' }, ['a', 's'])).toEqual({
      index: 'i',
      size: 500,
      track_total_hits: false,
      query: { bool: { filter: [{ term: { kind: 'rule' } }, { term: { store: 's' } }] } },
      sort: [{ id: 'asc' }, { store: 'asc' }],
      search_after: ['a', 's'],
    });
  });

  it('lists a kind of every store', () => {
    expect(listRequest('i', { kind: 'rule' })).toEqual({
      index: 'i',
      size: 500,
      track_total_hits: false,
      query: { bool: { filter: [{ term: { kind: 'rule' } }] } },
      sort: [{ id: 'asc' }, { store: 'asc' }],
    });
  });

  it('writes only over what was found', () => {
    const stored = { ...key, version: 3, body: '{"x":1}' };
    const document = '{"kind":"rule","store":"s","id":"a","version":3,"body":"{\\"x\\":1}"}';
    expect(writeOver({ index: 'i', id: 'h' }, stored, null)).toEqual({ type: 'create', index: 'i', id: 'h', document });
    expect(writeOver({ index: 'i', id: 'h' }, stored, found(2))).toEqual({
      type: 'index',
      index: 'i',
      id: 'h',
      document,
      expected: { seqNo: 7, primaryTerm: 2 },
    });
  });
});
