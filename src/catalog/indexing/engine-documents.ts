import { EVERY_CHANNEL } from '../../engine/channels';
import { facetName, type FamilyEntry, familyKey } from '../../engine/facets';
import type { EngineDocument } from '../../engine/search-engine';
import { pickSignalFields } from '../../ranking/signal-numbers';
import type { StoreSettings } from '../../stores/store-settings';
import type { CatalogRecord } from '../records/catalog-records';
import { categoriesOf, categoryKeys, categoryPaths, isSensitive } from '../product/categories';
import { channelsOf, recordVersion, viewIn } from '../product/channel-view';
import { normaliseValue, productFeatures, type ProductFeatures } from '../../ranking/vectors/features';
import type { CategoryRef, Product } from '../product/product';
import { numberOf, textOf } from '../product/sent-values';
import { detailsOf } from '../product/skus';
import { tagsOf, toProduct } from '../product/to-product';

type IndexedSettings = Pick<StoreSettings, 'defaultSalesChannel' | 'sensitiveCategories'>;

/**
 * The documents of a product: one for every channel, unless it was written with channels alone, and one for each channel in which it
 * differs. None where it can't be found at all.
 */
export function toEngineDocuments(record: CatalogRecord, settings: IndexedSettings): EngineDocument[] {
  const channels = channelsOf(record);
  const common = toProduct(record, null);
  const version = recordVersion(record);
  const own = channels.flatMap((channel) => {
    const product = toProduct(record, channel);
    return product ? [documentOf(product, { channel, excludedChannels: [], version }, settings)] : [];
  });
  if (!common) return own;
  return [documentOf(common, { channel: EVERY_CHANNEL, excludedChannels: channels, version }, settings), ...own];
}

type ChannelPart = Pick<EngineDocument, 'channel' | 'excludedChannels' | 'version'>;

function documentOf(product: Product, channelPart: ChannelPart, settings: IndexedSettings): EngineDocument {
  const { brand, skus } = product;
  const eans = [product.eanCode, ...skus.map((sku) => sku.eanCode)].filter((ean) => ean !== null);
  const ids = skus.map(({ sku }) => sku).filter((sku) => sku !== product.id);
  return {
    productId: product.id,
    ...channelPart,
    text: textFields(product, [product.id, ...ids, ...new Set(eans)]),
    exact: [...new Set([product.name, product.id, ...ids, ...eans])],
    ...pickSignalFields(product),
    brand: brand === null ? null : { key: normaliseValue(brand), label: brand },
    categories: categoryTree(product.categories),
    tags: tagEntries(product.tags),
    specs: specEntries(product),
    details: detailEntries(product),
    features: [...featuresIn(product, settings).f],
  };
}

function textFields(product: Product, codes: readonly string[]): EngineDocument['text'] {
  const { skus, specs, details } = product;
  const names = skus.flatMap(({ name }) => (name === null || name === product.name ? [] : [name]));
  const variants = skus.flatMap((sku) => [...Object.values(sku.specs).flat(), ...Object.values(sku.details).flat()]);
  const labels = Object.values(specs).flatMap((values) => values.map(({ label }) => label));
  const tags = [...product.tags.map(({ name }) => name), ...labels, ...Object.values(details).flat()];
  return {
    name: product.name,
    brand: product.brand ?? '',
    categories: product.categories.map(({ name }) => name).join(' '),
    tags: [...new Set(tags)].join(' '),
    skus: [...new Set([...codes, ...names, ...variants])].join(' '),
    description: product.description,
  };
}

/** Every level of every path once, a parent before its children. */
function categoryTree(refs: readonly CategoryRef[]): EngineDocument['categories'] {
  const levels = new Map<string, EngineDocument['categories'][number]>();
  for (const path of categoryPaths(refs)) {
    const keys = categoryKeys(path);
    path.forEach(({ id, name }, depth) => {
      const key = keys[depth] ?? '';
      if (!levels.has(key)) levels.set(key, { key, id, label: name, parent: keys[depth - 1] ?? null });
    });
  }
  return [...levels.values()];
}

/** Entries of a kind that a document has at most, and characters of a value: longer ones are texts, which divide nothing. */
const MOST_ENTRIES = 100;
const LONGEST_VALUE = 64;
const LONGEST_ID = 256;

function tagEntries(tags: Product['tags']): EngineDocument['tags'] {
  const entries = tags.map(({ id, name }) => ({ key: normaliseValue(name), id: id.slice(0, LONGEST_ID), label: name }));
  return firstOfEach(entries.filter(({ key, label }) => key !== '' && label.length <= LONGEST_VALUE));
}

/** Of the product, and of its SKUs what it does not say itself. */
function specEntries({ specs, skus }: Product): FamilyEntry[] {
  const own = Object.entries(specs).flatMap(([name, values]) => values.flatMap((value) => inFamily(name, value)));
  const ofSkus = skus.flatMap((sku) => Object.entries(sku.specs).flatMap(([name, labels]) => labelled(name, labels)));
  return firstOfEach([...own, ...ofSkus]);
}

function detailEntries({ details, skus }: Product): FamilyEntry[] {
  const all = [details, ...skus.map((sku) => sku.details)].flatMap((one) => Object.entries(one));
  return firstOfEach(all.flatMap(([name, labels]) => labelled(name, labels)));
}

const labelled = (name: string, labels: readonly string[]): FamilyEntry[] =>
  labels.flatMap((label) => inFamily(name, { id: label, label }));

function inFamily(name: string, { id, label }: { id: string; label: string }): FamilyEntry[] {
  if (name.length > LONGEST_VALUE || label.length > LONGEST_VALUE) return [];
  if (facetName(name) === '' || normaliseValue(label) === '') return [];
  return [{ key: familyKey(name, label), id: id.slice(0, LONGEST_ID), label, facet: name }];
}

function firstOfEach<E extends { key: string }>(entries: readonly E[]): E[] {
  const found = new Map<string, E>();
  for (const entry of entries) if (!found.has(entry.key) && found.size < MOST_ENTRIES) found.set(entry.key, entry);
  return [...found.values()];
}

type Described = Pick<Product, 'id' | 'name' | 'brand' | 'categories' | 'tags' | 'details'> & { price: number | null };

/** `f` is empty only for a product in a sensitive category: nothing of it may enter a vector. */
function featuresIn(product: Described, { sensitiveCategories }: IndexedSettings): ProductFeatures {
  if (isSensitive(product.categories, sensitiveCategories)) return { id: product.id, f: [], t: '' };
  return productFeatures({
    id: product.id,
    name: product.name,
    brand: product.brand,
    categories: categoryPaths(product.categories).map((path) => path.map(({ name }) => name)),
    tags: product.tags.map(({ name }) => name),
    details: product.details,
    price: product.price,
  });
}

/**
 * What events remember of a product: as it is in the default sales channel, else as it was written without one, else in the
 * first it is in. Products that searches can't find have features too, since they can be viewed; so have removed ones, whose
 * history still counts. Null where nothing was ever sent.
 */
export function toFeatures(record: CatalogRecord, settings: IndexedSettings): ProductFeatures | null {
  const channels = [settings.defaultSalesChannel, null, ...channelsOf(record)];
  const views = channels.map((channel) => viewIn(record, channel)).filter((view) => view !== null);
  const sent = (views.find(({ removed }) => !removed) ?? views[0])?.sent;
  if (!sent) return null;
  const product = {
    id: record.productId,
    name: textOf(sent['name']) ?? '',
    brand: textOf(sent['brand']),
    categories: categoriesOf(sent['categories']),
    tags: tagsOf(sent['tags']),
    details: detailsOf(sent['details']),
    price: numberOf(sent['price']),
  };
  return featuresIn(product, settings);
}
