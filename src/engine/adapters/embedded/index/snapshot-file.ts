import { closeSync, fsync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { laterKinds, laterNumbers } from './packed';

/** Changes with the content and its meaning. A file of another format is ignored. */
const FORMAT = ['vitrine search index 2', ...laterNumbers, ...laterKinds].join(' ');

type Bytes = Float64Array | Uint32Array | Uint8Array;

const bytesOf = (values: Bytes): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Bytes written, and texts encoded, in one step of about a millisecond. */
const WRITTEN_AT_ONCE = 2 ** 21;
const TEXTS_AT_ONCE = 10_000;

/**
 * The sections of a snapshot, taken at one moment and written later. Numbers are not copied: what is taken of them may only be added to, or
 * changed to what the changes after that moment, which a load takes up, make of it anyway.
 */
export class SnapshotWriter {
  readonly sections: (() => Uint8Array)[] = [];

  constructor() {
    this.json(FORMAT);
  }

  numbers(values: Bytes): void {
    this.sections.push(() => bytesOf(values));
  }

  json(value: unknown): void {
    this.numbers(Buffer.from(JSON.stringify(value)));
  }

  texts(texts: readonly string[]): void {
    this.json(texts.length);
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
      const part = texts.slice(start, start + TEXTS_AT_ONCE);
      this.sections.push(() => Buffer.from(JSON.stringify(part)));
    }
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

  texts(): string[] {
    const length = this.json() as number;
    const texts: string[] = [];
    while (texts.length < length) for (const text of this.json() as string[]) texts.push(text);
    return texts;
  }

  section(): ArrayBuffer {
    readAll(this.file, bytesOf(this.length));
    const section = new ArrayBuffer(this.length[0] ?? 0);
    readAll(this.file, new Uint8Array(section));
    return section;
  }
}

function readAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength;) {
    const read = readSync(file, bytes, at, bytes.byteLength - at, null);
    if (read === 0) throw new Error('A snapshot that ends early');
    at += read;
  }
}

/** A snapshot that is being written. It replaces the file as a whole: after a crash there is the old one or the new one. */
export class SnapshotFile {
  private readonly temporary: string;
  private readonly file: number;
  private readonly steps: Generator<void, void>;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly sections: SnapshotWriter['sections'],
  ) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.temporary = `${path}.new`;
    this.file = openSync(this.temporary, 'w', 0o600);
    this.steps = this.write();
  }

  /** Writes some of it; false when everything is written. */
  step(): boolean {
    return !this.closed && this.steps.next().done !== true;
  }

  /** All that is left, at once. */
  finish(): void {
    while (this.step()) continue;
    if (this.closed) return;
    fsyncSync(this.file);
    this.replace();
  }

  /** All that is left, in short steps between which others work. */
  async finishLater(): Promise<void> {
    while (this.step()) await setImmediate();
    if (this.closed) return;
    await promisify(fsync)(this.file);
    if (!this.closed) this.replace();
  }

  abandon(): void {
    if (this.closed) return;
    this.closed = true;
    closeSync(this.file);
    rmSync(this.temporary, { force: true });
  }

  private replace(): void {
    this.closed = true;
    closeSync(this.file);
    renameSync(this.temporary, this.path);
  }

  /** Sections one after the other, each after its length. */
  private *write(): Generator<void, void> {
    for (const section of this.sections) {
      const bytes = section();
      writeAll(this.file, bytesOf(Float64Array.of(bytes.byteLength)));
      for (let start = 0; start < bytes.byteLength; start += WRITTEN_AT_ONCE) {
        writeAll(this.file, bytes.subarray(start, start + WRITTEN_AT_ONCE));
        yield;
      }
    }
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength;) at += writeSync(file, bytes, at);
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
