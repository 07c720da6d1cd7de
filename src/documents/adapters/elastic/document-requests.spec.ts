import { DocumentConflict } from '../../documents';
import { writeOver } from '../../../storage/elastic/write-over';
import { counterId, documentId, listRequest, planPut, undoPut } from './document-requests';

const key = { kind: 'rule', store: 's', id: 'a' };
const id = documentId(key);
const found = (version: number, body = '1') => ({ source: { ...key, version, body }, seqNo: 7, primaryTerm: 2 });
const item = (status: number) => ({ status, version: 1, seqNo: 9, primaryTerm: 2 });

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

describe('the plan of a put', () => {
  it('counts on from the stored version, and from the same call where a key comes twice', () => {
    const twice = [
      { ...key, body: 'x' },
      { ...key, body: 'y', expectedVersion: 3 },
    ];
    expect(planPut(twice, new Map([[id, found(2)]]))).toEqual({
      versions: [3, 4],
      writes: [{ id, document: { ...key, version: 4, body: '"y"' }, before: found(2) }],
    });
  });

  it('names the first that is not at its expected version', () => {
    const stored = new Map([[id, found(2)]]);
    expect(() => planPut([{ ...key, body: 1, expectedVersion: 1 }], stored)).toThrow(
      new DocumentConflict('rule a is at version 2, and the write expected 1'),
    );
    expect(() => planPut([{ ...key, body: 1, expectedVersion: 1 }], new Map())).toThrow(/at version 0/);
  });

  it('takes back what went through, over nothing newer', () => {
    const other = { ...key, id: 'b' };
    const { writes } = planPut(
      [
        { ...key, body: 'new' },
        { ...other, body: 'new' },
        { ...key, id: 'c', body: 'new' },
      ],
      new Map([[id, found(2, '"old"')]]),
    );
    const expected = { seqNo: 9, primaryTerm: 2 };
    expect(undoPut('i', writes, [item(200), item(201), item(409)])).toEqual([
      { type: 'index', index: 'i', id, expected, document: JSON.stringify({ ...key, version: 2, body: '"old"' }) },
      { type: 'delete', index: 'i', id: documentId(other), expected },
    ]);
  });
});
