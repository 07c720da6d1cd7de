import { Growable } from './growable';
import { HashSlots } from './hash-slots';
import { nameHash } from './name-table';

/** Where the name of a number that has none starts. */
const NOWHERE = 0xffffffff;
/** Bytes of names that went, up to which their room is left alone. */
const FEW_WASTED = 65_536;
/** A length or a code unit is seven bits a byte, the lowest first; this bit says that more follow. */
const MORE = 0x80;
const BITS = 7;

/**
 * Names -> their numbers, for whoever looks numbers up and never asks what a number's name is: names lie as bytes one behind the other, and
 * are compared there, in half the memory of a `NameTable` and its strings.
 */
export class PackedNames {
  /** By number: where its name starts, which is its length (code units), then the units. */
  private readonly starts = Growable.ints();
  private readonly hashes = Growable.ints();
  private bytes = Growable.bytes();
  /** Of names that went. */
  private wasted = 0;
  private readonly slots = new HashSlots({
    hashes: this.hashes,
    isNamed: (number, name) => this.isNamed(number, name),
  });

  /** Numbers that have a name. */
  get size(): number {
    return this.slots.size;
  }

  /** Above every number. */
  get end(): number {
    return this.starts.length;
  }

  /** Bytes that the names take, with the room of those that went. */
  get room(): number {
    return this.bytes.length;
  }

  has(number: number): boolean {
    return number < this.end && this.starts.data[number] !== NOWHERE;
  }

  number(name: string): number | undefined {
    return this.slots.find(hashOf(name), name);
  }

  /** Gives a number without a name one that is not there yet. */
  set(number: number, name: string): void {
    while (this.end <= number) {
      this.starts.push(NOWHERE);
      this.hashes.push(0);
    }
    this.starts.data[number] = this.bytes.length;
    this.hashes.data[number] = hashOf(name);
    this.write(name.length);
    for (let index = 0; index < name.length; index++) this.write(name.charCodeAt(index));
    this.slots.add(number);
  }

  drop(number: number): void {
    if (!this.has(number)) return;
    this.slots.remove(number);
    this.wasted += this.endOf(number) - this.startOf(number);
    this.starts.data[number] = NOWHERE;
    if (this.wasted > Math.max(FEW_WASTED, this.bytes.length / 2)) this.compact();
  }

  private isNamed(number: number, name: string): boolean {
    const { data } = this.bytes;
    let at = this.startOf(number);
    for (let index = -1; index < name.length; index++) {
      let byte = data[at++]!;
      let value = byte % MORE;
      for (let bits = BITS; byte >= MORE; bits += BITS) {
        byte = data[at++]!;
        value += (byte % MORE) << bits;
      }
      if (value !== (index < 0 ? name.length : name.charCodeAt(index))) return false;
    }
    return true;
  }

  private write(value: number): void {
    let rest = value;
    for (; rest >= MORE; rest >>>= BITS) this.bytes.push((rest % MORE) + MORE);
    this.bytes.push(rest);
  }

  private startOf(number: number): number {
    return this.starts.data[number]!;
  }

  /** Behind the name of a number. */
  private endOf(number: number): number {
    const { data } = this.bytes;
    let at = this.startOf(number);
    let length = 0;
    for (let bits = 0, more = true; more; bits += BITS) {
      const byte = data[at++]!;
      length += (byte % MORE) << bits;
      more = byte >= MORE;
    }
    for (let unit = 0; unit < length; unit++) while (data[at++]! >= MORE) continue;
    return at;
  }

  /** Gives back the room of names that went. */
  private compact(): void {
    const bytes = Growable.bytes();
    for (let number = 0; number < this.end; number++) {
      if (!this.has(number)) continue;
      const start = bytes.length;
      bytes.append(this.bytes.data, this.startOf(number), this.endOf(number));
      this.starts.data[number] = start;
    }
    this.bytes = bytes;
    this.wasted = 0;
  }
}

/** 32 bits of it. */
const hashOf = (name: string): number => nameHash('', name) >>> 0;
