import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { laterKinds, laterNumbers } from './packed';

/** Changes with the content and its meaning. A file of another format is ignored. */
const FORMAT = ['vitrine search index 1', ...laterNumbers, ...laterKinds].join(' ');

type Bytes = Float64Array | Uint32Array | Uint8Array;

const bytesOf = (values: Bytes): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Writes sections one after the other, each after its length; nothing is copied on the way. */
export class SnapshotWriter {
  constructor(private readonly file: number) {
    this.json(FORMAT);
  }

  numbers(values: Bytes): void {
    const bytes = bytesOf(values);
    writeAll(this.file, bytesOf(Float64Array.of(bytes.byteLength)));
    writeAll(this.file, bytes);
  }

  json(value: unknown): void {
    this.numbers(Buffer.from(JSON.stringify(value)));
  }
}

/** Reads them back in the same order. Throws where the file ends early. */
export class SnapshotReader {
  private readonly length = new Float64Array(1);

  constructor(private readonly file: number) {
    if (this.json() !== FORMAT) throw new Error('A snapshot of another format');
  }

  doubles(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.section());
  }

  ints(): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.section());
  }

  json(): unknown {
    return JSON.parse(Buffer.from(this.section()).toString());
  }

  section(): ArrayBuffer {
    readAll(this.file, bytesOf(this.length));
    const section = new ArrayBuffer(this.length[0] ?? 0);
    readAll(this.file, new Uint8Array(section));
    return section;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength;) at += writeSync(file, bytes, at);
}

function readAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength;) {
    const read = readSync(file, bytes, at, bytes.byteLength - at, null);
    if (read === 0) throw new Error('A snapshot that ends early');
    at += read;
  }
}

/** Replaces the file as a whole: after a crash there is the old one or the new one. */
export function writeSnapshot(path: string, write: (writer: SnapshotWriter) => void): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    write(new SnapshotWriter(file));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** Null where there is none that can be read; one that can't is removed. */
export function readSnapshot<T>(path: string, read: (reader: SnapshotReader) => T): T | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return read(new SnapshotReader(file));
  } catch {
    rmSync(path, { force: true });
    return null;
  } finally {
    closeSync(file);
  }
}
