import { EVERY_CHANNEL } from '../../engine/channels';
import type { EngineDocument } from '../../engine/search-engine';
import { pickSignalFields } from '../../ranking/signals';
import type { StoreSettings } from '../../stores/store-settings';
import type { CatalogRecord } from '../records/catalog-records';
import { categoriesOf, categoryKeys, categoryPaths, isSensitive } from '../product/categories';
import { channelsOf, recordVersion, viewIn } from '../product/channel-view';
import { normaliseValue, productFeatures, type ProductFeatures } from '../../ranking/features';
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
