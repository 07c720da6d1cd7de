import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

const EMPTY = 0xffffffff;
const FULL = 0.6;
const FEW = 1024;
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
 * and looked up without a string. `names` is the list itself, so that equal hashes of different names stay apart; a number that
 * stands for nothing (any more) has an empty one.
 */
export class NameTable {
  readonly names: string[] = [];
  private hashes = new Float64Array(FEW);
  private numbers = new Uint32Array(FEW).fill(EMPTY);
  /** Numbers that have a name. */
  size = 0;
  /** Another one with every name that comes or goes. */
  version = 0;

  /** Adds a name that is not there yet; its number is the next one. */
  add(name: string): number {
    this.names.push(name);
    this.insert(nameHash('', name), this.names.length - 1);
    return this.names.length - 1;
  }

  /** Gives a number without a name one that is not there yet. */
  set(number: number, name: string): void {
    while (this.names.length <= number) this.names.push('');
    this.names[number] = name;
    this.insert(nameHash('', name), number);
  }

  drop(number: number): void {
    const name = this.names[number] ?? '';
    if (name === '') return;
    let slot = this.slot(nameHash('', name));
    while (this.numbers[slot] !== number) slot = this.after(slot);
    this.names[number] = '';
    this.empty(slot);
    this.size--;
    this.version++;
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

  /** The names alone. The table follows from them, and a copy of it would be in memory beside a large index. */
  save(writer: SnapshotWriter): void {
    writer.texts(this.names);
  }

  /** Into an empty table. */
  load(reader: SnapshotReader): void {
    for (const name of reader.texts()) this.names.push(name);
    this.size = this.names.reduce((count, name) => (name === '' ? count : count + 1), 0);
    this.version = this.names.length;
    let slots = this.numbers.length;
    while (this.size >= slots * FULL) slots *= 2;
    this.make(slots);
    this.names.forEach((name, number) => name !== '' && this.put(nameHash('', name), number));
  }

  private slot(hash: number): number {
    return (hash >>> 0) & (this.numbers.length - 1);
  }

  private after(slot: number): number {
    return (slot + 1) & (this.numbers.length - 1);
  }

  private insert(hash: number, number: number): void {
    if (this.size >= this.numbers.length * FULL) this.grow();
    this.put(hash, number);
    this.size++;
    this.version++;
  }

  private put(hash: number, number: number): void {
    let slot = this.slot(hash);
    while (this.numbers[slot] !== EMPTY) slot = this.after(slot);
    this.hashes[slot] = hash;
    this.numbers[slot] = number;
  }

  /** What was pushed past the slot moves back, so that it is still found. */
  private empty(slot: number): void {
    const mask = this.numbers.length - 1;
    let hole = slot;
    for (let next = this.after(hole); this.numbers[next] !== EMPTY; next = this.after(next)) {
      const pushed = (next - this.slot(this.hashes[next]!)) & mask;
      if (pushed < ((next - hole) & mask)) continue;
      this.hashes[hole] = this.hashes[next]!;
      this.numbers[hole] = this.numbers[next]!;
      hole = next;
    }
    this.numbers[hole] = EMPTY;
  }

  private make(slots: number): void {
    this.hashes = new Float64Array(slots);
    this.numbers = new Uint32Array(slots).fill(EMPTY);
  }

  private grow(): void {
    const { hashes, numbers } = this;
    this.make(numbers.length * 2);
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]!;
      if (number !== EMPTY) this.put(hashes[slot]!, number);
    }
  }
}
