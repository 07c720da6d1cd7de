import { Injectable } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { Clock } from '../../shared/clock';
import { Documents } from '../../documents/documents';
import { SearchEngine } from '../../engine/search-engine';
import { FacetRegistry } from '../../search/facets/facet-registry';
import { parseFilters, planFilters } from '../../search/facets/parse-filters';
import { BoostTemplates } from '../../stores/boost-templates';
import type { Store } from '../../stores/store';
import { shownIn } from '../reply/shown-product';
import { type SponsoredProduct, sponsoredProduct } from './inventory';

/** Products of one read, and reads at a time: a database in this process is held up by each, a server answers several at once. */
const READS = { here: { size: 100, atOnce: 1 }, shared: { size: 250, atOnce: 4 } };
/** Products that a campaign's filter finds; of more, those that searches would show first. */
const MOST_FOUND = 1000;

interface Loaded {
  store: Store;
  channel: string;
  ids: string[];
  into: Map<string, SponsoredProduct | null>;
}

/** Reads what campaigns name. */
@Injectable()
export class SponsoredProducts {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly facets: FacetRegistry,
    private readonly documents: Documents,
    private readonly templates: BoostTemplates,
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
      template: this.templates.of(store.id),
      boosts: null,
      explain: false,
    });
    return hits.map(({ productId }) => productId);
  }

  /** Null where it can't be shown. */
  async load(request: Loaded): Promise<void> {
    const { size, atOnce } = this.documents.shared ? READS.shared : READS.here;
    for (let from = 0; from < request.ids.length; from += size * atOnce) {
      const starts = Array.from({ length: atOnce }, (_, place) => from + place * size);
      await Promise.all(starts.map((start) => this.read({ ...request, ids: request.ids.slice(start, start + size) })));
      // So that requests come between.
      await new Promise((done) => setImmediate(done));
    }
  }

  private async read({ store, channel, ids, into }: Loaded): Promise<void> {
    if (ids.length === 0) return;
    const [records, features] = await Promise.all([
      this.records.read(store.id, ids),
      this.records.features(store.id, ids),
    ]);
    ids.forEach((id, index) => {
      const shown = shownIn(records[index] ?? null, channel, store);
      const known = features.get(id) ?? { id, f: [], t: '' };
      into.set(id, shown ? sponsoredProduct(shown.product, shown.seller, known) : null);
    });
  }
}
