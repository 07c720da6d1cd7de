import { Injectable } from '@nestjs/common';
import { normaliseWhole } from '../engine/analysis/normalise';
import type { PastMoment } from '../behaviour/profiles/past-profiles';
import type { Store } from '../stores/store';
import type { EngineResult } from '../engine/search-engine';
import { shopperOf } from '../behaviour/shoppers/shopper';
import { Interleaver } from './interleaving/interleaver';
import { CategoryNames } from './facets/category-names';
import { FacetRegistry } from './facets/facet-registry';
import { parseFilters, planFilters, type FacetSelection } from './facets/parse-filters';
import { facetsToAsk } from './facets/shown-facets';
import type { SearchParameters } from './search-parameters';
import { PersonalRanking } from './sessions/personal-ranking';
import type { QueryPlan } from '../engine/plan/query-plan';
import type { CompiledTemplate } from '../ranking/template/template-document';
import { matchFor, type Understood } from '../engine/plan/understand';
import type { PageRanking } from './sessions/ranking-sessions';
import { actingRules } from './merchandising/acting-rules';
import { Merchandising } from './merchandising/merchandising.service';
import { QueryUnderstanding } from './query-understanding';
import { anyOfACategory, type Occasion } from './merchandising/scopes';

/** A category page or a hotsite: which products it shows, and what its reply has beside them. */
export interface Listing {
  /** Names it among all listings of the store. */
  key: string;
  match: Extract<QueryPlan['match'], { kind: 'all' }>;
  /** What rules and banners are chosen by. */
  scope: Pick<Occasion, 'categories' | 'hotsite'>;
  /** Fields of the reply. */
  extra: Readonly<Record<string, unknown>>;
  /** Whether a list without a single product is answered 404. */
  mustFind: boolean;
}

export interface FindRequest {
  parameters: SearchParameters;
  store: Store;
  until?: number;
  /** To try in place of what the shopper gets; as with `unseen`. */
  template?: CompiledTemplate | undefined;
  /** As on a page 1, and nothing is remembered of it. */
  unseen?: boolean | undefined;
  /** With `template`: as if it were then, for the shopper of then. */
  moment?: PastMoment | undefined;
  listing?: Listing | undefined;
}

export interface FoundProducts {
  query: Understood | null;
  ranking: PageRanking;
  plan: QueryPlan;
  result: EngineResult;
  selections: FacetSelection[];
  /** Filters that were not taken. */
  ignored: string[];
  perPage: number;
  occasion: Occasion;
}

interface Page extends Pick<FoundProducts, 'selections' | 'ranking' | 'perPage' | 'occasion'> {
  channels: string[];
}

const PER_PAGE = 24;

/** What a search finds: the query understood, ranked for the shopper, asked of the engine. */
@Injectable()
export class ProductFinder {
  constructor(
    private readonly interleaver: Interleaver,
    private readonly understanding: QueryUnderstanding,
    private readonly ranking: PersonalRanking,
    private readonly facets: FacetRegistry,
    private readonly categories: CategoryNames,
    private readonly merchandising: Merchandising,
  ) {}

  /** What a search finds, in the order it is shown in. */
  async find({ store, parameters, until, template, unseen, moment, listing }: FindRequest): Promise<FoundProducts> {
    const channels = channelsOf(store, parameters);
    const perPage = pageSize(parameters);
    const { selections: named, ignored } = await parseFilters(store.id, parameters.filter ?? [], this.facets);
    const selections = await this.categories.resolve(store, named, channels);
    const categories = [...(listing?.scope.categories ?? []), ...selectedCategories(selections)];
    const [query, ranked, meant] = await Promise.all([
      this.understand(store, parameters, until),
      this.rank({ store, parameters, template, unseen, moment, listing }, categories),
      this.named(store, categories, channels),
    ]);
    const occasion = occasionOf(listing, { query, categories, named: meant, now: ranked.now });
    const page = { channels, selections, ranking: ranked, perPage, occasion };
    const plan = this.plan({ store, parameters, listing }, query, page);
    const { result, mixed } = await this.ask({ store, parameters, until }, plan, ranked);
    const ranking = mixed ? { ...ranked, mixed } : ranked;
    if (!template && !unseen) this.ranking.remember(store, parameters, { ranking, listing: listing?.key });
    return { query, ranking, plan, result, selections, ignored, perPage, occasion };
  }

  private ask(
    { store, parameters, until }: Pick<FindRequest, 'store' | 'parameters'> & { until: number | undefined },
    plan: QueryPlan,
    { template, boosts, ...ranking }: PageRanking,
  ): ReturnType<Interleaver['search']> {
    const to = { store: store.id, shopper: shopperOf(parameters) ?? '', terms: parameters.terms ?? '' };
    const query = { plan, template, boosts, explain: parameters.explain === true, until };
    return this.interleaver.search(query, ranking, to);
  }

  private rank(
    { store, parameters, template, unseen, moment, listing }: FindRequest,
    categories: string[],
  ): Promise<PageRanking> {
    if (!template && !unseen) return this.ranking.of(store, parameters, { categories, listing: listing?.key });
    const { terms: query, source } = parameters;
    const context = { query, source, categories };
    if (template && moment) return this.ranking.past(store, template.of(context), moment);
    return this.ranking.fresh(store, parameters, context, { template });
  }

  /** What texts mean: asked for where something is looked at that rules or banners may name. */
  private async named(store: Store, categories: readonly string[], channels: string[]): Promise<Occasion['named']> {
    const { merchandising } = this;
    const isNamed = (['rules', 'banners'] as const).some((kind) => anyOfACategory(merchandising.of(store.id, kind)));
    return categories.length > 0 && isNamed ? this.categories.named(store, channels) : () => [];
  }

  private async understand(store: Store, parameters: SearchParameters, until?: number): Promise<Understood | null> {
    if (parameters.pids || !parameters.terms) return null;
    return this.understanding.whole(store, parameters.terms, until);
  }

  private plan({ store, parameters, listing }: FindRequest, query: Understood | null, page: Page): QueryPlan {
    const hidden = new Set<string>(parameters.hide ?? []);
    // Products asked for by their ids are what was asked for.
    const rules = parameters.pids ? undefined : actingRules(this.merchandising.of(store.id, 'rules'), page.occasion);
    return {
      store: store.id,
      channels: page.channels,
      language: store.settings.language,
      match: listing?.match ?? matchOf(parameters, query),
      filters: planFilters(page.selections),
      ...(rules ? { rules } : {}),
      availableOnly: parameters.showOnlyAvailable ?? store.settings.showOnlyAvailable,
      sortBy: parameters.sortBy,
      from: (parameters.page - 1) * page.perPage,
      size: hidden.has('products') ? 0 : page.perPage,
      facets: hidden.has('filters') ? [] : facetsToAsk(store.settings),
      now: page.ranking.now,
    };
  }
}

/** What rules and banners are chosen by. */
function occasionOf(
  listing: Listing | undefined,
  { query, ...rest }: { query: Understood | null } & Pick<Occasion, 'categories' | 'named' | 'now'>,
): Occasion {
  return {
    ...rest,
    queries: query ? [...new Set([query.normalized, normaliseWhole(query.processed)])] : [],
    hotsite: listing?.scope.hotsite ?? null,
  };
}

/** Products asked for by id are all on one page, unless a page size was given. */
export function pageSize({ pids, resultsPerPage }: SearchParameters): number {
  return resultsPerPage ?? (pids ? pids.length : PER_PAGE);
}

/** Where products are looked for. */
export const channelsOf = ({ settings }: Store, { salesChannel }: Pick<SearchParameters, 'salesChannel'>): string[] =>
  salesChannel ?? [settings.defaultSalesChannel];

/** Paths of the categories a search is kept to. */
export function selectedCategories(selections: readonly FacetSelection[]): string[] {
  return selections.flatMap((selection) => (selection.kind === 'category' ? selection.key : []));
}

function matchOf(parameters: SearchParameters, query: Understood | null): QueryPlan['match'] {
  if (parameters.pids) return { kind: 'ids', ids: parameters.pids };
  return query ? matchFor(query.match, parameters.sortBy) : { kind: 'all' };
}
