import { linesOf } from './lines';

async function* chunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, size: number): Promise<[number, string | null][]> {
  const lines: [number, string | null][] = [];
  for await (const { number, text: line } of linesOf(chunks(text, size))) lines.push([number, line]);
  return lines;
}

describe('linesOf', () => {
  test.each([1, 2, 3, 7, 1000])('gives the same lines whatever the chunks: %i bytes each', async (size) => {
    expect(await read('{"a":"ü"}\r\n\n  \nsecond\nthird', size)).toEqual([
      [1, '{"a":"ü"}'],
      [4, 'second'],
      [5, 'third'],
    ]);
  });

  test('keeps a line of the longest size and gives up on a longer one, not on the next', async () => {
    const longest = 'x'.repeat(65_536);
    expect(await read(`${longest}\n${longest}x\nnext\n`, 50_000)).toEqual([
      [1, longest],
      [2, null],
      [3, 'next'],
    ]);
  });

  test('knows where each line ends', async () => {
    const ends: number[] = [];
    for await (const { end } of linesOf(chunks('ab\n\ncde\nf', 4))) ends.push(end);
    expect(ends).toEqual([3, 8, 9]);
  });

  test('finds nothing in nothing', async () => {
    expect(await read('', 10)).toEqual([]);
    expect(await read('\n\n', 10)).toEqual([]);
  });
});
