import { levelsOf } from '../../../../ranking/category-path';
import { type FacetEntry, facets, type ValueKind } from '../../../facets';
import type { FacetValue } from '../../../search-engine';

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
export function writeEntry(kind: ValueKind, { key, label, id = key, parent = null }: FacetEntry): string {
  const level = parent === null ? 0 : Math.min(MOST_LEVELS, levelsOf(key).length);
  const inTree = facets[kind].tree ? [id, ...(parent === null ? [] : [parent])] : [];
  return [`${level}${key}`, label.slice(0, LONGEST_LABEL), ...inTree].join(SEPARATOR);
}

/** An entry and the number of hits that have it -> a value. */
export function readEntry(entry: string, size: number): FacetValue {
  const [head = '', label = '', id, parent = null] = entry.split(SEPARATOR);
  const key = head.slice(1);
  return { key, label, parent, idO: id ?? key, size };
}

/** Values that were labelled in two ways are one, under its more frequent label. */
export function mergeEntries(values: readonly FacetValue[]): FacetValue[] {
  const byKey = new Map<string, FacetValue>();
  for (const value of values) {
    const known = byKey.get(value.key);
    const [main, other] = known && known.size >= value.size ? [known, value] : [value, known];
    byKey.set(value.key, { ...main, size: main.size + (other?.size ?? 0) });
  }
  return [...byKey.values()];
}
