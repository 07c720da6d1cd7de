import { ownText } from './own-text';

/** Longer texts are seldom met twice, and would take room. */
const LONGEST = 64;

/**
 * A pure function of a text that remembers at most `most` answers, of texts of up to 64 characters. A full table is emptied: simpler than to drop the
 * oldest, and seldom.
 */
export function remembered<V extends NonNullable<unknown>>(most: number, of: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (text.length > LONGEST) return of(text);
    const own = ownText(text);
    const value = of(own);
    if (known.size >= most) known.clear();
    known.set(own, value);
    return value;
  };
}
