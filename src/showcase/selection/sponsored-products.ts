import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/catalog-records';
import { Clock } from '../../clock';
import { SearchEngine } from '../../search/engine/search-engine';
import { FacetRegistry } from '../../search/facets/facet-registry';
import { parseFilters, planFilters } from '../../search/facets/parse-filters';
import { defaultTemplate } from '../../search/ranking/template';
import type { Store } from '../../stores/store';
import { shownIn } from '../reply/shown-product';
import { type SponsoredProduct, sponsoredProduct } from './shelf';

const CHUNK = 100;
/** Products that a campaign's filter finds; of more, those that searches would show first. */
const MOST_FOUND = 1000;

/** Reads what campaigns name. */
@Injectable()
export class SponsoredProducts {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly facets: FacetRegistry,
    private readonly clock: Clock,
  ) {}

  /** Ids of what a filter finds, as a search would order it. */
  async find(store: Store, channel: string, filter: string[]): Promise<string[]> {
    const filters = planFilters(await parseFilters(store.id, filter, this.facets));
    const { hits } = await this.engine.search({
      plan: {
        store: store.id,
        channels: [channel],
        language: store.settings.language,
        match: { kind: 'all' },
        filters,
        availableOnly: true,
        sortBy: 'relevance',
        from: 0,
        size: MOST_FOUND,
        facets: [],
        now: this.clock.now(),
      },
      template: defaultTemplate,
      boosts: null,
      explain: false,
    });
    return hits.map(({ productId }) => productId);
  }

  /** Null where it can't be shown. */
  async load(request: {
    store: Store;
    channel: string;
    ids: readonly string[];
    into: Map<string, SponsoredProduct | null>;
  }): Promise<void> {
    const { store, channel, ids, into } = request;
    for (let from = 0; from < ids.length; from += CHUNK) {
      const chunk = ids.slice(from, from + CHUNK);
      const [records, features] = await Promise.all([
        this.records.read(store.id, chunk),
        this.records.features(store.id, chunk),
      ]);
      chunk.forEach((id, index) => {
        const shown = shownIn(records[index] ?? null, channel, store);
        const known = features.get(id) ?? { id, f: [], t: '' };
        into.set(id, shown ? sponsoredProduct(shown.product, shown.seller, known) : null);
      });
      // So that requests come between.
      await new Promise((done) => setImmediate(done));
    }
  }
}
