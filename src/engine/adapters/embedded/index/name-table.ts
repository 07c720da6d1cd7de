import { Growable } from './growable';
import { HashSlots } from './hash-slots';
import type { SnapshotReader, SnapshotWriter } from './snapshot-file';

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
 * Names of a store -> their numbers, 0 upwards, in less memory than a map of strings takes, and looked up without a string.
 * `names` is the list itself, so that equal hashes of different names stay apart; a number that stands for nothing (any more) has an empty one.
 */
export class NameTable {
  readonly names: string[] = [];
  /** By number. */
  private readonly hashes = Growable.doubles();
  private readonly slots = new HashSlots({
    hashes: this.hashes,
    isNamed: (number, name) => this.names[number] === name,
  });
  /** Another one with every name that comes or goes. */
  version = 0;

  /** Numbers that have a name. */
  get size(): number {
    return this.slots.size;
  }

  /** Adds a name that is not there yet; its number is the next one. */
  add(name: string): number {
    const number = this.names.length;
    this.set(number, name);
    return number;
  }

  /** Gives a number without a name one that is not there yet. */
  set(number: number, name: string): void {
    while (this.names.length <= number) {
      this.names.push('');
      this.hashes.push(0);
    }
    this.names[number] = name;
    this.hashes.data[number] = nameHash('', name);
    this.slots.add(number);
    this.version++;
  }

  drop(number: number): void {
    if ((this.names[number] ?? '') === '') return;
    this.slots.remove(number);
    this.names[number] = '';
    this.version++;
  }

  number(name: string): number | undefined {
    return this.slots.find(nameHash('', name), name);
  }

  /** By hash alone: one in 10^9 catalogs has two names of the same hash. */
  numberOfHash(hash: number): number | undefined {
    return this.slots.findHash(hash);
  }

  /** The names alone. The table follows from them, and a copy of it would be in memory beside a large index. */
  save(writer: SnapshotWriter): void {
    writer.texts(this.names);
  }

  /** Into an empty table. */
  load(reader: SnapshotReader): void {
    const names = reader.texts();
    this.slots.reserve(names.length);
    for (const name of names) {
      if (name !== '') {
        this.add(name);
      } else {
        this.names.push('');
        this.hashes.push(0);
      }
    }
    this.version = names.length;
  }
}
