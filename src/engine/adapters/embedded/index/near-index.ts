import { editDistance } from '../../../../shared/edit-distance';
import { forgivenEdits } from '../../../analysis/edit-distance';
import { Growable } from './growable';

/** Numbers of a word in its bucket: its letters, its term. */
const STRIDE = 2;
const SMALL = 16;
const LENGTHS = 64;
/** What comparing two words costs, in words that are only looked at. */
const COMPARED = 32;

/** What a request may still do, in words looked at (about two nanoseconds each). */
export interface Budget {
  left: number;
}

export interface FoundWord {
  term: number;
  word: string;
  distance: number;
}

/**
 * Words by first letter and length, eight bytes each. Of a word's letters a set of 32 bits is kept; an edit takes at most one letter
 * from it and brings at most one in, so nearly every word that is too far is told by its bits alone.
 * A term may stand for another word before its entry is swept: such an entry is found no more.
 */
export class NearIndex {
  private readonly buckets = new Map<number, Growable<Uint32Array>>();

  /** `wordOf`: the word of a term; empty where it stands for nothing any more. */
  constructor(private readonly wordOf: (term: number) => string) {}

  add(term: number, word: string): void {
    const key = keyOf(word);
    let bucket = this.buckets.get(key);
    if (!bucket) this.buckets.set(key, (bucket = Growable.ints(SMALL)));
    bucket.push(lettersOf(word));
    bucket.push(term);
  }

  remove(term: number, word: string): void {
    const bucket = this.buckets.get(keyOf(word));
    if (!bucket) return;
    for (let at = 0; at < bucket.length; at += STRIDE) {
      if (bucket.data[at + 1] !== term) continue;
      bucket.length -= STRIDE;
      bucket.data.copyWithin(at, bucket.length, bucket.length + STRIDE);
      return;
    }
  }

  /** Drops entries whose term stands for another word or none, and gives back their room, a bucket at a time. */
  *sweep(): Generator<void, void> {
    for (const [key, bucket] of this.buckets) {
      const seen = new Set<number>();
      let kept = 0;
      for (let at = 0; at < bucket.length; at += STRIDE) {
        const term = bucket.data[at + 1]!;
        const word = this.wordOf(term);
        const isItsWord = word !== '' && keyOf(word) === key && lettersOf(word) === bucket.data[at];
        if (!isItsWord || seen.has(term)) continue;
        seen.add(term);
        bucket.data.copyWithin(kept, at, at + STRIDE);
        kept += STRIDE;
      }
      if (kept < bucket.length) {
        bucket.length = kept;
        bucket.trim();
        if (kept === 0) this.buckets.delete(key);
      }
      yield;
    }
  }

  /** Words with the same first letter within the forgiven distance; null where the budget did not last. */
  find(word: string, budget: Budget): FoundWord[] | null {
    const most = forgivenEdits(word);
    const found: FoundWord[] = [];
    for (let length = word.length - most; length <= word.length + most; length++) {
      const bucket = this.buckets.get(bucketOf(word.charCodeAt(0), length));
      if (!bucket) continue;
      budget.left -= bucket.length / STRIDE;
      if (budget.left < 0) return null;
      this.compare(word, { bucket, length, most }, (near) => {
        budget.left -= COMPARED;
        if (near && !found.some(({ term }) => term === near.term)) found.push(near);
        return budget.left >= 0;
      });
      if (budget.left < 0) return null;
    }
    return found;
  }

  /** Tells of every comparison; ends where `told` says no. */
  private compare(
    word: string,
    { bucket, length, most }: { bucket: Growable<Uint32Array>; length: number; most: number },
    told: (near: FoundWord | null) => boolean,
  ): void {
    const letters = lettersOf(word);
    // What the difference in length takes brings no letter in, or takes none away.
    const lost = most - Math.max(0, length - word.length);
    const gained = most - Math.max(0, word.length - length);
    const { data } = bucket;
    for (let at = 0; at < bucket.length; at += STRIDE) {
      const others = data[at]!;
      if (isMore(letters & ~others, lost) || isMore(others & ~letters, gained)) continue;
      const term = data[at + 1]!;
      const other = this.wordOf(term);
      const isItsWord = other.length === length && other.charCodeAt(0) === word.charCodeAt(0);
      const distance = isItsWord ? editDistance(word, other, most) : most + 1;
      if (!told(distance <= most ? { term, word: other, distance } : null)) return;
    }
  }
}

/** Words longer than any bucket are none of an index. */
const bucketOf = (first: number, length: number): number => first * LENGTHS + Math.min(length, LENGTHS - 1);

const keyOf = (word: string): number => bucketOf(word.charCodeAt(0), word.length);

function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters >>> 0;
}

/** Whether more than so many bits are set. */
function isMore(bits: number, most: number): boolean {
  let left = bits;
  for (let taken = 0; taken < most; taken++) left &= left - 1;
  return left !== 0;
}
