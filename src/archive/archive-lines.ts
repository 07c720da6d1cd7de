import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { lineBatches } from '../shared/ndjson';
import type { ArchiveEntry } from '../storage/archive';
import { ArchiveError, type Header, isEnd, parseHeader, parseLine } from './archive-format';

/** Lines that are held at once, and their bytes. A line may be of any length: it was written here. */
const LIMITS = { longest: Infinity, lines: 500, bytes: 1_000_000 };

/** The lines of an export, without their newlines. */
async function* unzipped(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const lines of lineBatches(source.pipe(gunzip), LIMITS)) {
      for (const { bytes } of lines) if (bytes) yield bytes;
    }
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
    digest.update(line).update('\n');
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
