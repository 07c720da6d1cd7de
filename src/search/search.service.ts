import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ApiError } from '../shared/api-error';
import { ownTurn } from '../shared/async/own-turn';
import { loadNames } from '../stores/access/load-names';
import { BoostTemplates } from '../stores/boost-templates';
import type { Caller } from '../stores/store';
import { normaliseWhole } from '../engine/analysis/normalise';
import type { EngineResult } from '../engine/search-engine';
import { assertMayExplain } from './explanations';
import type { SearchParameters } from './search-parameters';
import { OfferedTerms } from './terms/offered-terms';
import { SuggestedQueries } from './terms/suggested-queries';
import type { QueryTerm } from './terms/query-terms';
import { TermsInChannels, unlessLate } from './terms/terms-in-channels';
import type { Understood } from '../engine/plan/understand';
import { type LinkContext, withoutFilters } from './reply/link-context';
import { filterWarning, type Warning } from './nearest';
import { type Redirection, redirectionOf } from './merchandising/redirects';
import { NotedSearches } from './log/noted-searches';
import { Merchandising } from './merchandising/merchandising.service';
import { bannersFor } from './merchandising/scopes';
import { type ReplyRequest, SearchReplies } from './reply/search-reply';
import { channelsOf, type Listing, pageSize, ProductFinder } from './product-finder';

export interface SearchCall {
  caller: Caller;
  parameters: SearchParameters;
  requestId: string;
  context: LinkContext;
  /** `queries` adds the store's matching terms and answers without `terms`, too. */
  path: 'queries' | 'search';
  /** A list that is shown instead of a query's hits. */
  listing?: Listing;
  warnings: Warning[];
  /** Until when somebody waits for the reply, as `performance.now()`. */
  until: number;
}

/** Query terms answered beside a search. */
const TERMS = 10;

/** Both search paths: understand the query, rank for the shopper, ask the engine, shape the reply. */
@Injectable()
export class SearchService {
  constructor(
    private readonly finder: ProductFinder,
    private readonly offered: OfferedTerms,
    private readonly replies: SearchReplies,
    private readonly merchandising: Merchandising,
    private readonly templates: BoostTemplates,
    private readonly noted: NotedSearches,
    private readonly channels: TermsInChannels,
  ) {}

  async search(call: SearchCall): Promise<Record<string, unknown>> {
    const { caller, parameters, path, until, listing } = call;
    checkNeeds(call);
    const { store } = caller;
    const redirect = this.redirectOf(call);
    if (redirect) return this.redirected(call, redirect);
    const found = await this.finder.find({ store, parameters, until, listing });
    const { query, ranking, result, selections, ignored, perPage, occasion } = found;
    if (listing?.mustFind && result.total === 0) throw notListed('Nothing of the store is listed here');
    const suggested = this.suggested(call, query);
    this.remember(call, query, result);
    await ownTurn(loadNames(caller));
    const reply = await this.replies.build({
      store,
      requestId: call.requestId,
      parameters,
      perPage,
      format: parameters.productFormat ?? (path === 'queries' ? 'compact' : 'complete'),
      context: ignored.length > 0 ? withoutFilters(call.context, ignored) : call.context,
      warnings: [...call.warnings, ...ignored.map(filterWarning)],
      queries: describe(parameters, query),
      ...understoodAs(query),
      terms: path === 'queries' ? this.terms(call, query) : null,
      suggestions: suggested?.of(result.total, ofTheEngine(parameters, query, result)) ?? Promise.resolve([]),
      selections,
      personalization: ranking.personalization,
      banners: bannersFor(this.merchandising.of(store.id, 'banners'), occasion),
      ...(listing ? { extra: listing.extra } : {}),
      result,
      until,
    });
    this.noted.note({ caller, parameters, listing, found, searchId: String(reply['searchId']) });
    return reply;
  }

  /** Begins at once; null where nothing is suggested. */
  private suggested({ caller, parameters, until }: SearchCall, query: Understood | null): SuggestedQueries | null {
    if (!query || (parameters.hide?.includes('suggestions') ?? false)) return null;
    const asked = { channels: channelsOf(caller.store, parameters), until };
    return new SuggestedQueries({ offered: this.offered, channels: this.channels }, caller.store, query, asked);
  }

  /** What others searched that begins so, and names; those that find something where it is asked for, as far as that is known in time. */
  private async terms(
    { caller: { store }, parameters, until }: SearchCall,
    query: Understood | null,
  ): Promise<QueryTerm[]> {
    const terms = await unlessLate(until, this.offered.matching(store, query?.normalized ?? '', TERMS));
    return this.channels.inTime(store, terms, { channels: channelsOf(store, parameters), until });
  }

  private redirectOf({ caller, parameters, listing }: SearchCall): Redirection | undefined {
    const { terms, pids, allowRedirect } = parameters;
    if (!terms || pids || listing || allowRedirect === false) return undefined;
    return redirectionOf(this.merchandising.of(caller.store.id, 'redirects'), terms);
  }

  /** Contract 4.2: where the query leads, and every list empty. */
  private redirected(call: SearchCall, { link, term }: Redirection): Promise<Record<string, unknown>> {
    const { caller, parameters, path } = call;
    const { store } = caller;
    const { terms: typed = '' } = parameters;
    const normalized = normaliseWhole(typed);
    const { name: template } = this.templates.of(store.id, { query: parameters.terms, source: parameters.source });
    const queryType = 'redirect';
    return this.replies.build({
      ...call,
      store,
      perPage: pageSize(parameters),
      format: 'onlyIds',
      queries: { original: typed, normalized, processed: normalized, queryType },
      ...understoodAs(null),
      suggestions: Promise.resolve([]),
      terms: path === 'queries' ? Promise.resolve([]) : null,
      selections: [],
      personalization: { applied: false, profile: 'none', reason: 'redirect', template },
      banners: [],
      extra: { queryType, link, ...(parameters.explain ? { redirect: { term } } : {}) },
      result: { total: 0, hits: [], facets: {}, execution: 'redirect' },
    });
  }

  /** A term that found something on page 1 may be offered to other shoppers. */
  private remember({ caller, parameters }: SearchCall, query: Understood | null, result: EngineResult): void {
    if (!query || parameters.page > 1 || result.total === 0) return;
    const { terms: typed = '', userId, deviceId } = parameters;
    this.offered.note(caller, { typed, query: query.processed, size: result.total, userId, deviceId });
  }
}

function checkNeeds({ caller, parameters, path, listing }: SearchCall): void {
  if (path === 'search' && !listing && !parameters.terms && !parameters.pids && !parameters.filter) {
    const message = 'is required (or pids, the ids of products, or filter)';
    throw new ApiError('invalid_parameter', `terms: ${message}`, { details: [{ path: 'terms', message }] });
  }
  assertMayExplain(caller, parameters.explain);
}

const understoodAs = (query: Understood | null): Pick<ReplyRequest, 'words' | 'changes' | 'chosen'> => ({
  words: query?.words ?? [],
  changes: query?.changes ?? [],
  chosen: query?.match.chosen ?? [],
});

/** Queries that may find more: where nothing has everything that was asked for, which the first page tells. */
function ofTheEngine({ page }: SearchParameters, query: Understood | null, { hits, total }: EngineResult): string[] {
  const [first] = hits;
  const isWhole = first ? first.tier !== 'some' : total > 0;
  return isWhole || page > 1 ? [] : (query?.suggestions ?? []);
}

/** A list that is not there, or has nothing on it: a 404 with what clients in the field read (contract 4.8). */
export const notListed = (message: string): ApiError =>
  new ApiError('not_found', message, { extra: { searchId: randomUUID() } });

function describe(parameters: SearchParameters, query: Understood | null): ReplyRequest['queries'] {
  const original = parameters.terms ?? '';
  if (query) {
    const queryType = query.corrected ? 'corrected' : 'search';
    return { original, normalized: query.normalized, processed: query.processed, queryType };
  }
  return { original, normalized: original, processed: original, queryType: parameters.pids ? 'ids' : 'popular' };
}
