import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { retry } from '../../shared/async/retry';
import { type AdminClient, CliError } from '../admin-client';
import { progressDisplay } from '../progress';

const MIB = 1024 ** 2;
/** What is sent again where a connection breaks. A file that is longer goes in several. */
export const PIECE = 32 * MIB;
/** A service that is restarted is back by then. */
const PATIENTLY = { times: 10, pauseMs: 2000, growth: 5 };

interface Upload {
  id: string;
  of?: string;
  bytes: number;
}

export interface UploadOptions {
  /** An upload that was begun before and broke off. */
  resume?: string | undefined;
  /** For tests. */
  piece?: number;
}

/** What is wrong with the file, in the words of the system. */
const readable = (error: Error): never => {
  throw new CliError(error.message);
};

export const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(readable)).size;

/**
 * Sends a file piece by piece and goes on where a connection broke off; the id of the upload, which is to be imported then. `path`: of the uploads
 * of the store.
 */
export async function uploadInPieces(
  client: AdminClient,
  path: string,
  file: string,
  { resume, piece = PIECE }: UploadOptions = {},
): Promise<string> {
  const { size, mtime } = await stat(file).catch(readable);
  const of = `${basename(file).slice(0, 400)}, ${size} bytes, ${mtime.toISOString()}`;
  const upload = await begun(client, path, { of, resume });
  process.stderr.write(`Upload ${upload.id}: where it breaks off, say the same again with --upload ${upload.id}\n`);
  const display = progressDisplay('upload, MiB');
  const since = performance.now();
  const handle = await open(file).catch(readable);
  let sent = upload.bytes;
  const next = async (attempt: number): Promise<number> => {
    // A piece may have arrived although its answer did not.
    const known = attempt === 1 ? sent : await bytesOf(client, `${path}/${upload.id}`);
    if (known > sent) return known;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(piece, size - sent)), 0, null, sent);
    const reply = await client.put(`${path}/${upload.id}?from=${sent}`, buffer.subarray(0, bytesRead));
    return (reply as Upload).bytes;
  };
  try {
    while (sent < size) {
      sent = await retry(next, { ...PATIENTLY, again: (error) => error instanceof CliError && error.mayPass });
      display.show(progressOf({ from: upload.bytes, sent, size, since }));
    }
    return upload.id;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const hint = `${sent} of ${size} bytes were taken: to go on, say the same again with --upload ${upload.id}`;
    throw new CliError(`${error.message}\n${hint}`, { cause: error });
  } finally {
    display.end();
    await handle.close();
  }
}

async function begun(
  client: AdminClient,
  path: string,
  { of, resume }: { of: string; resume: string | undefined },
): Promise<Upload> {
  if (resume === undefined) return (await client.call('POST', path, { body: { of } })) as Upload;
  const upload = (await client.call('GET', `${path}/${encodeURIComponent(resume)}`)) as Upload;
  if (upload.of === of) return upload;
  throw new CliError(
    `The upload is of another file, or the file has changed since: it was "${upload.of ?? 'not named'}", and is "${of}"`,
  );
}

const bytesOf = async (client: AdminClient, path: string): Promise<number> =>
  ((await client.call('GET', path)) as Upload).bytes;

function progressOf({ from, sent, size, since }: { from: number; sent: number; size: number; since: number }) {
  const rate = (sent - from) / MIB / ((performance.now() - since) / 1000);
  const secondsLeft = rate > 0 ? (size - sent) / MIB / rate : null;
  return { done: sent / MIB, total: size / MIB, rate, secondsLeft };
}
