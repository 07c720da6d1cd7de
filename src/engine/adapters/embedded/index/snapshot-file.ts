import {
  closeSync,
  fstatSync,
  fsync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { laterKinds, laterNumbers } from './packed';

/** Changes with the content and its meaning. A file of another format is not read. */
const FORMAT = ['vitrine search index 5', ...laterNumbers, ...laterKinds].join(' ');

type Bytes = Float64Array | Uint32Array | Uint8Array;

const bytesOf = (values: Bytes): Uint8Array => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** How many snapshots have a buffer still to write. */
const unwritten = new WeakMap<ArrayBufferLike, number>();

/** Whether a snapshot needs these numbers as they are. */
export const isBeingSaved = ({ buffer }: Bytes): boolean => (unwritten.get(buffer) ?? 0) > 0;

const count = ({ buffer }: Bytes, more: 1 | -1): unknown =>
  unwritten.set(buffer, Math.max(0, (unwritten.get(buffer) ?? 0) + more));

interface Section {
  /** What it answers is good until the next section is asked. */
  bytes(): Uint8Array;
  /** What nobody else may write into until then. */
  values: Bytes | null;
}

/** Of a snapshot that is not written to its end. */
export function letGo(sections: Section[]): void {
  for (const { values } of sections.splice(0)) if (values) count(values, -1);
}

/** Bytes of a block: written in one step of about a millisecond, and followed by a checksum. */
const BLOCK = 2 ** 21;
/** Texts encoded in one step. Few: the text of many is too long for the memory that is given back at once. */
const TEXTS_AT_ONCE = 1000;

/**
 * The sections of a snapshot, taken at one moment and written later. Numbers are not copied: what is taken of them may only be added to, or
 * changed to what the changes after that moment, which a load takes up, make of it anyway.
 */
export class SnapshotWriter {
  readonly sections: Section[] = [];
  /** Of the texts of one section after the other: a buffer each would stay in memory until it is collected, long after the snapshot is written. */
  private encoded = Buffer.alloc(0);

  constructor() {
    this.json(FORMAT);
  }

  numbers(values: Bytes): void {
    count(values, 1);
    this.sections.push({ bytes: () => bytesOf(values), values });
  }

  json(value: unknown): void {
    this.numbers(Buffer.from(JSON.stringify(value)));
  }

  texts(texts: readonly string[]): void {
    this.json(texts.length);
    for (let start = 0; start < texts.length; start += TEXTS_AT_ONCE) {
      const part = texts.slice(start, start + TEXTS_AT_ONCE);
      this.sections.push({ bytes: () => this.encode(JSON.stringify(part)), values: null });
    }
  }

  private encode(text: string): Uint8Array {
    const bytes = Buffer.byteLength(text);
    if (bytes > this.encoded.byteLength) this.encoded = Buffer.alloc(2 * bytes);
    this.encoded.write(text);
    return this.encoded.subarray(0, bytes);
  }
}

/**
 * The checksum of all that a file has had so far, block by block: one that was changed, moved or left out is found, and so is a length.
 * Kept as a double, as the lengths are.
 */
class RunningChecksum {
  private crc = 0;

  /** After one more block. The first of a section has its length before it. */
  after(block: Uint8Array, length?: Float64Array): Float64Array {
    if (length) this.crc = crc32(bytesOf(length), this.crc);
    // zlib takes an empty block that has no address for the start of a new checksum.
    if (block.byteLength > 0) this.crc = crc32(block, this.crc);
    return Float64Array.of(this.crc);
  }
}

/** Reads them back in the same order. Throws where a byte of the file is not as it was written. */
export class SnapshotReader {
  private readonly checksum = new RunningChecksum();
  private readonly size: number;

  constructor(private readonly file: number) {
    this.size = fstatSync(file).size;
    if (!beginsWith(file, JSON.stringify(FORMAT))) throw new Error('it is of another version, or damaged');
    this.json();
  }

  doubles(): Float64Array<ArrayBuffer> {
    return new Float64Array(this.section());
  }

  /** `room`: so many times as much memory as they need. */
  ints(room = 1): Uint32Array<ArrayBuffer> {
    const { BYTES_PER_ELEMENT: wide } = Uint32Array;
    const { buffer, byteLength } = this.bytes((length) => wide * Math.ceil((length / wide) * room));
    return new Uint32Array(buffer, 0, byteLength / wide);
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
    return this.bytes((length) => length).buffer;
  }

  /** The bytes of the next section, at the beginning of a buffer that is as long as `roomOf` says of their length. */
  private bytes(roomOf: (length: number) => number): Uint8Array<ArrayBuffer> {
    const length = Float64Array.of(0);
    readAll(this.file, bytesOf(length));
    const [bytes = 0] = length;
    // A damaged length would ask for more memory than there is.
    if (!(bytes >= 0 && bytes <= this.size)) throw new Error(DAMAGED);
    const section = new Uint8Array(new ArrayBuffer(roomOf(bytes)), 0, bytes);
    let start = 0;
    do {
      this.readBlock(section.subarray(start, start + BLOCK), start === 0 ? length : undefined);
      start += BLOCK;
    } while (start < bytes);
    return section;
  }

  private readBlock(block: Uint8Array, length: Float64Array | undefined): void {
    const written = Float64Array.of(0);
    readAll(this.file, block);
    readAll(this.file, bytesOf(written));
    if (this.checksum.after(block, length)[0] !== written[0]) throw new Error(DAMAGED);
  }
}

const DAMAGED = 'it is damaged';

/** Whether that is the text of the first section; reads go on where they were. */
function beginsWith(file: number, text: string): boolean {
  const first = Buffer.alloc(Buffer.byteLength(text));
  readSync(file, first, 0, first.byteLength, Float64Array.BYTES_PER_ELEMENT);
  return first.toString() === text;
}

function readAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength;) {
    const read = readSync(file, bytes, at, bytes.byteLength - at, null);
    if (read === 0) throw new Error('it ends early');
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
    letGo(this.sections);
    closeSync(this.file);
    rmSync(this.temporary, { force: true });
  }

  private replace(): void {
    this.closed = true;
    closeSync(this.file);
    renameSync(this.temporary, this.path);
  }

  /**
   * Sections one after the other, each after its length, each block before its checksum. What is written of it may change between blocks.
   * What was written is let go of: an array that has grown since would be in memory twice.
   */
  private *write(): Generator<void, void> {
    const checksum = new RunningChecksum();
    for (let [section] = this.sections; section; [section] = this.sections) {
      const bytes = section.bytes();
      const length = Float64Array.of(bytes.byteLength);
      writeAll(this.file, bytesOf(length));
      let start = 0;
      do {
        const block = bytes.subarray(start, start + BLOCK);
        const sum = checksum.after(block, start === 0 ? length : undefined);
        writeAll(this.file, block);
        writeAll(this.file, bytesOf(sum));
        start += BLOCK;
        yield;
      } while (start < bytes.byteLength);
      letGo(this.sections.splice(0, 1));
    }
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength;) at += writeSync(file, bytes, at);
}

/** Null where there is none that can be read; `discarded` hears why one that is there can't be, which is removed. */
export function readSnapshot<T>(
  path: string,
  read: (reader: SnapshotReader) => T,
  discarded: (why: string) => void,
): T | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return read(new SnapshotReader(file));
  } catch (error) {
    rmSync(path, { force: true });
    discarded(error instanceof Error ? error.message : String(error));
    return null;
  } finally {
    closeSync(file);
  }
}
