import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { viewIn } from '../../catalog/product/channel-view';
import { categoriesOf, categoryKeys, categoryPaths } from '../../catalog/product/categories';
import { levelsOf, pathAndAbove } from '../../ranking/vectors/category-path';
import type { Store } from '../../stores/store';
import type { ShowcaseParameters } from '../parameters';
import type { Inventory } from './inventory';
import { ProductSearch } from './product-search';

/** What each level further up is worth: a product of the category itself comes before one of the category above. */
const CLIMB = 0.5;
/** Sponsored products are looked for among so many search results: what is further down does not answer the query. */
const SEARCHED = 300;

/** How well each product of an inventory fits the page it is to be shown on: from 0 (not at all) to 1. */
@Injectable()
export class RelevanceService {
  constructor(
    private readonly records: CatalogRecords,
    private readonly products: ProductSearch,
  ) {}

  async of(
    store: Store,
    inventory: Inventory,
    request: ShowcaseParameters & { channel: string },
  ): Promise<Float64Array> {
    const { placement, categories = [], id = '', search = '', channel } = request;
    if (placement === 'category') return climbed(inventory, levelsNamed(inventory, categories));
    if (placement === 'product') return this.besideProduct(store, inventory, id, channel);
    if (placement === 'search') return this.found(store, inventory, search, channel);
    return new Float64Array(inventory.products.length).fill(1);
  }

  /** The product's own categories, and then the ones above; never the product itself. */
  private async besideProduct(store: Store, inventory: Inventory, id: string, channel: string): Promise<Float64Array> {
    const [record] = await this.records.read(store.id, [id]);
    const sent = record ? (viewIn(record, channel) ?? viewIn(record, null))?.sent : undefined;
    const paths = categoryPaths(categoriesOf(sent?.['categories']));
    const levels: string[][] = [];
    for (const path of paths) {
      categoryKeys(path)
        .toReversed()
        .forEach((key, up) => (levels[up] ??= []).push(key));
    }
    const relevance = climbed(inventory, levels);
    const own = inventory.slotOf(id);
    if (own !== undefined) relevance[own] = 0;
    return relevance;
  }

  /** How well each product answers the query, relative to the best answer. */
  private async found(store: Store, inventory: Inventory, search: string, channel: string): Promise<Float64Array> {
    const relevance = new Float64Array(inventory.products.length);
    const hits = await this.products.byWords(store, channel, search, SEARCHED);
    const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
    for (const { productId, score } of hits) {
      const slot = inventory.slotOf(productId);
      if (slot !== undefined) relevance[slot] = score / best;
    }
    return relevance;
  }
}

/** Keys by level, from the page's own category up to the top. Several texts are breadcrumbs, the top first; one may be a path. */
function levelsNamed(inventory: Inventory, texts: readonly string[]): (readonly string[])[] {
  const named = texts.toReversed().map((text) => inventory.categoryKeys(text));
  const paths = texts.filter((text) => text.includes('>')).flatMap((text) => climb(keyOfPath(text)));
  const above = (named.find((keys) => keys.length > 0) ?? []).map(climb);
  const longest = Math.max(0, ...above.map((keys) => keys.length));
  const fromKeys = Array.from({ length: longest }, (_, level) => above.flatMap((keys) => keys[level] ?? []));
  return fromKeys.length > 0 ? fromKeys : paths.map((key) => [key]);
}

const keyOfPath = (text: string): string =>
  categoryPaths(categoriesOf([text]))
    .map((path) => categoryKeys(path).at(-1))
    .at(0) ?? '';

/** `a/b/c` -> itself and every level above. */
const climb = (key: string): string[] => pathAndAbove(levelsOf(key)).toReversed();

function climbed(inventory: Inventory, levels: readonly (readonly string[])[]): Float64Array {
  const relevance = new Float64Array(inventory.products.length);
  levels.forEach((keys, level) => {
    for (const slot of keys.flatMap((key) => inventory.inCategory(key))) {
      relevance[slot] = Math.max(relevance[slot] ?? 0, CLIMB ** level);
    }
  });
  return relevance;
}
