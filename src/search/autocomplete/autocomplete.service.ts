import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normaliseWhole } from '../../engine/analysis/normalise';
import type { UnderstoodBeginning } from '../../engine/plan/understand-beginning';
import type { QueryPlan } from '../../engine/plan/query-plan';
import { type EngineResult, SearchEngine } from '../../engine/search-engine';
import type { QueryValues } from '../../http/query-string';
import type { Caller } from '../../stores/store';
import { assertMayExplain } from '../explanations';
import { actingRules } from '../merchandising/acting-rules';
import { QueryUnderstanding } from '../query-understanding';
import { Merchandising } from '../merchandising/merchandising.service';
import type { Occasion } from '../merchandising/scopes';
import { integerWarnings } from '../nearest';
import { type LinkContext, linkContext } from '../reply/link-context';
import { type FoundHits, SearchReplies } from '../reply/search-reply';
import type { Spelling } from '../reply/spelling';
import { type OfferedQuery, queryList } from '../reply/term-list';
import type { ProductFormat } from '../search-parameters';
import { PersonalRanking } from '../sessions/personal-ranking';
import { OfferedTerms } from '../terms/offered-terms';
import type { QueryTerm } from '../terms/query-terms';
import { TermsInChannels } from '../terms/terms-in-channels';
import type { AutocompleteParameters, AutocompleteProductsParameters } from './autocomplete-parameters';
import type { AutocompleteReply } from './autocomplete-reply';

export interface AutocompleteCall<P> {
  caller: Caller;
  parameters: P;
  /** The parameters as they came. */
  sent: QueryValues;
  requestId: string;
  /** Until when somebody waits for the reply, as `performance.now()`. */
  until: number;
}

/** Where links lead: a search, whichever list they are in. */
const SEARCHES = '/engage/search/v3/search';
/** What clients in the field tell a click on a popular query by. */
const POPULAR = { ranking: '10', topsearch: '1' };
/** Of the queries that a misspelt beginning may become, so many are looked for among what shoppers search. */
const MOST_MEANT = 3;

type Asked = Omit<AutocompleteParameters, 'prefix' | 'resultsQueries'>;

/** What the products of a reply are found by. */
interface Wanted {
  query: UnderstoodBeginning | null;
  /** Categories that they are of, and what texts mean there. */
  keptTo?: { keys: string[]; named: Occasion['named'] } | undefined;
  format: ProductFormat;
}

/** What a search box shows: queries that other shoppers searched, and products ranked for this one. */
@Injectable()
export class AutocompleteService {
  constructor(
    private readonly engine: SearchEngine,
    private readonly understanding: QueryUnderstanding,
    private readonly ranking: PersonalRanking,
    private readonly offered: OfferedTerms,
    private readonly channels: TermsInChannels,
    private readonly replies: SearchReplies,
    private readonly merchandising: Merchandising,
  ) {}

  async typed(call: AutocompleteCall<AutocompleteParameters>): Promise<AutocompleteReply> {
    const { parameters } = call;
    const query = await this.understand(call, parameters.prefix ?? parameters.terms);
    const format = parameters.productFormat ?? 'complete';
    const [queries, found] = await Promise.all([this.queries(call, query), this.find(call, { query, format })]);
    const as = { context: contextOf(call), spelling: await this.spelling(call, found) };
    return this.reply(call, queryList(queries, as), found);
  }

  async popular(call: AutocompleteCall<AutocompleteParameters>): Promise<AutocompleteReply> {
    const { caller, parameters } = call;
    const [queries, found] = await Promise.all([
      this.offered.popular(caller.store, parameters.resultsQueries).then((terms) => this.inChannels(call, terms)),
      this.find(call, { query: null, format: parameters.productFormat ?? 'onlyIds' }),
    ]);
    const as = { context: contextOf(call), spelling: await this.spelling(call, found) };
    return this.reply(call, queryList(queries, as, POPULAR), found);
  }

  async products(call: AutocompleteCall<AutocompleteProductsParameters>): Promise<AutocompleteReply> {
    const { caller, parameters } = call;
    const { categoryId, productFormat = 'complete' } = parameters;
    const channels = channelsOf(call);
    const [query, named] = await Promise.all([
      this.understand(call, parameters.terms),
      categoryId === undefined ? noCategory : this.offered.categoriesNamed(caller.store, channels),
    ]);
    const keptTo = categoryId === undefined ? undefined : { keys: named(categoryId), named };
    return this.reply(call, [], await this.find(call, { query, keptTo, format: productFormat }));
  }

  private async understand(
    { caller: { store }, until }: AutocompleteCall<unknown>,
    typed = '',
  ): Promise<UnderstoodBeginning | null> {
    if (typed.trim() === '') return null;
    return this.understanding.beginning(store, typed, until);
  }

  /** What begins with what was typed, or else with what was meant by it. */
  private async queries(
    call: AutocompleteCall<AutocompleteParameters>,
    query: UnderstoodBeginning | null,
  ): Promise<QueryTerm[]> {
    const most = call.parameters.resultsQueries;
    if (most === 0) return [];
    const { normalized = '', processed = '', completed = [] } = query ?? {};
    const meant = [normalized, processed, ...completed.slice(0, MOST_MEANT)];
    const found = new Map<string, QueryTerm>();
    for (const beginning of new Set(meant)) {
      // Signs alone begin nothing.
      if (found.size >= most || (query && beginning === '')) break;
      const terms = await this.offered.matching(call.caller.store, beginning, most);
      for (const term of await this.inChannels(call, terms)) found.set(term.query, term);
    }
    return [...found.values()].slice(0, most);
  }

  private inChannels(call: AutocompleteCall<AutocompleteParameters>, terms: QueryTerm[]): Promise<QueryTerm[]> {
    return this.channels.of(call.caller.store, terms, { channels: channelsOf(call), until: call.until });
  }

  private async find(call: AutocompleteCall<Asked>, { query, keptTo, format }: Wanted): Promise<Found> {
    const { caller, parameters, until } = call;
    assertMayExplain(caller, parameters.explain);
    const { store } = caller;
    const { source, explain = false } = parameters;
    const ranking = await this.ranking.fresh(store, parameters, { query: query?.normalized, source });
    const { template, boosts, personalization } = ranking;
    const queries = query ? [...new Set([query.normalized, normaliseWhole(query.processed)])] : [];
    const { keys: categories = [], named = noCategory } = keptTo ?? {};
    const occasion = { queries, categories, named, hotsite: null, now: ranking.now };
    const rules = actingRules(this.merchandising.of(store.id, 'rules'), occasion);
    const plan: QueryPlan = {
      store: store.id,
      channels: channelsOf(call),
      language: store.settings.language,
      match: query?.match ?? { kind: 'all' },
      filters: keptTo ? [{ kind: 'category', keys: categories }] : [],
      ...(rules ? { rules } : {}),
      availableOnly: parameters.showOnlyAvailable ?? store.settings.showOnlyAvailable,
      sortBy: 'relevance',
      from: 0,
      size: parameters.resultsProducts,
      facets: [],
      now: ranking.now,
    };
    const result = plan.size === 0 ? nothing : await this.engine.search({ plan, template, boosts, explain, until });
    return {
      result,
      format,
      words: query?.words ?? [],
      changes: query?.changes ?? [],
      chosen: [],
      selections: [],
      personalization,
    };
  }

  private spelling(
    { caller: { store }, parameters: { prefix, terms } }: AutocompleteCall<AutocompleteParameters>,
    { result, changes }: Found,
  ): Promise<Spelling> {
    return this.replies.spelling({ store, result, changes, queries: { original: prefix ?? terms ?? '' } });
  }

  private async reply(
    { caller: { store }, parameters, sent, requestId }: AutocompleteCall<object>,
    queries: OfferedQuery[],
    { personalization, ...found }: Found,
  ): Promise<AutocompleteReply> {
    const searchId = randomUUID();
    const products = await this.replies.hits({ store, ...found, first: 0 }, searchId);
    const warnings = integerWarnings(sent, parameters, ['resultsQueries', 'resultsProducts']);
    return {
      requestId,
      searchId,
      queries,
      products,
      personalization,
      ...(warnings.length > 0 ? { warnings } : {}),
    };
  }
}

const noCategory = (): string[] => [];

interface Found extends Omit<FoundHits, 'store' | 'first'> {
  personalization: AutocompleteReply['personalization'];
}

const nothing: EngineResult = { total: 0, hits: [], facets: {}, execution: 'counted' };

/** Where products are looked for. */
const channelsOf = ({ caller, parameters }: AutocompleteCall<Pick<Asked, 'salesChannel'>>): string[] =>
  parameters.salesChannel ?? [caller.store.settings.defaultSalesChannel];

/** A link asks for a search: it repeats whose it is and where, not what was typed and how much was shown. */
function contextOf({ caller, parameters, sent }: AutocompleteCall<AutocompleteParameters>): LinkContext {
  const { resultsQueries: _queries, resultsProducts: _products, prefix: _prefix, terms: _terms, ...kept } = parameters;
  return linkContext(SEARCHES, sent, { parameters: kept, apiKey: caller.store.apiKey });
}
