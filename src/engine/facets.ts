import { joinLevels, levelsOf } from '../ranking/vectors/category-path';
import { normaliseValue } from '../ranking/vectors/features';
import { discountShare, type SignalFields } from '../ranking/signal-numbers';
import { percentEdges, priceEdges } from './range-edges';

/**
 * The kinds of facets. A kind is declared in this file alone: where its values come from, how both engines keep, count and
 * filter them, and where replies list them. An Elasticsearch index also needs the fields in elastic/products.json.
 */

/** A value of a facet as a document has it. */
export interface FacetEntry {
  /** Normalised: what filters compare. Of a level in a tree, its path; in a family, behind the name of its facet. */
  key: string;
  label: string;
  /** The id the store gave; absent: the key. */
  id?: string;
  /** In a tree, the key of the level above; null: at the top. */
  parent?: string | null;
  /** In a family, the name of its facet as the store wrote it. */
  facet?: string;
}

/** The fields of an indexed product that facets read. */
export interface FacetFields extends Pick<SignalFields, 'price' | 'oldPrice' | 'available'> {
  brand: { key: string; label: string } | null;
  /** Every level: `{ key: 'a/b', label: 'B', parent: 'a' }`, top first. */
  categories: { key: string; id: string; label: string; parent: string | null }[];
  tags: { key: string; id: string; label: string }[];
  /** `key`: a `familyKey`. */
  specs: FamilyEntry[];
  details: FamilyEntry[];
}

export interface FamilyEntry {
  key: string;
  id: string;
  label: string;
  facet: string;
}

interface ValuesFacet {
  type: 'values';
  valuesOf(document: FacetFields): readonly FacetEntry[];
  /** Documents have one value at most. */
  single: boolean;
  /** Whether values have ids of their own; in a `tree` they are levels with parents, in a `family` they belong to facets by name. */
  shape: 'plain' | 'ids' | 'tree' | 'family';
  /** Values are names that shoppers type. */
  typed: boolean;
  /** What its terms begin with in the embedded engine; `A`, `C`, `N`, `f`, `h`, `s` and `w` are taken (term-ids.ts). */
  letter: string;
  /** Index fields of its keys and of its whole entries. */
  fields: { key: string; entry: string };
  /** How a filter names a value in words. */
  spelling: string;
}

interface RangesFacet {
  type: 'ranges';
  /** What is counted and filtered; null: the document is in no range. */
  valueOf(document: Pick<FacetFields, 'price' | 'oldPrice'>): number | null;
  /** The index field that holds it. */
  field: string;
  /** Where ranges may begin. */
  edges: readonly number[];
  /** Whether values may have parts of a cent: then the index field `finePrice` says so. */
  fine: boolean;
  spelling: string;
}

/** In stored order: new kinds come last. `spec` and `detail` are families: of each name they have a facet, such as `spec.size`. */
export const facets = {
  brand: {
    type: 'values',
    valuesOf: ({ brand }) => (brand ? [brand] : []),
    single: true,
    shape: 'plain',
    typed: true,
    letter: 'b',
    fields: { key: 'brand', entry: 'brandEntry' },
    spelling: 'brand:<name>',
  },
  category: {
    type: 'values',
    valuesOf: ({ categories }) => categories,
    single: false,
    shape: 'tree',
    typed: true,
    letter: 'c',
    fields: { key: 'categories', entry: 'categoryEntries' },
    spelling: 'category:<id, name or path>',
  },
  price: {
    type: 'ranges',
    valueOf: ({ price }) => price,
    field: 'price',
    edges: priceEdges,
    fine: true,
    spelling: 'price:<min>..<max>',
  },
  tag: {
    type: 'values',
    valuesOf: ({ tags }) => tags,
    single: false,
    shape: 'ids',
    typed: false,
    letter: 't',
    fields: { key: 'tags', entry: 'tagEntries' },
    spelling: 'tag:<name>',
  },
  availability: {
    type: 'values',
    valuesOf: ({ available }) => [availabilityEntry(available)],
    single: true,
    shape: 'plain',
    typed: false,
    letter: 'a',
    fields: { key: 'availability', entry: 'availabilityEntry' },
    spelling: 'availability:<available or unavailable>',
  },
  discount: {
    type: 'ranges',
    valueOf: discountPercent,
    field: 'discountPercent',
    edges: percentEdges,
    fine: false,
    spelling: 'discount:<min>..<max>',
  },
  spec: {
    type: 'values',
    valuesOf: ({ specs }) => specs,
    single: false,
    shape: 'family',
    typed: false,
    letter: 'p',
    fields: { key: 'specs', entry: 'specEntries' },
    spelling: 'spec.<name>:<value>',
  },
  detail: {
    type: 'values',
    valuesOf: ({ details }) => details,
    single: false,
    shape: 'family',
    typed: false,
    letter: 'd',
    fields: { key: 'details', entry: 'detailEntries' },
    spelling: 'detail.<name>:<value>',
  },
} as const satisfies Record<string, ValuesFacet | RangesFacet>;

type Facets = typeof facets;
type DeclaredKind = keyof Facets;
type OfType<T extends 'values' | 'ranges'> = {
  [K in DeclaredKind]: Facets[K]['type'] extends T ? K : never;
}[DeclaredKind];
/** The kinds with values, as they are stored. */
export type StoredKind = OfType<'values'>;
export type RangeKind = OfType<'ranges'>;
export type FamilyKind = { [K in StoredKind]: Facets[K]['shape'] extends 'family' ? K : never }[StoredKind];
/** A facet with values: `brand`, `spec.size`. `spec.*` stands for all of a family. */
export type ValueKind = Exclude<StoredKind, FamilyKind> | `${FamilyKind}.${string}`;
export type FacetKind = ValueKind | RangeKind;

/** The index fields of all kinds with values, and of those with ranges that have one of their own. */
export type FacetIndexField = Facets[StoredKind]['fields']['key' | 'entry'] | 'discountPercent';

const declaredKinds = Object.keys(facets) as DeclaredKind[];
const isStored = (kind: string): kind is StoredKind =>
  Object.hasOwn(facets, kind) && facets[kind as DeclaredKind].type === 'values';
export const storedKinds: readonly StoredKind[] = declaredKinds.filter(isStored);
export const rangeKinds: readonly RangeKind[] = declaredKinds.filter((kind) => !isStored(kind)) as RangeKind[];
export const spellings: readonly string[] = declaredKinds.map((kind) => facets[kind].spelling);

/** The declaration of a kind, as its general type. */
export const valuesFacet = (kind: StoredKind): ValuesFacet => facets[kind];
export const rangesFacet = (kind: RangeKind): RangesFacet => facets[kind];

const isFamily = (kind: string): kind is FamilyKind => isStored(kind) && facets[kind].shape === 'family';
export const familyKinds: readonly FamilyKind[] = storedKinds.filter(isFamily);
export const everyFacet = (family: FamilyKind): `${FamilyKind}.*` => `${family}.*`;
/** The family that a request for all of its facets names; null: it is a request for one facet. */
export const familyAsked = (kind: FacetKind): FamilyKind | null => {
  const family = kind.endsWith('.*') ? kind.slice(0, -2) : '';
  return isFamily(family) ? family : null;
};

export const isRangeKind = (kind: string): kind is RangeKind => Object.hasOwn(facets, kind) && !isStored(kind);
export function isValueKind(kind: string): kind is ValueKind {
  const dot = kind.indexOf('.');
  return dot < 0 ? isStored(kind) && !isFamily(kind) : isFamily(kind.slice(0, dot)) && dot < kind.length - 1;
}

/** Between the name of a facet and its value in a stored key; no normalised text has it. */
const IN_FAMILY = '\n';

/** The name of a facet in a family, as kinds and keys have it. `:` and `*` mean something in filters and requests. */
export const facetName = (name: string): string => normaliseValue(name.replace(/[:*]/g, ' '));

/** The key of a value in a family. */
export const familyKey = (name: string, value: string): string =>
  `${facetName(name)}${IN_FAMILY}${normaliseValue(value)}`;

/** Where a facet's values are stored, and what their stored keys begin with. */
export function storedAs(kind: ValueKind): { stored: StoredKind; prefix: string } {
  const dot = kind.indexOf('.');
  if (dot < 0) return { stored: kind as StoredKind, prefix: '' };
  return { stored: kind.slice(0, dot) as StoredKind, prefix: kind.slice(dot + 1) + IN_FAMILY };
}

/** A stored key -> the facet and the key of its value there. */
export function splitStored(stored: StoredKind, key: string): { kind: ValueKind; key: string } {
  if (!isFamily(stored)) return { kind: stored as ValueKind, key };
  const end = key.indexOf(IN_FAMILY);
  return { kind: `${stored}.${key.slice(0, end)}`, key: key.slice(end + 1) };
}

/** A kind as a filter or a setting spells it: `spec.Tamanho` -> `spec.tamanho`; null: there is no such kind. */
export function kindOf(spelled: string): FacetKind | null {
  const dot = spelled.indexOf('.');
  const kind = dot < 0 ? spelled : `${spelled.slice(0, dot)}.${facetName(spelled.slice(dot + 1))}`;
  return isValueKind(kind) || isRangeKind(kind) ? kind : null;
}

/** A value as a shopper's filter spells it -> its key. */
export function facetKey(kind: ValueKind, spelled: string): string {
  const { shape } = facets[storedAs(kind).stored];
  return shape === 'tree' ? joinLevels(levelsOf(spelled).map(normaliseValue)) : normaliseValue(spelled);
}

function availabilityEntry(available: boolean): FacetEntry {
  const key = available ? 'available' : 'unavailable';
  return { key, label: key };
}

/** What was taken off the old price, in percent with two decimals; null: nothing. */
export function discountPercent({ price, oldPrice }: Pick<FacetFields, 'price' | 'oldPrice'>): number | null {
  const percent = Math.round(discountShare({ price, oldPrice: oldPrice ?? Number.NaN }) * 10_000) / 100;
  return percent > 0 ? percent : null;
}
