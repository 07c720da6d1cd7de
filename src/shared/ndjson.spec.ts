import { Readable } from 'node:stream';
import { lineBatches, type NdjsonLine } from './ndjson';

const limits = { longest: 10, lines: 100, bytes: 1000 };

async function batchesOf(chunks: string[], changes: Partial<typeof limits> = {}): Promise<[number, string | null][][]> {
  const stream = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const batches: NdjsonLine[][] = [];
  for await (const batch of lineBatches(stream, { ...limits, ...changes })) batches.push(batch);
  return batches.map((batch) => batch.map(({ number, bytes }) => [number, bytes?.toString() ?? null]));
}

describe('lineBatches', () => {
  it('finds lines wherever the chunks are cut', async () => {
    const text = 'one\ntwö\r\n\n  \nlast';
    const whole = [
      [1, 'one'],
      [2, 'twö\r'],
      [5, 'last'],
    ];
    expect(await batchesOf([text])).toEqual([whole]);
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
    const batches: NdjsonLine[][] = [];
    for await (const batch of lineBatches(Readable.from(bytes), limits)) batches.push(batch);
    expect(batches.flat().map(({ number, bytes: line }) => [number, line?.toString()])).toEqual(whole);
  });

  it('takes a line of the longest length and skips a longer one, keeping count', async () => {
    expect(await batchesOf(['0123456789\n0123456789', 'x\nend\n'])).toEqual([
      [
        [1, '0123456789'],
        [2, null],
        [3, 'end'],
      ],
    ]);
  });

  it('ends a batch at its number of lines or bytes', async () => {
    expect(await batchesOf(['a\nb\nc\n'], { lines: 2 })).toEqual([
      [
        [1, 'a'],
        [2, 'b'],
      ],
      [[3, 'c']],
    ]);
    expect(await batchesOf(['aaaa\nbbbb\nc'], { bytes: 4 })).toEqual([[[1, 'aaaa']], [[2, 'bbbb']], [[3, 'c']]]);
  });

  it('yields nothing for an empty stream', async () => {
    expect(await batchesOf([])).toEqual([]);
    expect(await batchesOf(['\n\n'])).toEqual([]);
  });

  it('reads no further while a batch is worked on', async () => {
    let read = 0;
    const chunks = function* (): Generator<Buffer> {
      for (; read < 1000; read += 1) yield Buffer.from('line\n');
    };
    const stream = Readable.from(chunks(), { highWaterMark: 1 });
    for await (const batch of lineBatches(stream, { ...limits, lines: 5 })) {
      expect(batch).toHaveLength(5);
      break;
    }
    expect(read).toBeLessThan(20);
  });

  describe('the lines of an import', () => {
    const longest = 65_536;

    async function* chunks(text: string, size: number): AsyncGenerator<Buffer> {
      const bytes = Buffer.from(text);
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
    }

    async function read(text: string, size: number): Promise<NdjsonLine[]> {
      const lines: NdjsonLine[] = [];
      for await (const batch of lineBatches(chunks(text, size), { longest, lines: 2 })) lines.push(...batch);
      return lines;
    }

    const texts = (lines: NdjsonLine[]): [number, string | null][] =>
      lines.map(({ number, bytes }) => [number, bytes?.toString().trim() ?? null]);

    it.each([1, 2, 3, 7, 1000])('are the same whatever the chunks: %i bytes each', async (size) => {
      expect(texts(await read('{"a":"ü"}\r\n\n  \nsecond\nthird', size))).toEqual([
        [1, '{"a":"ü"}'],
        [4, 'second'],
        [5, 'third'],
      ]);
    });

    it('keep a line of the longest size and give up on a longer one, not on the next', async () => {
      const line = 'x'.repeat(longest);
      expect(texts(await read(`${line}\n${line}x\nnext\n`, 50_000))).toEqual([
        [1, line],
        [2, null],
        [3, 'next'],
      ]);
    });

    it('say where each ends', async () => {
      expect((await read('ab\n\ncde\nf', 4)).map(({ end }) => end)).toEqual([3, 8, 9]);
    });

    it('are none in nothing', async () => {
      expect(await read('', 10)).toEqual([]);
      expect(await read('\n\n', 10)).toEqual([]);
    });
  });
});
