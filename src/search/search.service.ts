import { Injectable } from '@nestjs/common';
import { ApiError } from '../shared/api-error';
import type { Caller, Store } from '../stores/store';
import { type EngineResult, SearchEngine } from '../engine/search-engine';
import { FacetRegistry } from './facets/facet-registry';
import { parseFilters, planFilters, type FacetSelection } from './facets/parse-filters';
import type { SearchParameters } from './search-parameters';
import { PersonalRanking } from './sessions/personal-ranking';
import { facetsInReplies } from '../engine/facets';
import type { QueryPlan } from '../engine/plan/query-plan';
import { OfferedTerms } from './terms/offered-terms';
import { understand, type Understood } from '../engine/plan/understand';
import type { PageRanking } from './sessions/ranking-sessions';
import { type LinkContext, withoutFilters } from './reply/links';
import { filterWarning, type Warning } from './nearest';
import { type ReplyRequest, SearchReplies } from './reply/search-reply';

export interface SearchCall {
  caller: Caller;
  parameters: SearchParameters;
  requestId: string;
  context: LinkContext;
  /** `queries` adds the store's matching terms and answers without `terms`, too. */
  path: 'queries' | 'search';
  warnings: Warning[];
  /** Until when somebody waits for the reply, as `performance.now()`. */
  until: number;
}

const PER_PAGE = 24;
/** Query terms answered beside a search. */
const TERMS = 10;

/** Both search paths: understand the query, rank for the shopper, ask the engine, shape the reply. */
@Injectable()
export class SearchService {
  constructor(
    private readonly engine: SearchEngine,
    private readonly ranking: PersonalRanking,
    private readonly facets: FacetRegistry,
    private readonly offered: OfferedTerms,
    private readonly replies: SearchReplies,
  ) {}

  async search(call: SearchCall): Promise<Record<string, unknown>> {
    const { caller, parameters, path, until } = call;
    checkNeeds(call);
    const { store } = caller;
    const perPage = pageSize(parameters);
    const { selections, ignored } = await parseFilters(store.id, parameters.filter ?? [], this.facets);
    const [query, ranking] = await Promise.all([
      this.understand(store, parameters, until),
      this.ranking.of(store, parameters),
    ]);
    const plan = this.plan(call, query, { selections, ranking, perPage });
    const explain = parameters.explain === true;
    const { template, boosts } = ranking;
    const result = await this.engine.search({ plan, template, boosts, explain, until });
    this.remember(call, query, result);
    return this.replies.build({
      store,
      requestId: call.requestId,
      parameters,
      perPage,
      format: parameters.productFormat ?? (path === 'queries' ? 'compact' : 'complete'),
      context: ignored.length > 0 ? withoutFilters(call.context, ignored) : call.context,
      warnings: [...call.warnings, ...ignored.map(filterWarning)],
      queries: describe(parameters, query),
      words: query?.words ?? [],
      terms: path === 'queries' ? await this.offered.matching(store, query?.normalized ?? '', TERMS) : null,
      selections,
      personalization: ranking.personalization,
      result,
    });
  }

  private async understand(store: Store, parameters: SearchParameters, until: number): Promise<Understood | null> {
    if (parameters.pids || !parameters.terms) return null;
    return understand({ terms: parameters.terms, language: store.settings.language }, (words) =>
      this.engine.words(store.id, { words, until }),
    );
  }

  private plan(
    { caller, parameters }: SearchCall,
    query: Understood | null,
    page: { selections: FacetSelection[]; ranking: PageRanking; perPage: number },
  ): QueryPlan {
    const { store } = caller;
    const hidden = new Set<string>(parameters.hide ?? []);
    return {
      store: store.id,
      channels: parameters.salesChannel ?? [store.settings.defaultSalesChannel],
      language: store.settings.language,
      match: matchOf(parameters, query),
      filters: planFilters(page.selections),
      availableOnly: parameters.showOnlyAvailable ?? store.settings.showOnlyAvailable,
      sortBy: parameters.sortBy,
      from: (parameters.page - 1) * page.perPage,
      size: hidden.has('products') ? 0 : page.perPage,
      facets: hidden.has('filters') ? [] : [...facetsInReplies],
      now: page.ranking.now,
    };
  }

  /** A term that found something on page 1 may be offered to other shoppers. */
  private remember({ caller, parameters }: SearchCall, query: Understood | null, result: EngineResult): void {
    if (!query || parameters.page > 1 || result.total === 0) return;
    const { terms: typed = '', userId, deviceId } = parameters;
    this.offered.note(caller, { typed, query: query.processed, size: result.total, userId, deviceId });
  }
}

function checkNeeds({ caller, parameters, path }: SearchCall): void {
  if (path === 'search' && !parameters.terms && !parameters.pids && !parameters.filter) {
    const message = 'is required (or pids, the ids of products, or filter)';
    throw new ApiError('invalid_parameter', `terms: ${message}`, { details: [{ path: 'terms', message }] });
  }
  if (parameters.explain && caller.method !== 'keys') {
    throw new ApiError('forbidden', 'explain needs apiKey and secretKey: an Origin identifies, it proves nothing');
  }
}

/** Products asked for by id are all on one page, unless a page size was given. */
function pageSize({ pids, resultsPerPage }: SearchParameters): number {
  return resultsPerPage ?? (pids ? pids.length : PER_PAGE);
}

function matchOf(parameters: SearchParameters, query: Understood | null): QueryPlan['match'] {
  if (parameters.pids) return { kind: 'ids', ids: parameters.pids };
  return query ? query.match : { kind: 'all' };
}

function describe(parameters: SearchParameters, query: Understood | null): ReplyRequest['queries'] {
  const original = parameters.terms ?? '';
  if (query) {
    const queryType = query.corrected ? 'corrected' : 'search';
    return { original, normalized: query.normalized, processed: query.processed, queryType };
  }
  return { original, normalized: original, processed: original, queryType: parameters.pids ? 'ids' : 'popular' };
}
