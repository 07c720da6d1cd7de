import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic';
import type { PlanTerm, QueryPlan } from '../../../query/query-plan';
import type { PersonalWindow } from '../../personal-window';
import type { EngineHit, EngineQuery, EngineResult } from '../../search-engine';
import { readFacets } from './facet-aggregations';
import { type AnsweredHit, readHit } from './read-hits';
import {
  amongCandidates,
  candidatesBody,
  countBody,
  type HitsQuery,
  hitsQuery,
  type HitsRequest,
  matchedBody,
  pageBody,
} from './search-bodies';
import { type TextNumbers, variantToken } from './text-query';
import type { IndexNumbers } from './text-numbers';

type Body = estypes.SearchSearchRequestBody;

interface Answer {
  total: number;
  hits: AnsweredHit[];
  aggregations: unknown;
}

/** What one round of requests has found out. */
interface Round {
  request: HitsRequest;
  /** Documents all terms match, before filters: whether products that match only some of them stand behind. */
  matched: number;
  total: number;
  facets: EngineResult['facets'];
  page: Paged;
}

interface Paged {
  hits: EngineHit[];
  execution: string;
}

/** Long enough for the next pages, and for other shoppers who look at the same shelf. */
const TOTALS_MS = 60_000;
const MOST_TOTALS = 5000;

/** One search: its requests, one after the other only where one decides about the next. */
export class PlanSearch {
  /** Hits of searches from a moment ago: which of the two plans the first request is made for. It tells whether that was right. */
  private readonly totals = new LRUCache<string, number>({ max: MOST_TOTALS, ttl: TOTALS_MS });
  /** The same of how many match all terms. */
  private readonly matched = new LRUCache<string, number>({ max: MOST_TOTALS, ttl: TOTALS_MS });

  constructor(
    private readonly connection: ElasticConnection,
    private readonly numbers: IndexNumbers,
    private readonly window: PersonalWindow,
  ) {}

  async run(index: string, query: EngineQuery): Promise<EngineResult> {
    const { plan, template, boosts } = query;
    const terms = plan.match.kind === 'terms' ? plan.match.terms : [];
    const tokens = [...new Set(terms.flatMap(({ variants }) => variants.map(variantToken)))];
    const numbers = await this.numbers.textNumbers(plan.store, tokens);
    const request = { plan, template, boosts, numbers, some: false };
    const below = plan.match.kind === 'terms' ? plan.match.someBelow : 0;
    const few = this.matched.get(matchedKey(request)) ?? likelyMatching(request);
    let some = few < below;
    let round = await this.round(index, { ...request, some }, query);
    if (round.matched < below !== some) {
      some = !some;
      round = await this.round(index, { ...request, some }, query);
    }
    this.matched.set(matchedKey(request), round.matched);
    const { total, facets, page } = round;
    return { total, facets, ...page };
  }

  private async round(index: string, request: HitsRequest, { explain }: EngineQuery): Promise<Round> {
    const { plan, numbers } = request;
    const counts = plan.facets.length > 0 || plan.filters.length > 0;
    const key = totalKey(request);
    const options = { explain, window: this.window };
    const pages = new Pages(request, { ...options, expected: this.totals.get(key) ?? mostMatching(request) });
    const all = request.some && mostMatching({ ...request, some: false }) > 0;
    const bodies = [
      pages.first(),
      ...(counts ? [countBody(plan, numbers, request)] : []),
      ...(all ? [matchedBody(plan, numbers, request)] : []),
    ];
    const [found = nothing, ...rest] = await this.ask(index, bodies);
    const counted = counts ? rest.shift() : undefined;
    const ask = async (body: Body): Promise<Answer> => (await this.ask(index, [body]))[0] ?? nothing;
    this.totals.set(key, found.total);
    return {
      request,
      matched: request.some ? (rest[0]?.total ?? 0) : (counted ?? found).total,
      total: found.total,
      facets: readFacets(plan.facets, plan.filters, counted?.aggregations ?? null),
      page: pages.areMoreThanExpected(found)
        ? await this.anew(new Pages(request, { ...options, expected: found.total }), ask)
        : await pages.read(found, ask),
    };
  }

  private async anew(pages: Pages, ask: (body: Body) => Promise<Answer>): Promise<Paged> {
    return pages.read(await ask(pages.first()), ask);
  }

  private async ask(index: string, bodies: readonly Body[]): Promise<Answer[]> {
    // A store nothing was written of has no index.
    const searches = bodies.flatMap((body) => [{ index, ignore_unavailable: true }, body]);
    const { responses } = await this.connection.call((client, options) => client.msearch({ searches }, options));
    return responses.map((response) => {
      if ('error' in response) throw refusal(response);
      const { hits, aggregations } = response;
      const total = typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0);
      return { total, hits: hits.hits, aggregations };
    });
  }
}

const nothing: Answer = { total: 0, hits: [], aggregations: null };

/** What decides how many hits there are. */
function totalKey({ plan, some }: HitsRequest): string {
  const { store, channels, match, filters, availableOnly } = plan;
  return JSON.stringify([store, channels, match, filters, availableOnly, some]);
}

function matchedKey({ plan: { store, channels, match, availableOnly } }: HitsRequest): string {
  return JSON.stringify([store, channels, match, availableOnly]);
}

function refusal({ status, error }: estypes.ErrorResponseBase): Error {
  const cause = new Error(`${error.type}: ${error.reason ?? ''}`);
  return status === 429 || status >= 500 ? unavailable(cause) : cause;
}

/** An upper bound of the documents a plan can find. */
function mostMatching({ plan, numbers, some }: HitsRequest): number {
  const indexed = Math.max(...Object.values(numbers.fields).map(({ documents }) => documents));
  if (plan.match.kind !== 'terms' || some) return indexed;
  return Math.min(indexed, ...plan.match.terms.map((term) => matchingTerm(term, numbers)));
}

/** How many match all terms, as if none had to do with another. A guess: the answer tells. */
function likelyMatching(request: HitsRequest): number {
  const { plan, numbers } = request;
  const most = mostMatching({ ...request, some: false });
  if (plan.match.kind !== 'terms') return most;
  const indexed = Math.max(1, ...Object.values(numbers.fields).map(({ documents }) => documents));
  const shares = plan.match.terms.map((term) => Math.min(1, matchingTerm(term, numbers) / indexed));
  return Math.min(most, indexed * shares.reduce((product, share) => product * share, 1));
}

function matchingTerm({ variants }: PlanTerm, { frequencies }: TextNumbers): number {
  return variants
    .flatMap((variant) => frequencies.get(variantToken(variant)) ?? [])
    .reduce((sum, frequency) => sum + frequency, 0);
}

/** The hits of one page, by what the plan asks for and how many there are. */
class Pages {
  private readonly neutral: HitsRequest;
  private readonly query: HitsQuery;
  private readonly personal: boolean;
  /** More hits than are all ranked personally are expected. */
  private readonly windowed: boolean;

  /** `expected`: hits, as far as is known before. */
  constructor(
    private readonly request: HitsRequest,
    private readonly options: { explain: boolean; window: PersonalWindow; expected: number },
  ) {
    const { plan, boosts } = request;
    this.neutral = { ...request, boosts: null };
    const ranked = plan.sortBy === 'relevance' && plan.match.kind !== 'ids' && plan.size > 0;
    this.personal = ranked && boosts !== null;
    this.windowed = this.personal && options.expected > options.window.above;
    this.query = hitsQuery(this.windowed ? this.neutral : request);
  }

  first(): Body {
    const { plan } = this.request;
    if (this.windowed) return candidatesBody(this.query, this.options.window.size);
    if (plan.match.kind === 'ids') return this.page(this.query, 0, plan.match.ids.length);
    return this.page(this.query, plan.from, plan.size);
  }

  /** The plan is chosen by the count of hits alone, not by what was expected. */
  areMoreThanExpected({ total }: Answer): boolean {
    return this.personal && !this.windowed && total > this.options.window.above;
  }

  async read(found: Answer, ask: (body: Body) => Promise<Answer>): Promise<Paged> {
    const { plan, boosts } = this.request;
    if (plan.size === 0) return { hits: [], execution: 'counted' };
    if (this.windowed) return this.readWindow(found, ask);
    const hits = this.hits(found, this.request, this.query);
    if (plan.match.kind === 'ids') return { hits: inOrder(hits, plan.match.ids, plan), execution: 'ids' };
    if (plan.sortBy !== 'relevance') return { hits, execution: 'sorted' };
    return { hits, execution: boosts ? 'all' : 'neutral' };
  }

  private async readWindow(found: Answer, ask: (body: Body) => Promise<Answer>): Promise<Paged> {
    const { from, size } = this.request.plan;
    const { window } = this.options;
    const personal = hitsQuery(this.request);
    if (found.total <= window.above) {
      const page = await ask(this.page(personal, from, size));
      return { hits: this.hits(page, this.request, personal), execution: 'all' };
    }
    const end = from + size;
    const numbers = found.hits.map(({ fields }) => Number(fields?.['number']?.[0]));
    const among = { ...personal, query: amongCandidates(personal.query, numbers) };
    const [first, rest] = await Promise.all([
      from < window.size ? ask(this.page(among, from, Math.min(end, window.size) - from)) : nothing,
      end > window.size
        ? ask(this.page(this.query, Math.max(from, window.size), end - Math.max(from, window.size)))
        : nothing,
    ]);
    const hits = [...this.hits(first, this.request, personal), ...this.hits(rest, this.neutral, this.query)];
    return { hits, execution: 'window' };
  }

  private page({ query }: Pick<HitsQuery, 'query'>, from: number, size: number): Body {
    return pageBody({ query }, this.request.plan, { from, size, explain: this.options.explain });
  }

  private hits({ hits }: Answer, request: HitsRequest, query: HitsQuery): EngineHit[] {
    return hits.map((hit) => readHit(hit, request, query));
  }
}

function inOrder(hits: readonly EngineHit[], ids: readonly string[], { from, size }: QueryPlan): EngineHit[] {
  const byId = new Map(hits.map((hit) => [hit.productId, hit]));
  const found = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  return found.slice(from, from + size);
}
