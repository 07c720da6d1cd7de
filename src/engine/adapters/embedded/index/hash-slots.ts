const EMPTY = 0xffffffff;
const FULL = 0.6;
const FEW = 1024;

interface Names {
  /** Hashes by number. */
  hashes: { readonly data: Float64Array | Uint32Array };
  isNamed(number: number, name: string): boolean;
}

/** Finds numbers by the hashes of their names: an open-addressed table of the numbers alone. */
export class HashSlots {
  /** Numbers that are in it. */
  size = 0;
  private slots = new Uint32Array(FEW).fill(EMPTY);

  constructor(private readonly names: Names) {}

  find(hash: number, name: string): number | undefined {
    const { hashes, isNamed } = this.names;
    for (let slot = this.slot(hash); this.slots[slot] !== EMPTY; slot = this.after(slot)) {
      const number = this.slots[slot]!;
      if (hashes.data[number] === hash && isNamed(number, name)) return number;
    }
    return undefined;
  }

  findHash(hash: number): number | undefined {
    const { data } = this.names.hashes;
    for (let slot = this.slot(hash); this.slots[slot] !== EMPTY; slot = this.after(slot)) {
      const number = this.slots[slot]!;
      if (data[number] === hash) return number;
    }
    return undefined;
  }

  /** A number that is not in it, with its hash. */
  add(number: number): void {
    this.reserve(this.size + 1);
    this.put(number);
    this.size++;
  }

  /** A number that is in it, with its hash. */
  remove(number: number): void {
    let slot = this.slot(this.hashOf(number));
    while (this.slots[slot] !== number) slot = this.after(slot);
    this.empty(slot);
    this.size--;
  }

  reserve(numbers: number): void {
    let length = this.slots.length;
    while (numbers > length * FULL) length *= 2;
    if (length === this.slots.length) return;
    const { slots } = this;
    this.slots = new Uint32Array(length).fill(EMPTY);
    for (const number of slots) if (number !== EMPTY) this.put(number);
  }

  private hashOf(number: number): number {
    return this.names.hashes.data[number]!;
  }

  private slot(hash: number): number {
    return (hash >>> 0) & (this.slots.length - 1);
  }

  private after(slot: number): number {
    return (slot + 1) & (this.slots.length - 1);
  }

  private put(number: number): void {
    let slot = this.slot(this.hashOf(number));
    while (this.slots[slot] !== EMPTY) slot = this.after(slot);
    this.slots[slot] = number;
  }

  /** What was pushed past the slot moves back, so that it is still found. */
  private empty(slot: number): void {
    const mask = this.slots.length - 1;
    let hole = slot;
    for (let next = this.after(hole); this.slots[next] !== EMPTY; next = this.after(next)) {
      const pushed = (next - this.slot(this.hashOf(this.slots[next]!))) & mask;
      if (pushed < ((next - hole) & mask)) continue;
      this.slots[hole] = this.slots[next]!;
      hole = next;
    }
    this.slots[hole] = EMPTY;
  }
}
