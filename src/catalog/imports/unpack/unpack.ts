import { mkdir } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { JobFailure } from '../../../jobs/job-queue';
import { type FeedLimits, inMib } from '../limits';
import { entryOf } from './zip';

/** Opens a body from its beginning, as often as it has to be read. */
export type OpenBody = () => Promise<Readable>;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK\x03\x04');
const EMPTY_ZIP = Buffer.from('PK\x05\x06');
const LONGEST_MAGIC = 4;

type Packing = 'gzip' | 'zip' | null;

function packingOf(head: Buffer): Packing {
  const begins = (magic: Buffer): boolean => head.subarray(0, magic.length).equals(magic);
  if (begins(GZIP)) return 'gzip';
  return begins(ZIP) || begins(EMPTY_ZIP) ? 'zip' : null;
}

/** The first bytes of a stream, which is closed then. */
export async function headOf(stream: AsyncIterable<Buffer>, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

/**
 * A body, unpacked where it is gzip or zip: found out from its bytes. A zip is copied into `folder`, since it is read from its end. What is
 * broken, packed twice or unpacks to too much throws JobFailure.
 */
export async function unpacked(
  open: OpenBody,
  { folder, limits }: { folder: string; limits: FeedLimits },
): Promise<() => AsyncGenerator<Buffer>> {
  const packing = packingOf(await headOf(await open(), LONGEST_MAGIC));
  if (packing === null)
    return async function* () {
      yield* chunksOf(await open());
    };
  const content = packing === 'gzip' ? async () => gunzipped(await open()) : await unzipped(open, folder);
  const read = async function* (): AsyncGenerator<Buffer> {
    const { stream, packed } = await content();
    yield* measured(stream, packed, limits);
  };
  if (packingOf(await headOf(read(), LONGEST_MAGIC)) !== null) {
    throw new JobFailure(`The ${packing} has another archive in it: pack the feed once, as gzip or zip`);
  }
  return read;
}

/** What is unpacked, and how much was read for it so far. */
interface Unpacking {
  stream: AsyncIterable<Buffer>;
  packed(): number;
}

async function* chunksOf(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
}

function gunzipped(source: Readable): Unpacking {
  const gunzip = createGunzip();
  const piped = pipeline(source, gunzip);
  // It is told by the stream that is read.
  piped.catch(() => undefined);
  const stream = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* chunksOf(gunzip);
      await piped;
    } catch (error) {
      throw gzipFailure(error);
    }
  };
  return { stream: stream(), packed: () => gunzip.bytesWritten };
}

function gzipFailure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return new JobFailure('The gzip is cut off: it ends in the middle. Send the whole file');
  if (code?.startsWith('Z_')) return new JobFailure(`The gzip is broken: ${(error as Error).message}`);
  return error;
}

async function unzipped(open: OpenBody, folder: string): Promise<() => Promise<Unpacking>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'feed.zip');
  await pipeline(await open(), createWriteStream(path));
  return async () => {
    const { stream, compressedSize } = await entryOf(path);
    return { stream, packed: () => compressedSize };
  };
}

async function* measured(
  stream: AsyncIterable<Buffer>,
  packed: () => number,
  limits: FeedLimits,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > limits.expanded) {
      throw new JobFailure(`The feed unpacks to more than the ${inMib(limits.expanded)} accepted`);
    }
    if (bytes > limits.ratioFrom && bytes > packed() * limits.ratio) {
      throw new JobFailure(`The feed unpacks to more than ${limits.ratio} times its size: that is no product feed`);
    }
    yield chunk;
  }
}
