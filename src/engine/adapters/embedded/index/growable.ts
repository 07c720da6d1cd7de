import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

/** Values up to which an array grows by half. */
const SMALL = 2 ** 16;
/** Beyond it by this share: by half, a few products more would take half of an index again. */
const SHARE = 1 / 16;
/** From so many bytes on (MALLOC_MMAP_THRESHOLD_ of the image), room takes no memory before it is written to, and to be copied is what costs. */
const LARGE_BYTES = 2 ** 20;
/** Large arrays grow by a third to a sixth. Not by the same: the columns of an index would be copied at the same row, and be in memory twice at once. */
const LARGEST_SHARE = 3;
const SHARES = 9;

let latest = 0;

/** A typed array that grows by a share as it fills; `data` is replaced when it does. */
export class Growable<A extends Float64Array | Uint32Array | Uint8Array> {
  length = 0;
  private readonly largeShare = 1 / (LARGEST_SHARE + (latest++ % SHARES) / LARGEST_SHARE);

  constructor(
    private readonly make: (values: number | ArrayBuffer) => A,
    public data: A = make(1024),
  ) {}

  // TypeScript accepts either kind of argument, but not one that may be of both.
  static doubles = (): Growable<Float64Array> => new Growable((of) => new Float64Array(of as number));
  static ints = (room = 1024): Growable<Uint32Array> =>
    new Growable((of) => new Uint32Array(of as number), new Uint32Array(room));
  static bytes = (): Growable<Uint8Array> => new Growable((of) => new Uint8Array(of as number));

  push(value: number): void {
    this.reserve(1);
    this.data[this.length++] = value;
  }

  /** A loop, not `set`: most runs are short. */
  append(values: ArrayLike<number>, start = 0, end = values.length): void {
    this.reserve(end - start);
    const { data } = this;
    let at = this.length;
    for (let index = start; index < end; index++) data[at++] = values[index] ?? 0;
    this.length = at;
  }

  /** Gives back what is more than room for growth. */
  trim(): void {
    const room = this.length * (this.isLarge ? 1 / LARGEST_SHARE : SHARE);
    if (this.data.length - this.length <= room) return;
    this.data = this.data.slice(0, this.length) as A;
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.data.subarray(0, this.length));
  }

  load(reader: SnapshotReader): void {
    this.data = this.make(reader.section());
    this.length = this.data.length;
  }

  private get isLarge(): boolean {
    return this.data.byteLength >= LARGE_BYTES;
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.data.length) return;
    const values = this.data.length;
    const share = values < SMALL ? 1 / 2 : this.isLarge ? this.largeShare : SHARE;
    const grown = this.make(Math.max(needed, Math.floor(values * (1 + share))));
    grown.set(this.data.subarray(0, this.length));
    this.data = grown;
  }
}

/** Lists of numbers, one per row, laid end to end. */
export class Lists {
  private readonly ends = Growable.ints();
  private readonly values = Growable.ints();

  constructor() {
    this.ends.push(0);
  }

  append(list: ArrayLike<number>, start = 0, end = list.length): void {
    this.values.append(list, start, end);
    this.ends.push(this.values.length);
  }

  /** A row's list starts at its number here and ends at the next one. */
  get starts(): Uint32Array {
    return this.ends.data;
  }

  get data(): Uint32Array {
    return this.values.data;
  }

  trim(): void {
    this.ends.trim();
    this.values.trim();
  }

  save(writer: SnapshotWriter): void {
    this.ends.save(writer);
    this.values.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.ends.load(reader);
    this.values.load(reader);
  }

  start(row: number): number {
    return this.ends.data[row] ?? 0;
  }

  end(row: number): number {
    return this.ends.data[row + 1] ?? 0;
  }

  of(row: number): Uint32Array {
    return this.values.data.subarray(this.start(row), this.end(row));
  }
}
