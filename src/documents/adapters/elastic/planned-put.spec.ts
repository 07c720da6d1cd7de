import { DocumentConflict } from '../../documents';
import { documentId } from './document-requests';
import { planPut, undoPut } from './planned-put';

const key = { kind: 'rule', store: 's', id: 'a' };
const id = documentId(key);
const found = (version: number, body = '1') => ({ source: { ...key, version, body }, seqNo: 7, primaryTerm: 2 });
const item = (status: number) => ({ status, version: 1, seqNo: 9, primaryTerm: 2 });

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
