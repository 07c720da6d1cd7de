import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { ArchiveEntry } from '../storage/archive';
import { ArchiveError, type Header, isEnd, parseHeader, parseLine } from './archive-format';

const NEWLINE = 0x0a;

/** The lines of a stream, each with its newline. `readline` would also end lines at characters that JSON leaves unescaped. */
export async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at + 1)]);
      parts = [];
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) yield Buffer.concat(parts);
}

async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    yield* linesOf(source.pipe(gunzip) as AsyncIterable<Buffer>);
  } catch (cause) {
    const { code } = cause as { code?: string };
    const problem = code === 'ENOENT' ? 'is not there' : 'is damaged, or no export of vitrine';
    throw new ArchiveError(`${file} ${problem}`, { cause });
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Reads a whole export and compares its number of entries and its checksum. Throws ArchiveError where it is not whole. */
export async function verify(file: string): Promise<Header> {
  const digest = createHash('sha256');
  let header: Header | undefined;
  let entries = -1;
  for await (const line of unzipped(file)) {
    header ??= parseHeader(line.toString());
    const parsed = parseLine(line.toString());
    if (isEnd(parsed)) {
      if (parsed.entries === entries && parsed.sha256 === digest.digest('base64url')) return header;
      break;
    }
    digest.update(line);
    entries += 1;
  }
  throw new ArchiveError(`${file} is not whole: its count or its checksum is not what its last line says`);
}

/** The entries of an export that was verified. */
export async function* entriesOf(file: string): AsyncGenerator<{ entry: ArchiveEntry; bytes: number }> {
  let first = true;
  for await (const line of unzipped(file)) {
    const parsed = parseLine(line.toString());
    if (isEnd(parsed)) return;
    if (!first) yield { entry: parsed as ArchiveEntry, bytes: line.length };
    first = false;
  }
}
