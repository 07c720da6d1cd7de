import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { JobFailure } from '../../../jobs/job-queue';

/** Entries that are looked at: an export has one, or a few beside what an operating system adds. */
const MOST_ENTRIES = 1000;

/** What file managers add, and folders. */
const isFile = ({ fileName }: Entry): boolean =>
  !fileName.endsWith('/') && !fileName.startsWith('__MACOSX/') && !/(?:^|\/)\.[^/]*$/.test(fileName);

/** The first file of a zip. Every entry's name is checked, whichever is read: one that leads out of the archive refuses all of it. */
export async function entryOf(path: string): Promise<{ stream: AsyncIterable<Buffer>; compressedSize: number }> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(refuse);
  try {
    const entry = await firstFile(zip).catch(refuse);
    if (!entry) throw new JobFailure('The zip has no file in it');
    if (entry.isEncrypted())
      throw new JobFailure(`"${entry.fileName}" in the zip is encrypted: send it without a password`);
    const stream = await zip.openReadStreamPromise(entry).catch(refuse);
    return { stream: contentOf(zip, stream), compressedSize: entry.compressedSize };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Also checks the names of the entries after it. */
async function firstFile(zip: ZipFile): Promise<Entry | null> {
  let first: Entry | null = null;
  for (let read = 0; read < MOST_ENTRIES; read += 1) {
    const entry = await nextEntry(zip);
    if (!entry) return first;
    if (!first && isFile(entry)) first = entry;
  }
  throw new JobFailure(`The zip has more than the ${MOST_ENTRIES} entries accepted: a feed is one file`);
}

function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      zip.removeAllListeners();
      settle();
    };
    zip.once('entry', (entry: Entry) => done(() => resolve(entry)));
    zip.once('end', () => done(() => resolve(null)));
    zip.once('error', (error: Error) => done(() => reject(error)));
    zip.readEntry();
  });
}

async function* contentOf(zip: ZipFile, stream: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    refuse(error);
  } finally {
    stream.destroy();
    zip.close();
  }
}

function refuse(error: unknown): never {
  if (error instanceof JobFailure) throw error;
  throw new JobFailure(`The zip is refused: ${error instanceof Error ? error.message : String(error)}`);
}
