import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { viewIn } from '../../catalog/product/channel-view';
import { categoriesOf, categoryKeys, categoryPaths } from '../../catalog/product/categories';
import { levelsOf, pathAndAbove } from '../../ranking/category-path';
import { Clock } from '../../shared/clock';
import { understand } from '../../engine/plan/understand';
import { BoostTemplates } from '../../stores/boost-templates';
import { SearchEngine } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import type { ShowcaseParameters } from '../parameters';
import type { Inventory } from './inventory';

/** What a level further up is worth: the same product in the category itself comes before one beside it. */
const CLIMB = 0.5;
/** Results of a search in which sponsored products are looked for: what is further down does not answer the query. */
const SEARCHED = 300;

/** How well each product of a inventory fits the page it is to be shown on: from 0 (not at all) to 1. */
@Injectable()
export class RelevanceService {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly templates: BoostTemplates,
    private readonly clock: Clock,
  ) {}

  async of(
    store: Store,
    inventory: Inventory,
    request: ShowcaseParameters & { channel: string },
  ): Promise<Float64Array> {
    const { placement, categories = [], id = '', search = '', channel } = request;
    if (placement === 'category') return climbed(inventory, levelsNamed(inventory, categories));
    if (placement === 'product') return this.besideProduct(store, inventory, { id, channel });
    if (placement === 'search') return this.found(store, inventory, { search, channel });
    return new Float64Array(inventory.products.length).fill(1);
  }

  /** The product's own categories, and then the ones above; never the product itself. */
  private async besideProduct(
    store: Store,
    inventory: Inventory,
    { id, channel }: { id: string; channel: string },
  ): Promise<Float64Array> {
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
    const own = inventory.placeOf(id);
    if (own !== undefined) relevance[own] = 0;
    return relevance;
  }

  /** By how well it answers the query, beside the best answer there is. */
  private async found(
    store: Store,
    inventory: Inventory,
    { search, channel }: { search: string; channel: string },
  ): Promise<Float64Array> {
    const relevance = new Float64Array(inventory.products.length);
    const { language } = store.settings;
    const { match } = await understand({ terms: search, language }, (words) => this.engine.words(store.id, { words }));
    const { hits } = await this.engine.search({
      plan: {
        store: store.id,
        channels: [channel],
        language,
        match,
        filters: [],
        availableOnly: true,
        sortBy: 'relevance',
        from: 0,
        size: SEARCHED,
        facets: [],
        now: this.clock.now(),
      },
      template: this.templates.of(store.id, { query: search }),
      boosts: null,
      explain: false,
    });
    const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
    for (const { productId, score } of hits) {
      const place = inventory.placeOf(productId);
      if (place !== undefined) relevance[place] = score / best;
    }
    return relevance;
  }
}

/** From the page's own category up to the top: keys by level. Several texts are breadcrumbs, the top first; one may be a path. */
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
    for (const place of keys.flatMap((key) => inventory.inCategory(key))) {
      relevance[place] = Math.max(relevance[place] ?? 0, CLIMB ** level);
    }
  });
  return relevance;
}
