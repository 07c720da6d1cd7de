import { isFiller } from './stop-words';
import { saying, type WeighedWord } from './term-weights';

/** A word of a query as it is searched. */
interface SearchedWord extends WeighedWord {
  word: string;
  /** A word of the store that it may stand for, and is not taken for. */
  other: string | null;
}

/**
 * Queries that may find more than a query of these words: with a word of the store instead of one like it that it does not have, and without
 * the words that say the least (those that no product has, or else the weakest). Filler words alone say nothing.
 */
export function suggestionsFor(words: readonly SearchedWord[], language: string): string[] {
  const text = (some: readonly SearchedWord[], wordOf = ({ word }: SearchedWord): string => word): string =>
    some.map(wordOf).join(' ');
  const others = words.some(({ other }) => other !== null) ? [text(words, ({ word, other }) => other ?? word)] : [];
  const known = words.filter(({ documents }) => documents > 0);
  const weakest = Math.min(...known.map(saying));
  const stronger = known.length < words.length ? known : known.filter((word) => saying(word) > weakest);
  const fewer = stronger.length > 0 ? [text(stronger)] : [];
  return [...new Set([...others, ...fewer])].filter((query) => query !== text(words) && !isFiller(query, language));
}
