import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type BatchedCall, Batcher } from '../../../../shared/async/batcher';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { ElasticError } from '../../../../storage/elastic/elastic-error';
import { refusalKind } from '../../../../storage/elastic/refusals';
import type { PersonalWindow } from '../../../plan/personal-window';
import type { QueryPlan } from '../../../plan/query-plan';
import type { EngineQuery, EngineResult } from '../../../search-engine';
import { expectedHits, expectedToCount } from './expected-hits';
import { countsToAsk, firstLevel, type Level, levelFor, levelOf, ownCount } from './levels';
import { readFacets } from './facet-aggregations';
import { documentsBody, isAnsweredOf, withState } from '../kept/candidates';
import type { IndexedDocument } from '../mapping/product-document';
import { type AskedHits, nothing, type PageAnswer, Pages } from './pages';
import { countBody, type HitsRequest, matchedBody, type SearchBody } from './search-bodies';
import { queryTokens } from './text-query';
import { type Location, type SearchedLocation, within } from '../locations/location';
import type { IndexNumbers } from '../mapping/text-numbers';

/** Long enough for the next pages, and for other shoppers with the same search. */
const TOTALS_MS = 60_000;
const MOST_TOTALS = 5000;
/** Counts in one request. */
const MOST_COUNTS = 50;
/** What of an answer is read. */
const ANSWERED = [
  'responses.status',
  'responses.error',
  'responses.hits.total',
  'responses.hits.hits._score',
  'responses.hits.hits._seq_no',
  'responses.hits.hits.fields',
  'responses.hits.hits._source',
  'responses.aggregations',
];
/** Facets of fewer documents are counted faster by reading the values of each. */
const MANY_TO_COUNT = 3000;
/** After the first one. */
const MOST_GUESSES = 2;

export interface PlanSearchOptions {
  window: PersonalWindow;
  /** Throws where a store's index is gone rather than never made. */
  assertNeverMade: (store: string) => Promise<void>;
  /** Names the copy of an index that answers what must be of one state. */
  preference: string;
}

/** Where a search is sent. `version`: to one copy of the index, which says whether its answer is of that state. */
interface Target extends SearchedLocation {
  version?: string;
  /** Hits are counted alone. */
  isCount?: boolean;
}

type Asked = estypes.MsearchRequestItem[];
type Header = estypes.MsearchMultisearchHeader;
type Answered = estypes.MsearchResponseItem[];

/** What one guess found. */
interface Round<T> {
  total: number;
  facets: EngineResult['facets'];
  hits: T;
  /** Terms that a product matches at the least. */
  least: number;
  /** Whether all answers are of the version that was asked about. */
  isOfVersion: boolean;
}

/** `expected`: hits, as far as is known before. `key`: of the hits. */
type AskHits<T> = (request: HitsRequest, options: { expected: number; key: string }) => AskedHits<T>;

/** The requests of one search: at once, unless one decides about the next. */
export class PlanSearch {
  /** Recent numbers of hits. They decide for which of two plans the first request is made; its answer tells whether that was right. */
  private readonly totals = new LRUCache<string, number>({ max: MOST_TOTALS, ttl: TOTALS_MS });
  /** At which level searches found enough lately. */
  private readonly levels = new LRUCache<string, Level>({ max: MOST_TOTALS, ttl: TOTALS_MS });
  /** Searches with products of the same score at the edge of a page. */
  private readonly tied = new LRUCache<string, true>({ max: MOST_TOTALS, ttl: TOTALS_MS });

  /** Of the many terms that a search offers, each is counted: one request for all that are at the same time. */
  private readonly counts = new Batcher<Asked, Answered>({
    send: (calls) => this.askTogether(calls),
    requests: Infinity,
    sizeOf: ({ length }) => length,
    // Each is a header and a body.
    maxSize: 2 * MOST_COUNTS,
    // The answer comes with its slowest part: an index that is slow is the concern of those alone who ask it.
    fits: ([a], [b]) => (a as Header).index === (b as Header).index,
  });

  constructor(
    private readonly connection: ElasticConnection,
    private readonly numbers: IndexNumbers,
    private readonly options: PlanSearchOptions,
  ) {}

  /** The page of a query, as the index orders it. */
  async page(location: Location, query: EngineQuery): Promise<EngineResult> {
    const { explain } = query;
    const { window } = this.options;
    const isCount = query.plan.size === 0 && query.plan.facets.length === 0;
    const found = await this.find({ ...searchedBy(location, query), isCount }, query, (request, { expected, key }) => {
      const ties = { areKnown: () => this.tied.has(key), remember: () => void this.tied.set(key, true) };
      return new Pages(request, { explain, window, ties, expected });
    });
    return { total: found.total, facets: found.facets, ...found.hits };
  }

  /** What `askHits` asks of the neutral query, and whether the index answered it in the state of a version. */
  neutral<T>(location: Location, version: string, query: EngineQuery, askHits: AskHits<T>): Promise<Round<T>> {
    return this.find({ ...searchedBy(location, query), version }, { ...query, boosts: null }, askHits);
  }

  /** Which numbers the searches of a store are computed with. */
  generation(searched: SearchedLocation): Promise<number> {
    return this.numbers.generation(searched);
  }

  /** Hits of the query, as far as is known before it is asked. */
  async expected(searched: SearchedLocation, query: EngineQuery): Promise<number> {
    const request = await this.requestOf(searched, query);
    const guessed = { ...request, least: levelOf(query.plan, this.firstLevel(request)) };
    return this.totals.get(hitsKey(guessed)) ?? expectedHits(guessed);
  }

  /** The facets of a plan alone, and whether the index answered in the state of a version. */
  async facets(
    location: Location,
    query: EngineQuery,
    { least, version }: { least: number; version: string },
  ): Promise<Pick<Round<unknown>, 'facets' | 'isOfVersion'>> {
    const target = { ...searchedBy(location, query), version };
    const request = { ...(await this.requestOf(target, query)), least };
    const [counted = nothing] = await this.ask(target, [facetsOf(request)]);
    return {
      facets: readFacets(query.plan, counted.aggregations),
      isOfVersion: isAnsweredOf(version, counted.aggregations),
    };
  }

  /** The whole documents of these numbers, by number. */
  async documents(
    location: Location,
    query: EngineQuery,
    numbers: readonly number[],
  ): Promise<{ request: Omit<HitsRequest, 'least'>; byNumber: Map<number, IndexedDocument> }> {
    const request = await this.requestOf(searchedBy(location, query), query);
    const [found = nothing] = await this.ask(searchedBy(location, query), [documentsBody(numbers)]);
    const documents = found.hits.map(({ _source }) => _source as IndexedDocument);
    return { request, byNumber: new Map(documents.map((document) => [document.number, document])) };
  }

  private async requestOf(
    searched: SearchedLocation,
    { plan, template, boosts }: EngineQuery,
  ): Promise<Omit<HitsRequest, 'least'>> {
    const numbers = await this.numbers.textNumbers(searched, queryTokens(plan));
    return { plan, template, boosts, numbers };
  }

  private firstLevel(request: Omit<HitsRequest, 'least'>): Level {
    return this.levels.get(keyOf(request.plan)) ?? firstLevel(request);
  }

  private async find<T>(target: Target, query: EngineQuery, askHits: AskHits<T>): Promise<Round<T>> {
    const { plan } = query;
    const request = await this.requestOf(target, query);
    let level = this.firstLevel(request);
    let { round, right } = await this.round(target, { ...request, least: levelOf(plan, level) }, level, askHits);
    // Of three levels the third is the right one, if neither the first nor the second was.
    for (let tries = 0; tries < MOST_GUESSES && right !== level; tries++) {
      level = right;
      ({ round, right } = await this.round(target, { ...request, least: levelOf(plan, level) }, level, askHits));
    }
    this.levels.set(keyOf(plan), level);
    return round;
  }

  /** The requests of one guess. `right`: the level that the counts before filters say, which tells whether the guess was right. */
  private async round<T>(
    target: Target,
    request: HitsRequest,
    level: Level,
    askHits: AskHits<T>,
  ): Promise<{ right: Level; round: Round<T> }> {
    const { plan, least } = request;
    const counts = plan.facets.length > 0 || plan.filters.length > 0 || plan.only !== undefined;
    const key = hitsKey(request);
    const answers: PageAnswer[] = [];
    const askAll = async (bodies: SearchBody[]): Promise<PageAnswer[]> => {
      const answered = await this.ask(target, bodies);
      answers.push(...answered);
      return answered;
    };
    const ask = async (body: SearchBody): Promise<PageAnswer> => (await askAll([body]))[0] ?? nothing;
    let asked = askHits(request, { expected: this.totals.get(key) ?? expectedHits(request), key });
    // What is pinned is found, and need not match: then what matches is counted apart.
    const isPinned = (plan.rules?.pins.length ?? 0) > 0;
    const matching = [...countsToAsk(request, level), ...(isPinned ? ownCount(request) : [])];
    const [found = nothing, ...rest] = await askAll([
      asked.first(),
      ...(counts ? [facetsOf(request)] : []),
      ...matching.map((wanted) => matchedBody(request, wanted)),
    ]);
    const { total } = found;
    const counted = counts ? rest.shift() : undefined;
    this.totals.set(key, total);
    let page = found;
    if (asked.areMoreThanExpected(found)) {
      asked = askHits(request, { expected: total, key });
      page = await ask(asked.first());
    }
    const facets = readFacets(plan, counted?.aggregations ?? null);
    const matched = new Map(matching.map((wanted, number) => [wanted, rest[number]?.total ?? 0]));
    if (!isPinned) matched.set(least, (counted ?? found).total);
    const hits = await asked.read(page, ask);
    const { version } = target;
    const isOfVersion = version !== undefined && answers.every((answer) => isAnsweredOf(version, answer.aggregations));
    return {
      right: levelFor(request, (wanted) => matched.get(wanted)),
      round: { total, facets, hits, least, isOfVersion },
    };
  }

  /** A request that is given up is cancelled on the server, too: it sees the connection close. */
  private async ask(target: Target, bodies: readonly SearchBody[]): Promise<PageAnswer[]> {
    const { location, store, until, version, isCount } = target;
    const { preference } = this.options;
    // A shard that fails half-way, for want of memory say, would answer how many hits there are, and none of them.
    const header = { index: location.index, allow_partial_search_results: false };
    const searches = bodies.flatMap((body) => {
      const narrowed = within(location, body);
      return version === undefined
        ? [header, narrowed]
        : [{ ...header, preference }, withState(location, version, narrowed)];
    });
    const responses = isCount
      ? await this.connection.inTime(until, () => this.counts.add(searches))
      : await this.send(searches, this.connection.timeLeft(until));
    if (responses.some((response) => 'error' in response && response.error.type === 'index_not_found_exception')) {
      // A store nothing was written of has no index.
      await this.options.assertNeverMade(store);
      return bodies.map(() => nothing);
    }
    return responses.map((response) => {
      if ('error' in response) throw this.refused(response);
      const { hits, aggregations } = response as Partial<estypes.MsearchMultiSearchItem>;
      const total = typeof hits?.total === 'number' ? hits.total : (hits?.total?.value ?? 0);
      return { total, hits: hits?.hits ?? [], aggregations };
    });
  }

  private async send(searches: Asked, timeoutMs?: number): Promise<Answered> {
    const { responses } = await this.connection.call(
      (client, options) => client.msearch({ searches, filter_path: ANSWERED }, options),
      timeoutMs,
    );
    return responses;
  }

  /** A caller waits for as long as it has; the request is for others, too. */
  private async askTogether(calls: readonly BatchedCall<Asked, Answered>[]): Promise<void> {
    const responses = await this.send(calls.flatMap(({ item }) => item));
    let from = 0;
    for (const { item, resolve } of calls) {
      const count = item.length / 2;
      resolve(responses.slice(from, from + count));
      from += count;
    }
  }

  /** Without the reason, which may quote the query. */
  private refused({ status, error }: estypes.ErrorResponseBase): Error {
    const kind = refusalKind(status, error);
    const cause = new ElasticError(`A search was refused: ${status} ${error.type}`, status, error.type, kind);
    if (kind) this.connection.refusals.note(kind, cause.message);
    return status === 429 || status >= 500 ? unavailable(cause) : cause;
  }
}

const searchedBy = (location: Location, { plan, until }: EngineQuery): SearchedLocation => ({
  store: plan.store,
  location,
  until,
});

const facetsOf = (request: HitsRequest): SearchBody =>
  countBody(request, { many: expectedToCount(request) >= MANY_TO_COUNT });

const hitsKey = ({ plan, least }: Pick<HitsRequest, 'plan' | 'least'>): string =>
  keyOf(plan, plan.filters, plan.only, least);

/** What decides how many documents match, and with `more` how many hits there are. */
function keyOf({ store, channels, match, availableOnly, rules }: QueryPlan, ...more: unknown[]): string {
  return JSON.stringify([store, channels, match, availableOnly, rules, ...more]);
}
