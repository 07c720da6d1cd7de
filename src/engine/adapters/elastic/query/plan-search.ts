import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import type { PersonalWindow } from '../../../personal-window';
import type { EngineQuery, EngineResult } from '../../../search-engine';
import { canMatchAll, expectedHits, expectedMatches } from './expected-hits';
import { readFacets } from './facet-aggregations';
import { type Answer, type Body, nothing, type Paged, Pages } from './pages';
import { countBody, type HitsRequest, matchedBody } from './search-bodies';
import { variantToken } from './text-query';
import type { IndexNumbers } from '../mapping/text-numbers';

/** What one round of requests has found out. */
interface Round {
  request: HitsRequest;
  /** Documents all terms match, before filters: whether products that match only some of them stand behind. */
  matched: number;
  total: number;
  facets: EngineResult['facets'];
  page: Paged;
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
  /** Searches with products of the same score at the edge of a page. */
  private readonly tied = new LRUCache<string, true>({ max: MOST_TOTALS, ttl: TOTALS_MS });

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
    const few = this.matched.get(matchedKey(request)) ?? expectedMatches(request, terms.length);
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
    const ties = { areKnown: () => this.tied.has(key), remember: () => void this.tied.set(key, true) };
    const options = { explain, window: this.window, ties };
    const pages = new Pages(request, { ...options, expected: this.totals.get(key) ?? expectedHits(request) });
    const all = request.some && canMatchAll(request);
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
