import { headOperation, oldFilesRequest, partOperation } from './file-requests';
import { piecesOf } from './pieces';

describe('the requests of staged bodies', () => {
  it('writes parts, and a head that makes them a file', () => {
    expect(partOperation('i', 2, { file: 'f', at: 5, data: 'eA==' })).toEqual({
      type: 'index',
      index: 'i',
      id: 'part-f-2',
      document: '{"file":"f","at":5,"data":"eA=="}',
    });
    expect(headOperation('i', { file: 'f', at: 5, bytes: 9, parts: 3 })).toEqual({
      type: 'index',
      index: 'i',
      id: 'head-f',
      document: '{"file":"f","at":5,"bytes":9,"parts":3}',
    });
  });

  it('finds files from before a time', () => {
    expect(oldFilesRequest('i', 7)).toEqual({
      index: 'i',
      size: 0,
      track_total_hits: false,
      query: { bool: { filter: [{ range: { at: { lt: 7 } } }] } },
      aggs: { files: { terms: { field: 'file', size: 100 } } },
    });
  });
});

describe('pieces of a stream', () => {
  async function* chunks(...texts: string[]): AsyncGenerator<Buffer> {
    for (const text of texts) yield Buffer.from(text);
  }
  const pieces = async (size: number, ...texts: string[]): Promise<string[]> => {
    const read: string[] = [];
    for await (const piece of piecesOf(chunks(...texts), size)) read.push(piece.toString());
    return read;
  };

  it.each([
    [3, ['abcdefgh'], ['abc', 'def', 'gh']],
    [3, ['a', 'b', 'c', 'd'], ['abc', 'd']],
    [3, ['ab', 'cdefg', '', 'hi'], ['abc', 'def', 'ghi']],
    [10, ['ab', 'cd'], ['abcd']],
    [10, [], []],
    [10, [''], []],
  ])('of %i bytes, from %j: %j', async (size, texts, expected) => {
    expect(await pieces(size, ...texts)).toEqual(expected);
  });
});
