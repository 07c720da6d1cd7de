/** Bits for each word, and how many of them it sets: three words in a thousand that are none of the set are taken for one. */
const BITS = 12;
const PROBES = 8;
const BITS_OF_A_BYTE = 8;
const SMALL = 1 << 16;

/** Words as a Bloom filter (Bloom 1970): a set of a million takes 1.5 MB, and is read in a millisecond. */
export class WordSet {
  private constructor(readonly bytes: Uint8Array) {}

  /** As `bytes` were. */
  static of(bytes: Uint8Array): WordSet {
    return new WordSet(bytes);
  }

  static from(words: Iterable<string>): WordSet {
    let hashes = new Uint32Array(SMALL);
    let count = 0;
    for (const word of words) {
      if (count + 2 > hashes.length) {
        const grown = new Uint32Array(hashes.length * 2);
        grown.set(hashes);
        hashes = grown;
      }
      [hashes[count], hashes[count + 1]] = hashesOf(word);
      count += 2;
    }
    const bytes = new Uint8Array(Math.ceil(((count / 2) * BITS) / BITS_OF_A_BYTE) + 1);
    for (let at = 0; at < count; at += 2) {
      for (let probe = 0; probe < PROBES; probe++) {
        const bit = bitOf(bytes, [hashes[at]!, hashes[at + 1]!], probe);
        bytes[bit >>> 3]! |= 1 << (bit & 7);
      }
    }
    return new WordSet(bytes);
  }

  has(word: string): boolean {
    const hashes = hashesOf(word);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = bitOf(this.bytes, hashes, probe);
      if ((this.bytes[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }
}

/** Every probe from two hashes (Kirsch and Mitzenmacher 2006). */
function bitOf(bytes: Uint8Array, [first, second]: readonly [number, number], probe: number): number {
  return ((first + Math.imul(second, probe + 1)) >>> 0) % (bytes.length * BITS_OF_A_BYTE);
}

function hashesOf(word: string): [number, number] {
  let [first, second] = [0x811c9dc5, 0x9e3779b9];
  for (let index = 0; index < word.length; index++) {
    const unit = word.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b) ^ (second >>> 13);
  }
  first = Math.imul(first ^ (first >>> 15), 0x2c1b3c6d);
  second = Math.imul(second ^ (second >>> 16), 0xc2b2ae35);
  return [(first ^ (first >>> 13)) >>> 0, ((second ^ (second >>> 15)) | 1) >>> 0];
}
