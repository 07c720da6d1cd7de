import { entryId, entryOperation, serveOperation, servingId, generationsBefore } from './learned-requests';

describe('the requests of what was learned', () => {
  it('an id says store, generation and key, apart from the pointer', () => {
    const ids = [
      entryId('s', 1, 'k'),
      entryId('s', 2, 'k'),
      entryId('t', 1, 'k'),
      entryId('s', 1, 'l'),
      servingId('s'),
      servingId('t'),
    ];
    expect(new Set(ids).size).toBe(6);
    expect(ids.every((id) => /^[\w-]{43}$/.test(id))).toBe(true);
  });

  it('writes a value as text', () => {
    const entry = { store: 's', generation: 3, key: 'k', value: { related: [['p', 1.5]], repurchase: 1 } };
    expect(entryOperation('i', entry)).toEqual({
      type: 'index',
      index: 'i',
      id: entryId('s', 3, 'k'),
      document: '{"store":"s","generation":3,"value":"{\\"related\\":[[\\"p\\",1.5]],\\"repurchase\\":1}"}',
    });
  });

  it('never serves an earlier generation over a later one', () => {
    expect(serveOperation('i', 's', 3)).toEqual({
      type: 'index',
      index: 'i',
      id: servingId('s'),
      external: { version: 3, orEqual: true },
      document: '{"store":"s","serving":3}',
    });
  });

  it('takes out generations before one', () => {
    expect(generationsBefore('s', 3)).toEqual({
      bool: { filter: [{ term: { store: 's' } }, { range: { generation: { lt: 3 } } }] },
    });
  });
});
