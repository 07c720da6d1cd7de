import { joinLevels, levelsOf, pathAndAbove, topLevelOf } from './category-path';

/**
 * Catalog product -> the named features a shopper can have a taste for (docs/ranking.md, "Behaviour vector").
 * Events keep it as it was when they came, so it is short as JSON and never depends on anything but the product.
 */

/** What of a catalog product makes features. `categories` are paths, the root first; `details` may include the specs. */
export interface FeatureSource {
  readonly id: string;
  readonly name?: string | null;
  readonly brand?: string | null;
  readonly categories?: readonly (readonly string[])[];
  readonly tags?: readonly string[];
  readonly details?: Readonly<Record<string, readonly string[]>>;
  readonly price?: number | null;
}

/** A feature snapshot. `f` leaves out `product:ID` and `related:ID`, which follow from the id. */
export interface ProductFeatures {
  readonly id: string;
  /** Feature names, without repeats. */
  readonly f: readonly string[];
  /** Top category, normalised: the scope of prices, tags, attributes and brands. */
  readonly t: string;
  /** Price in the store's currency, where known and positive. */
  readonly p?: number;
}

/** At most this many names in `f`; with `product:ID` 24 in all, so that an event stays small. */
const MAX_FEATURES = 23;
const MAX_TAGS = 8;
const MAX_DETAILS = 8;
const MAX_PATHS = 2;
const MAX_LEVELS = 3;
const MAX_VALUE = 64;
/** Of a name in `f`, where long values meet in one: the rest is cut. */
const LONGEST_FEATURE = 128;
/** Where a product has no category at all: one scope for the whole shop. */
const NO_CATEGORY = 'all';
const SHORTEST_WORD = 3;

const ASCII = /^[\x20-\x7e]*$/;

function plain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Lower case without accents, white space collapsed: the same value however the feed spells it. */
export function normaliseValue(value: string): string {
  return plain(value).replace(/\s+/g, ' ').trim().slice(0, MAX_VALUE).trim();
}

/** The name of a category as a level of a path: `/` stands between those. */
export const levelKey = (name: string): string => normaliseValue(name.replaceAll('/', ' '));

/** The words of a text, normalised in the same way. */
export function plainWords(text: string): string[] {
  return plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** A value inside a name: `/` and `@` separate the parts of a name, so they can't be in one. */
function part(value: string): string {
  return normaliseValue(value.replace(/[/@]/g, ' '));
}

function parts(values: readonly string[]): string[] {
  return [...new Set(values.map(part))].filter((value) => value !== '');
}

/** `Shoes`, `Running` -> `shoes/running`: the name of a category in features. */
export function categoryPath(path: readonly string[]): string {
  return joinLevels(
    path
      .map(part)
      .filter((level) => level !== '')
      .slice(0, MAX_LEVELS),
  );
}

/** The feature names of a category that was looked at: itself and every level above. */
export function categoryFeatures(path: readonly string[]): string[] {
  const found = categoryPath(path);
  return found === '' ? [] : pathAndAbove(levelsOf(found)).map((above) => bounded(`category:${above}`));
}

function bounded(feature: string): string {
  return feature.length <= LONGEST_FEATURE ? feature : feature.slice(0, LONGEST_FEATURE).toWellFormed();
}

export const productFeature = (productId: string): string => `product:${productId}`;
export const relatedFeature = (productId: string): string => `related:${productId}`;

/** `brand@leaf:acme@shoes/running` -> `brand@leaf`. */
export function featureKind(feature: string): string {
  const end = feature.indexOf(':');
  return end < 0 ? feature : feature.slice(0, end);
}

/** What comes after the kind: `brand:acme` -> `acme`. */
export function featureValue(feature: string): string {
  return feature.slice(feature.indexOf(':') + 1);
}

/**
 * Title words that stand in for tags. Which of them say anything is decided later, by lift: a word the whole shop shares
 * has a share near 1 and so no lift. Only what can't be a taste (numbers, one or two letters) is left out here.
 */
function titleWords(name: string): string[] {
  const useful = plainWords(name).filter((word) => word.length >= SHORTEST_WORD && !/^\p{N}+$/u.test(word));
  return [...new Set(useful)];
}

function brandFeatures(brand: string, top: string, leaf: string): string[] {
  if (brand === '') return [];
  return [`brand:${brand}`, `brand@category:${brand}@${top}`, `brand@leaf:${brand}@${leaf}`];
}

/** The features of a product, the same for the same content, at most 24 with `product:ID`. */
export function productFeatures(product: FeatureSource): ProductFeatures {
  const paths = (product.categories ?? []).map(categoryPath).filter((path) => path !== '');
  const leaf = paths[0] ?? NO_CATEGORY;
  const top = topLevelOf(leaf);
  const categories = (paths.length > 0 ? paths : [NO_CATEGORY])
    .slice(0, MAX_PATHS)
    .flatMap((path) => categoryFeatures(levelsOf(path)));
  const tags = parts(product.tags ?? []);
  const words = tags.length > 0 ? tags : titleWords(product.name ?? '');
  const details = parts(Object.values(product.details ?? {}).flat());
  const all = [
    ...brandFeatures(part(product.brand ?? ''), top, leaf),
    ...categories,
    ...words.slice(0, MAX_TAGS).map((word) => `tag@category:${word}@${top}`),
    ...details.slice(0, MAX_DETAILS).map((value) => `attr@category:${value}@${top}`),
  ];
  const f = [...new Set(all.map(bounded))].slice(0, MAX_FEATURES);
  const price = product.price ?? 0;
  return price > 0 && Number.isFinite(price) ? { id: product.id, f, t: top, p: price } : { id: product.id, f, t: top };
}
