import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEED_LIMITS } from '../../catalog/imports/limits';
import { headOf, unpacked } from '../../catalog/imports/unpack/unpack';
import { CliError } from '../admin-client';

/** As base64 in JSON it fits into what a route takes. */
const LONGEST = 500_000;
const LINE_END = 0x0a;

/** The beginning of a feed, unpacked, up to the end of its last whole line. */
export async function sampleOf(file: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-sample-'));
  const open = async () => {
    const stream = createReadStream(file);
    await once(stream, 'open');
    return stream;
  };
  try {
    const read = await unpacked(open, { folder, limits: FEED_LIMITS });
    const head = await headOf(read(), LONGEST);
    const end = head.length < LONGEST ? head.length : head.lastIndexOf(LINE_END) + 1;
    return head.subarray(0, end || head.length);
  } catch (error) {
    throw new CliError(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
