import { joinLevels, levelsOf } from '../ranking/category-path';
import { normaliseValue } from '../ranking/features';

/**
 * The kinds of facets. A kind is declared in this file alone: where its values come from, how both engines keep, count and
 * filter them, and where replies list them. An Elasticsearch index also needs the fields in elastic/products.json.
 */

/** A value of a facet as a document has it. */
export interface FacetEntry {
  /** Normalised: what filters compare. Of a level in a tree, its path. */
  key: string;
  label: string;
  /** The id the store gave; absent: the key. */
  id?: string;
  /** In a tree, the key of the level above; null: at the top. */
  parent?: string | null;
}

/** The fields of an indexed product that facets read. */
export interface FacetFields {
  brand: { key: string; label: string } | null;
  /** Every level: `{ key: 'a/b', label: 'B', parent: 'a' }`, top first. */
  categories: { key: string; id: string; label: string; parent: string | null }[];
}

interface ValuesFacet {
  type: 'values';
  /** Place in the list of filters of a reply. */
  position: number;
  valuesOf(document: FacetFields): readonly FacetEntry[];
  /** Documents have one value at most. */
  single: boolean;
  /** Values are levels of a tree, with ids and parents of their own. */
  tree: boolean;
  /** What its terms begin with in the embedded engine; `f`, `h`, `s` and `w` are taken (term-ids.ts). */
  letter: string;
  /** Index fields of its keys and of its whole entries. */
  fields: { key: string; entry: string };
  /** How a filter names a value in words. */
  spelling: string;
}

interface RangesFacet {
  type: 'ranges';
  position: number;
  /** The index field the ranges are over. */
  field: string;
  spelling: string;
}

/** In stored order: new kinds come last. */
export const facets = {
  brand: {
    type: 'values',
    position: 2,
    valuesOf: ({ brand }) => (brand ? [brand] : []),
    single: true,
    tree: false,
    letter: 'b',
    fields: { key: 'brand', entry: 'brandEntry' },
    spelling: 'brand:<name>',
  },
  category: {
    type: 'values',
    position: 1,
    valuesOf: ({ categories }) => categories,
    single: false,
    tree: true,
    letter: 'c',
    fields: { key: 'categories', entry: 'categoryEntries' },
    spelling: 'category:<path>',
  },
  price: { type: 'ranges', position: 3, field: 'price', spelling: 'price:<min>..<max>' },
} as const satisfies Record<string, ValuesFacet | RangesFacet>;

type Facets = typeof facets;
export type FacetKind = keyof Facets;
export type ValueKind = { [K in FacetKind]: Facets[K]['type'] extends 'values' ? K : never }[FacetKind];
export type RangeKind = Exclude<FacetKind, ValueKind>;

/** The index fields of all kinds. */
export type FacetIndexField = Facets[ValueKind]['fields']['key' | 'entry'];

export const facetKinds = Object.keys(facets) as FacetKind[];
export const isValueKind = (kind: string): kind is ValueKind =>
  Object.hasOwn(facets, kind) && facets[kind as FacetKind].type === 'values';
export const isRangeKind = (kind: string): kind is RangeKind => Object.hasOwn(facets, kind) && !isValueKind(kind);
export const valueKinds = facetKinds.filter(isValueKind);

/** The declaration of a kind with values, as its general type. */
export const valuesFacet = (kind: ValueKind): ValuesFacet => facets[kind];

/** As replies list them. */
export const facetsInReplies: readonly FacetKind[] = facetKinds.toSorted(
  (a, b) => facets[a].position - facets[b].position,
);

/** A value as a shopper's filter spells it -> its key. */
export function facetKey(kind: ValueKind, spelled: string): string {
  return facets[kind].tree ? joinLevels(levelsOf(spelled).map(normaliseValue)) : normaliseValue(spelled);
}
