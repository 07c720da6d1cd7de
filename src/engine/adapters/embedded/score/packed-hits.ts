import type { CandidateRows } from '../match/candidates';
import type { SearchArrays } from '../match/search-arrays';

/** A number is seven bits a byte, the lowest first; this bit says that more follow. */
const MORE = 0x80;
const BITS = 7;
/** Bytes of one number, at the most. */
const LONGEST = 5;

/** Some of a query's candidates: their rows, tiers and texts (times what being behind takes from them). */
type Hits = Pick<CandidateRows, 'rows' | 'tiers'> & { text: Float64Array };

/**
 * Hits in the order of their rows, each as the distance from the row before and the number of its kind: two bytes where many products are hits,
 * three or four where few are. Hits of one kind have the same tier and the same text. There are few kinds: texts follow from which words are in
 * which fields, and how long those are.
 */
export class PackedHits {
  private constructor(
    readonly count: number,
    private readonly packed: Uint8Array,
    /** By kind. */
    private readonly tiers: Uint8Array,
    private readonly texts: Float64Array,
  ) {}

  /** `textOf`: by slot. */
  static of(
    { rows, tiers }: Pick<Hits, 'rows' | 'tiers'>,
    { slots, textOf, arrays }: { slots: Uint32Array; textOf: (slot: number) => number; arrays: SearchArrays },
  ): PackedHits {
    const ordered = inOrderOf(rows, slots, arrays);
    const kinds = new Kinds();
    const packed = arrays.bytes(2 * LONGEST * ordered.length);
    let end = 0;
    const write = (value: number): void => {
      let rest = value;
      for (; rest >= MORE; rest >>>= BITS) packed[end++] = (rest % MORE) + MORE;
      packed[end++] = rest;
    };
    let before = 0;
    for (const slot of ordered) {
      const row = rows[slot]!;
      write(row - before);
      write(kinds.numberOf(tiers[slot]!, textOf(slot)));
      before = row;
    }
    const [ofTiers, ofTexts] = [Uint8Array.from(kinds.tiers), Float64Array.from(kinds.texts)];
    return new PackedHits(ordered.length, packed.slice(0, end), ofTiers, ofTexts);
  }

  get bytes(): number {
    return this.packed.byteLength + this.tiers.byteLength + this.texts.byteLength;
  }

  unpack(arrays: SearchArrays): Hits {
    const { count } = this;
    const numbers = this.numbers(arrays);
    const [rows, tiers, text] = [arrays.ints(count), arrays.bytes(count), arrays.doubles(count)];
    let row = 0;
    for (let slot = 0; slot < count; slot++) {
      row += numbers[2 * slot]!;
      const kind = numbers[2 * slot + 1]!;
      rows[slot] = row;
      tiers[slot] = this.tiers[kind]!;
      text[slot] = this.texts[kind]!;
    }
    return { rows, tiers, text };
  }

  private numbers(arrays: SearchArrays): Uint32Array {
    const { packed } = this;
    const numbers = arrays.ints(2 * this.count);
    for (let at = 0, index = 0; at < packed.length; index++) {
      let byte = packed[at++]!;
      let value = byte % MORE;
      for (let bits = BITS; byte >= MORE; bits += BITS) {
        byte = packed[at++]!;
        value |= (byte % MORE) << bits;
      }
      numbers[index] = value;
    }
    return numbers;
  }
}

/** Tiers with their texts, numbered as they come. */
class Kinds {
  readonly tiers: number[] = [];
  readonly texts: number[] = [];
  /** By tier. */
  private readonly numbers: (Map<number, number> | undefined)[] = [];
  private latest = -1;

  numberOf(tier: number, text: number): number {
    const { latest } = this;
    // Neighbours are often alike.
    if (this.texts[latest] === text && this.tiers[latest] === tier) return latest;
    const ofTier = (this.numbers[tier] ??= new Map());
    let number = ofTier.get(text);
    if (number === undefined) {
      number = this.texts.length;
      ofTier.set(text, number);
      this.tiers.push(tier);
      this.texts.push(text);
    }
    this.latest = number;
    return number;
  }
}

/** Slots by their rows. Those of candidates are a run for each form of a word that was found, so runs are merged. */
function inOrderOf(rows: Uint32Array, slots: Uint32Array, arrays: SearchArrays): Uint32Array {
  let ends = endsOfRuns(rows, slots);
  let from = slots;
  let [to, free] = ends.length > 1 ? [arrays.ints(slots.length), arrays.ints(slots.length)] : [slots, slots];
  while (ends.length > 1) {
    const merged: number[] = [];
    for (let run = 0; run < ends.length; run += 2) {
      const [start, middle] = [ends[run - 1] ?? 0, ends[run]!];
      const end = ends[run + 1] ?? middle;
      for (let at = start, left = start, right = middle; at < end; at++) {
        const isLeft = right === end || (left < middle && rows[from[left]!]! <= rows[from[right]!]!);
        to[at] = from[isLeft ? left++ : right++]!;
      }
      merged.push(end);
    }
    ends = merged;
    [from, to, free] = [to, free, to];
  }
  return from;
}

function endsOfRuns(rows: Uint32Array, slots: Uint32Array): number[] {
  const ends: number[] = [];
  for (let at = 1; at < slots.length; at++) if (rows[slots[at - 1]!]! > rows[slots[at]!]!) ends.push(at);
  return [...ends, slots.length];
}
