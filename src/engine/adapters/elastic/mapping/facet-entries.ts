import { levelsOf } from '../../../../ranking/vectors/category-path';
import { type FacetEntry, facets, splitStored, type StoredKind } from '../../../facets';
import type { CountedValue } from '../../../facet-values';

/** Characters of a label; a keyword ends at 32 KB. */
const LONGEST_LABEL = 1000;
/** No text has it. */
const SEPARATOR = '\u001f';
/** Of values below the top: in the order of a facet, levels come before those below them. */
const MOST_LEVELS = 9;

/**
 * A facet's value as one keyword, so that counting needs one aggregation and no look-up. It begins with what the order of equally
 * frequent values goes by: the level, then the key.
 */
export function writeEntry(kind: StoredKind, { key, label, id = key, parent = null, facet = '' }: FacetEntry): string {
  const level = parent === null ? 0 : Math.min(MOST_LEVELS, levelsOf(key).length);
  const more = { plain: [], ids: [id], tree: [id, ...(parent === null ? [] : [parent])], family: [id, facet] };
  return [`${level}${key}`, label.slice(0, LONGEST_LABEL), ...more[facets[kind].shape]].join(SEPARATOR);
}

/** An entry and the number of hits that have it -> a value. */
export function readEntry(kind: StoredKind, entry: string, size: number): CountedValue {
  const [head = '', label = '', id, more = null] = entry.split(SEPARATOR);
  const key = head.slice(1);
  const own = { key, label, idO: id ?? splitStored(kind, key).key, size };
  return facets[kind].shape === 'family' ? { ...own, parent: null, facet: more ?? '' } : { ...own, parent: more };
}

/** What the entries of the values of one facet begin with: they are at the top. */
export const entriesBegin = (prefix: string): string => `0${prefix}`;

/** Values that were labelled in two ways are one, under its more frequent label. */
export function mergeEntries(values: readonly CountedValue[]): CountedValue[] {
  const byKey = new Map<string, CountedValue>();
  for (const value of values) {
    const known = byKey.get(value.key);
    const [main, other] = known && known.size >= value.size ? [known, value] : [value, known];
    byKey.set(value.key, { ...main, size: main.size + (other?.size ?? 0) });
  }
  return [...byKey.values()];
}
