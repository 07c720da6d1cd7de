/** Longer texts are seldom met twice, and would take room. */
const LONGEST = 200;

/**
 * A pure function of a text that remembers what it gave for the last `most` texts of up to 200 characters. A full table begins anew: which entry is
 * the oldest would cost more to know than most functions do.
 */
export function remembered<V extends NonNullable<unknown>>(most: number, of: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = of(text);
    if (text.length > LONGEST) return value;
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}
