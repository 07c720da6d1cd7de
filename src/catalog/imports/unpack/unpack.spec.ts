import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { aZip } from '../../../../test/builders/a-zip';
import { FEED_LIMITS } from '../limits';
import { unpacked } from './unpack';

describe('unpacking a feed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-unpack-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const limits = { ...FEED_LIMITS, expanded: 3_000_000, ratioFrom: 100_000 };
  /** Read twice, as imports do. */
  async function text(body: Buffer | string): Promise<string> {
    const open = async (): Promise<Readable> => Readable.from([Buffer.from(body)]);
    const read = await unpacked(open, { folder, limits });
    const both: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      let whole = '';
      for await (const chunk of read()) whole += chunk.toString();
      both.push(whole);
    }
    expect(both[1]).toBe(both[0]);
    return both[0] ?? '';
  }

  it.each([
    ['as it is', 'id,name'],
    ['gzip', gzipSync('id,name')],
    ['gzip in two members', Buffer.concat([gzipSync('id,'), gzipSync('name')])],
    [
      'the first file of a zip',
      aZip({ name: 'data/', content: '' }, { name: 'a.csv', content: 'id,name' }, { name: 'b.csv', content: '' }),
    ],
  ])('reads a feed %s', async (_name, body) => {
    expect(await text(body)).toBe('id,name');
  });

  const zeros = Buffer.alloc(2_500_000);
  it.each([
    ['gzip that is cut off', gzipSync('id,name'.repeat(100)).subarray(0, -9), 'The gzip is cut off'],
    [
      'gzip that is broken',
      Buffer.concat([gzipSync('id,name').subarray(0, -8), Buffer.alloc(8)]),
      'The gzip is broken',
    ],
    ['gzip within gzip', gzipSync(gzipSync('id')), 'another archive in it'],
    [
      'a zip within a zip',
      aZip({ name: 'a.zip', content: aZip({ name: 'a', content: 'id' }) }),
      'another archive in it',
    ],
    [
      'a zip that leads out of itself',
      aZip({ name: 'a.csv', content: 'id' }, { name: '../b', content: '' }),
      'The zip is refused',
    ],
    ['a zip with an absolute name', aZip({ name: '/etc/passwd', content: 'id' }), 'The zip is refused'],
    ['a zip without files', aZip({ name: 'a/', content: '' }), 'The zip has no file in it'],
    ['a zip that is cut off', aZip({ name: 'a', content: 'id' }).subarray(0, -30), 'The zip is refused'],
    ['a gzip that is a bomb', gzipSync(zeros), 'more than 200 times its size'],
    ['a zip that is a bomb', aZip({ name: 'a', content: zeros }), 'more than 200 times its size'],
  ])('refuses %s', async (_name, body, message) => {
    await expect(text(body)).rejects.toThrow(message);
  });
});
