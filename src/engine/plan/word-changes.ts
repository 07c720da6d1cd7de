import { isCorrectable } from '../analysis/edit-distance';
import type { NearWord, WordAnswer } from '../search-engine';

/** What a slip costs (`typingCost`) that is still likelier than two words written as one: a single slip, or several that sound alike. */
const LIKELY_SLIP = 1;
/** A shorter beginning says less than a slip does. */
const SHORTEST_BEGINNING = 4;
/** A word is searched as so many others at most. */
const MOST_OTHERS = 3;

export interface Change {
  kind: 'completion' | 'correction';
  /** The likeliest first. */
  words: Pick<NearWord, 'word' | 'documents'>[];
}

/**
 * What somebody most likely meant who typed a word that neither the store nor the language has, before anybody looks whether it is two words: what was
 * begun is completed before anything of it is changed. Null: nothing that likely.
 */
export function likelyChange(word: string, { near, completions }: WordAnswer): Change | null {
  const longer = completions.filter((other) => isCorrectable(other.word)).slice(0, MOST_OTHERS);
  const completed: Change | null = longer.length > 0 ? { kind: 'completion', words: longer } : null;
  if (completed && word.length >= SHORTEST_BEGINNING) return completed;
  const [first] = near;
  return first && first.cost <= LIKELY_SLIP ? correction(near) : completed;
}

/** Letters that a language writes foreign words with, or without: `smartphone` and `smartfone` are one word. */
const spelledAtHome = (word: string): string => word.replace(/ph/g, 'f').replace(/th/g, 't').replace(/y/g, 'i');

/** A word that is spelled right is searched as another spelling of it alone. */
export function otherSpelling(word: string, { near }: WordAnswer): Change | null {
  const same = near.filter((other) => spelledAtHome(other.word) === spelledAtHome(word));
  return same.length > 0 ? { kind: 'correction', words: same.slice(0, MOST_OTHERS) } : null;
}

/** The same for a word that is not two words either. */
export const anyChange = ({ near }: WordAnswer): Change | null => (near.length > 0 ? correction(near) : null);

/** The likeliest word, and those that are as near as it. */
function correction(near: readonly NearWord[]): Change {
  const words = near.filter(({ cost }) => cost <= (near[0]?.cost ?? 0)).slice(0, MOST_OTHERS);
  return { kind: 'correction', words };
}

const SHORTEST_PART = 3;
/** So long a word may be one of two letters and another: `smarttv`. */
const WITH_SHORT_PART = 6;
const SHORTEST_PART_OF_RIGHT = 4;
const DIGITS_AND_LETTERS = /^(\p{L}+)(\p{N}+)$|^(\p{N}+)(\p{L}+)$/u;

/** In which two words a word may have been meant. `right`: it is a word of the language; then only long parts are likelier. */
export function splitsOf(word: string, { right, stopWords }: Splitting): [string, string][] {
  const mixed = DIGITS_AND_LETTERS.exec(word);
  if (mixed) return [[mixed[1] ?? mixed[3] ?? '', mixed[2] ?? mixed[4] ?? '']];
  const shortest = right ? SHORTEST_PART_OF_RIGHT : word.length >= WITH_SHORT_PART ? SHORTEST_PART - 1 : SHORTEST_PART;
  const splits: [string, string][] = [];
  for (let at = shortest; at <= word.length - shortest; at++) splits.push([word.slice(0, at), word.slice(at)]);
  return splits.filter((parts) => !parts.some((part) => stopWords.has(part)));
}

interface Splitting {
  right: boolean;
  stopWords: ReadonlySet<string>;
}
