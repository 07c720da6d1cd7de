import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

const EMPTY = 0xffffffff;
const FULL = 0.6;
const LOW = 0x100000000;

/** 53 bits of a name, `kind` before it: the same wherever it is computed, so that a thread can be asked by hashes alone. */
export function nameHash(kind: string, name: string): number {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15;
  for (const text of [kind, name]) {
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      high = Math.imul(high ^ unit, 0x85ebca6b);
      low = Math.imul(low ^ unit, 0xc2b2ae35) ^ (low >>> 13);
    }
  }
  high = Math.imul(high ^ (high >>> 16) ^ low, 0x27d4eb2f);
  low = Math.imul(low ^ (low >>> 15) ^ high, 0x165667b1);
  high ^= high >>> 13;
  low ^= low >>> 16;
  return (high & 0x1fffff) * LOW + (low >>> 0);
}

/**
 * Names of a store -> their numbers, 0 upwards: an open-addressed table of hashes, a fifth of what a map of strings takes,
 * and looked up without a string. `names` is the list itself, so that equal hashes of different names stay apart.
 */
export class NameTable {
  readonly names: string[] = [];
  private hashes = new Float64Array(1024);
  private numbers = new Uint32Array(1024).fill(EMPTY);

  /** Adds a name that is not there yet; its number is the number of names before it. */
  add(name: string): number {
    const number = this.names.length;
    if (number >= this.numbers.length * FULL) this.grow();
    this.names.push(name);
    this.insert(nameHash('', name), number);
    return number;
  }

  number(name: string): number | undefined {
    const hash = nameHash('', name);
    for (let slot = this.slot(hash); this.numbers[slot] !== EMPTY; slot = this.after(slot)) {
      const number = this.numbers[slot]!;
      if (this.hashes[slot] === hash && this.names[number] === name) return number;
    }
    return undefined;
  }

  /** By hash alone: one in 10^9 catalogs has two names of the same hash. */
  numberOfHash(hash: number): number | undefined {
    for (let slot = this.slot(hash); this.numbers[slot] !== EMPTY; slot = this.after(slot)) {
      if (this.hashes[slot] === hash) return this.numbers[slot];
    }
    return undefined;
  }

  save(writer: SnapshotWriter): void {
    writer.json(this.names);
    writer.numbers(this.hashes);
    writer.numbers(this.numbers);
  }

  /** Into an empty table. */
  load(reader: SnapshotReader): void {
    for (const name of reader.json() as string[]) this.names.push(name);
    this.hashes = reader.doubles();
    this.numbers = reader.ints();
  }

  private slot(hash: number): number {
    return (hash >>> 0) & (this.numbers.length - 1);
  }

  private after(slot: number): number {
    return (slot + 1) & (this.numbers.length - 1);
  }

  private insert(hash: number, number: number): void {
    let slot = this.slot(hash);
    while (this.numbers[slot] !== EMPTY) slot = this.after(slot);
    this.hashes[slot] = hash;
    this.numbers[slot] = number;
  }

  private grow(): void {
    const { hashes, numbers } = this;
    this.hashes = new Float64Array(numbers.length * 2);
    this.numbers = new Uint32Array(numbers.length * 2).fill(EMPTY);
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]!;
      if (number !== EMPTY) this.insert(hashes[slot]!, number);
    }
  }
}
