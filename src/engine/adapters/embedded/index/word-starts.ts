import { beginsNear } from '../../../analysis/beginnings';
import { Growable } from './growable';
import type { Budget } from './near-index';

const SMALL = 16;
/** What looking at the beginning of a word costs, in the words of a budget. */
const STARTED = 8;
/** What comparing it with one that may be misspelt costs. */
const COMPARED = 16;
const UNITS = 65_536;

export interface StartedWord {
  term: number;
  word: string;
}

/** Words by their first two letters, four bytes each. A term may stand for another word before its entry is swept. */
export class WordStarts {
  private readonly buckets = new Map<number, Growable<Uint32Array>>();

  /** `wordOf`: the word of a term; empty where it stands for nothing any more. */
  constructor(private readonly wordOf: (term: number) => string) {}

  add(term: number, word: string): void {
    const key = bucketOf(word);
    let bucket = this.buckets.get(key);
    if (!bucket) this.buckets.set(key, (bucket = Growable.ints(SMALL)));
    bucket.push(term);
  }

  remove(term: number, word: string): void {
    const bucket = this.buckets.get(bucketOf(word));
    const at = bucket ? bucket.data.subarray(0, bucket.length).indexOf(term) : -1;
    if (!bucket || at < 0) return;
    bucket.length--;
    bucket.data.copyWithin(at, bucket.length, bucket.length + 1);
  }

  /** Drops entries whose term stands for another word or none, and gives back their room, a bucket at a time. */
  *sweep(): Generator<void, void> {
    for (const [key, bucket] of this.buckets) {
      const kept = new Set<number>();
      for (const term of bucket.data.subarray(0, bucket.length)) {
        const word = this.wordOf(term);
        if (word !== '' && bucketOf(word) === key) kept.add(term);
      }
      if (kept.size < bucket.length) {
        bucket.data.set([...kept]);
        bucket.length = kept.size;
        bucket.trim();
        if (kept.size === 0) this.buckets.delete(key);
      }
      yield;
    }
  }

  /** Words that begin so; as many as the budget lasts for. */
  beginning(beginning: string, budget: Budget): StartedWord[] {
    return this.find(beginning, STARTED, { budget, fits: (word) => word.startsWith(beginning) });
  }

  /** Words that begin so but for one typing mistake behind the first letter. */
  near(beginning: string, budget: Budget): StartedWord[] {
    const { length } = beginning;
    const fits = (word: string): boolean => word.length >= length - 1 && beginsNear(word, beginning);
    return this.find(beginning.charAt(0), COMPARED, { budget, fits });
  }

  private find(
    start: string,
    cost: number,
    { budget, fits }: { budget: Budget; fits: (word: string) => boolean },
  ): StartedWord[] {
    const found = new Map<number, StartedWord>();
    for (const bucket of this.bucketsOf(start)) {
      for (let at = 0; at < bucket.length && budget.left > 0; at++) {
        budget.left -= cost;
        const term = bucket.data[at]!;
        const word = this.wordOf(term);
        if (fits(word)) found.set(term, { term, word });
      }
    }
    return [...found.values()];
  }

  /** One for two letters, all of them for one. */
  private bucketsOf(start: string): Growable<Uint32Array>[] {
    if (start.length > 1) return [this.buckets.get(bucketOf(start)) ?? []].flat();
    const first = start.charCodeAt(0);
    return Array.from(this.buckets).flatMap(([key, bucket]) => (Math.floor(key / UNITS) === first ? bucket : []));
  }
}

const bucketOf = (word: string): number => word.charCodeAt(0) * UNITS + (word.length > 1 ? word.charCodeAt(1) : 0);
