import { Injectable } from '@nestjs/common';
import type { QueryPlan } from '../../engine/plan/query-plan';
import { QueryUnderstanding } from '../../search/query-understanding';
import { type EngineHit, SearchEngine } from '../../engine/search-engine';
import { CategoryNames } from '../../search/facets/category-names';
import { FacetRegistry } from '../../search/facets/facet-registry';
import { parseKnownFilters, planFilters } from '../../search/facets/parse-filters';
import { Clock } from '../../shared/clock';
import type { TemplateContext } from '../../ranking/template/template-context';
import { BoostTemplates } from '../../stores/boost-templates';
import type { Store } from '../../stores/store';

/** Searches for nobody in particular: available products, as anybody would see them. */
@Injectable()
export class ProductSearch {
  constructor(
    private readonly engine: SearchEngine,
    private readonly understanding: QueryUnderstanding,
    private readonly facets: FacetRegistry,
    private readonly categories: CategoryNames,
    private readonly templates: BoostTemplates,
    private readonly clock: Clock,
  ) {}

  /** Ids of what a filter finds, the best first. `filter`: as a search takes it. */
  async byFilter(store: Store, channel: string, filter: string[], size: number): Promise<string[]> {
    const named = await parseKnownFilters(store.id, filter, this.facets);
    const filters = planFilters(await this.categories.resolve(store, named, [channel]));
    const hits = await this.search(store, { channels: [channel], match: { kind: 'all' }, filters, size }, {});
    return hits.map(({ productId }) => productId);
  }

  async byWords(store: Store, channel: string, terms: string, size: number): Promise<EngineHit[]> {
    const { match } = await this.understanding.whole(store, terms);
    return this.search(store, { channels: [channel], match, filters: [], size }, { query: terms });
  }

  private async search(
    { id, settings: { language } }: Store,
    plan: Pick<QueryPlan, 'channels' | 'match' | 'filters' | 'size'>,
    context: TemplateContext,
  ): Promise<EngineHit[]> {
    const now = this.clock.now();
    const { hits } = await this.engine.search({
      plan: { ...plan, store: id, language, availableOnly: true, sortBy: 'relevance', from: 0, facets: [], now },
      template: this.templates.of(id, context),
      boosts: null,
      explain: false,
    });
    return hits;
  }
}
