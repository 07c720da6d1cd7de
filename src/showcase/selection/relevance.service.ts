import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/catalog-records';
import { viewIn } from '../../catalog/channel-view';
import { categoriesOf, categoryKey, categoryPaths } from '../../catalog/categories';
import { Clock } from '../../clock';
import { understand } from '../../search/query/understand';
import { defaultTemplate } from '../../search/ranking/template';
import { SearchEngine } from '../../search/engine/search-engine';
import type { Store } from '../../stores/store';
import type { ShowcaseParameters } from '../parameters';
import type { Shelf } from './shelf';

/** What a level further up is worth: the same product in the category itself comes before one beside it. */
const CLIMB = 0.5;
/** Hits of a search in which sponsored products are looked for: what is further down does not answer the query. */
const SEARCHED = 300;

/** How well each product of a shelf fits the page it is to be shown on: from 0 (not at all) to 1. */
@Injectable()
export class RelevanceService {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly clock: Clock,
  ) {}

  async of(store: Store, shelf: Shelf, request: ShowcaseParameters & { channel: string }): Promise<Float64Array> {
    const { placement, categories = [], id = '', search = '', channel } = request;
    if (placement === 'category') return climbed(shelf, levelsNamed(shelf, categories));
    if (placement === 'product') return this.besideProduct(store, shelf, { id, channel });
    if (placement === 'search') return this.found(store, shelf, { search, channel });
    return new Float64Array(shelf.products.length).fill(1);
  }

  /** The product's own categories, and then the ones above; never the product itself. */
  private async besideProduct(
    store: Store,
    shelf: Shelf,
    { id, channel }: { id: string; channel: string },
  ): Promise<Float64Array> {
    const [record] = await this.records.read(store.id, [id]);
    const sent = record ? (viewIn(record, channel) ?? viewIn(record, null))?.sent : undefined;
    const paths = categoryPaths(categoriesOf(sent?.['categories']));
    const levels: string[][] = [];
    for (const path of paths) {
      path.forEach((_level, depth) =>
        (levels[path.length - 1 - depth] ??= []).push(categoryKey(path.slice(0, depth + 1))),
      );
    }
    const relevance = climbed(shelf, levels);
    const own = shelf.placeOf(id);
    if (own !== undefined) relevance[own] = 0;
    return relevance;
  }

  /** By how well it answers the query, beside the best answer there is. */
  private async found(
    store: Store,
    shelf: Shelf,
    { search, channel }: { search: string; channel: string },
  ): Promise<Float64Array> {
    const relevance = new Float64Array(shelf.products.length);
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
      template: defaultTemplate,
      boosts: null,
      explain: false,
    });
    const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
    for (const { productId, score } of hits) {
      const place = shelf.placeOf(productId);
      if (place !== undefined) relevance[place] = score / best;
    }
    return relevance;
  }
}

/** From the page's own category up to the top: keys by level. Several texts are breadcrumbs, the top first; one may be a path. */
function levelsNamed(shelf: Shelf, texts: readonly string[]): (readonly string[])[] {
  const named = texts.toReversed().map((text) => shelf.categoryKeys(text));
  const paths = texts.filter((text) => text.includes('>')).flatMap((text) => climb(keyOfPath(text)));
  const above = (named.find((keys) => keys.length > 0) ?? []).map(climb);
  const longest = Math.max(0, ...above.map((keys) => keys.length));
  const fromKeys = Array.from({ length: longest }, (_, level) => above.flatMap((keys) => keys[level] ?? []));
  return fromKeys.length > 0 ? fromKeys : paths.map((key) => [key]);
}

const keyOfPath = (text: string): string =>
  categoryPaths(categoriesOf([text]))
    .map(categoryKey)
    .at(0) ?? '';

/** `a/b/c` -> itself and every level above. */
function climb(key: string): string[] {
  const levels = key.split('/');
  return levels.map((_, up) => levels.slice(0, levels.length - up).join('/'));
}

function climbed(shelf: Shelf, levels: readonly (readonly string[])[]): Float64Array {
  const relevance = new Float64Array(shelf.products.length);
  levels.forEach((keys, level) => {
    for (const place of keys.flatMap((key) => shelf.inCategory(key))) {
      relevance[place] = Math.max(relevance[place] ?? 0, CLIMB ** level);
    }
  });
  return relevance;
}
