import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCode } from './code-cache';

interface Sums {
  sum: (numbers: readonly number[]) => number;
  at: string;
  later: () => string;
}

const TEXT = `
exports.sum = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
exports.at = require('node:path').join(__dirname, 'beside');
exports.later = function later() { return require('./beside').name; };
`;

describe('code of a file', () => {
  let folder: string;
  let file: string;
  /** The same text under another name: what V8 has compiled in this process it knows by name and text. */
  let copy: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vitrine-code-'));
    file = join(folder, 'sums.js');
    copy = join(folder, 'copy.js');
    writeFileSync(file, TEXT);
    writeFileSync(copy, TEXT);
    writeFileSync(join(folder, 'beside.js'), "exports.name = 'beside';");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const expectWorks = ({ sum, at, later }: Sums): void => {
    expect(sum([1, 2, 3])).toBe(6);
    expect(at).toBe(join(folder, 'beside'));
    expect(later()).toBe('beside');
  };

  it('is compiled where nothing was kept', () => {
    const { exports, cached } = loadCode<Sums>(file);
    expect(cached).toBe(false);
    expectWorks(exports);
  });

  it('is taken as it was compiled before', () => {
    writeFileSync(`${copy}.cache`, loadCode<Sums>(file).compiled());
    const { exports, cached } = loadCode<Sums>(copy);
    expect(cached).toBe(true);
    expectWorks(exports);
  });

  it.each([
    ['is damaged', (kept: Buffer) => kept.fill(7, kept.length - 64)],
    ['was cut off', (kept: Buffer) => kept.subarray(0, kept.length >> 1)],
    ['is shorter than its digest', () => Buffer.alloc(7)],
    ['is empty', () => Buffer.alloc(0)],
  ])('is compiled again where what was kept %s', (_, change) => {
    writeFileSync(`${copy}.cache`, change(loadCode<Sums>(file).compiled()));
    const { exports, cached } = loadCode<Sums>(copy);
    expect(cached).toBe(false);
    expectWorks(exports);
  });

  it('is compiled again where the text is another one of the same length', () => {
    writeFileSync(`${copy}.cache`, loadCode<Sums>(file).compiled());
    writeFileSync(copy, TEXT.replace('sum + number', 'sum - number'));
    const { exports, cached } = loadCode<Sums>(copy);
    expect(cached).toBe(false);
    expect(exports.sum([1, 2])).toBe(-3);
  });

  it('says its name in the traces of errors', () => {
    writeFileSync(file, "exports.later = () => { throw new Error('not today'); };");
    const { later } = loadCode<Sums>(file).exports;
    expect(later).toThrow(expect.objectContaining({ stack: expect.stringContaining(`${file}:1`) }));
  });
});
