import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { ElasticError } from '../../../../storage/elastic/elastic-error';
import { refusalKind } from '../../../../storage/elastic/refusals';
import type { PersonalWindow } from '../../../plan/personal-window';
import { pinnedPage, pinnedPieces } from '../../../plan/pinned-page';
import type { QueryPlan } from '../../../plan/query-plan';
import type { EngineQuery, EngineResult } from '../../../search-engine';
import { expectedHits } from './expected-hits';
import { countsToAsk, firstLevel, type Level, levelFor, levelOf, ownCount } from './levels';
import { readFacets } from './facet-aggregations';
import { nothing, type PageAnswer, Pages } from './pages';
import { countBody, type HitsRequest, matchedBody, type SearchBody } from './search-bodies';
import { queryTokens } from './text-query';
import { type Place, within } from '../places/place';
import type { IndexNumbers } from '../mapping/text-numbers';

/** Long enough for the next pages, and for other shoppers with the same search. */
const TOTALS_MS = 60_000;
const MOST_TOTALS = 5000;
/** After the first one. */
const MOST_GUESSES = 2;

export interface PlanSearchOptions {
  window: PersonalWindow;
  /** Throws where a store's index is gone rather than never made. */
  assertNeverMade: (store: string) => Promise<void>;
}

/** The requests of one search: at once, unless one decides about the next. */
export class PlanSearch {
  /** Recent numbers of hits. They decide for which of two plans the first request is made; its answer tells whether that was right. */
  private readonly totals = new LRUCache<string, number>({ max: MOST_TOTALS, ttl: TOTALS_MS });
  /** At which level searches found enough lately. */
  private readonly levels = new LRUCache<string, Level>({ max: MOST_TOTALS, ttl: TOTALS_MS });
  /** Searches with products of the same score at the edge of a page. */
  private readonly tied = new LRUCache<string, true>({ max: MOST_TOTALS, ttl: TOTALS_MS });

  constructor(
    private readonly connection: ElasticConnection,
    private readonly numbers: IndexNumbers,
    private readonly options: PlanSearchOptions,
  ) {}

  /** Pins stand at their places. */
  async run(place: Place, query: EngineQuery): Promise<EngineResult> {
    const { plan } = query;
    const pieces = pinnedPieces(plan);
    if (!pieces) return this.find(place, query);
    const [head, rest] = await Promise.all([
      this.find(place, { ...query, plan: { ...plan, ...pieces.head } }),
      pieces.rest && this.find(place, { ...query, plan: { ...plan, ...pieces.rest, facets: [] } }),
    ]);
    return { ...head, hits: pinnedPage(plan, head, rest) };
  }

  private async find(place: Place, query: EngineQuery): Promise<EngineResult> {
    const { plan, template, boosts } = query;
    const numbers = await this.numbers.textNumbers(plan.store, queryTokens(plan), query.until);
    const request = { plan, template, boosts, numbers };
    const key = keyOf(plan);
    let level = this.levels.get(key) ?? firstLevel(request);
    let round = await this.round(place, { ...request, least: levelOf(plan, level) }, query, level);
    // Of three levels the third is the right one, if neither the first nor the second was.
    for (let tries = 0; tries < MOST_GUESSES && round.right !== level; tries++) {
      level = round.right;
      round = await this.round(place, { ...request, least: levelOf(plan, level) }, query, level);
    }
    this.levels.set(key, level);
    return round.result;
  }

  /** The requests of one guess. `right`: the level that the counts before filters say, which tells whether the guess was right. */
  private async round(
    place: Place,
    request: HitsRequest,
    { explain, until }: EngineQuery,
    level: Level,
  ): Promise<{ right: Level; result: EngineResult }> {
    const { plan } = request;
    const target = { place, store: plan.store };
    const counts = plan.facets.length > 0 || plan.filters.length > 0 || plan.only !== undefined;
    const key = keyOf(plan, plan.filters, plan.only, request.least);
    const ties = { areKnown: () => this.tied.has(key), remember: () => void this.tied.set(key, true) };
    const pagesOf = (expected: number): Pages =>
      new Pages(request, { explain, window: this.options.window, ties, expected });
    const ask = async (body: SearchBody): Promise<PageAnswer> => (await this.ask(target, [body], until))[0] ?? nothing;
    let pages = pagesOf(this.totals.get(key) ?? expectedHits(request));
    // What is pinned is found, and need not match: then what matches is counted apart.
    const isPinned = (plan.rules?.pins.length ?? 0) > 0;
    const asked = [...countsToAsk(request, level), ...(isPinned ? ownCount(request) : [])];
    const bodies = [
      pages.first(),
      ...(counts ? [countBody(request)] : []),
      ...asked.map((least) => matchedBody(request, least)),
    ];
    const [found = nothing, ...rest] = await this.ask(target, bodies, until);
    const { total } = found;
    const counted = counts ? rest.shift() : undefined;
    this.totals.set(key, total);
    let page = found;
    if (pages.areMoreThanExpected(found)) {
      pages = pagesOf(total);
      page = await ask(pages.first());
    }
    const facets = readFacets(plan, counted?.aggregations ?? null);
    const matched = new Map(asked.map((least, number) => [least, rest[number]?.total ?? 0]));
    if (!isPinned) matched.set(request.least, (counted ?? found).total);
    return {
      right: levelFor(request, (least) => matched.get(least)),
      result: { total, facets, ...(await pages.read(page, ask)) },
    };
  }

  /** A request that is given up is cancelled on the server, too: it sees the connection close. */
  private async ask(
    { place, store }: { place: Place; store: string },
    bodies: readonly SearchBody[],
    until: number | undefined,
  ): Promise<PageAnswer[]> {
    const searches = bodies.flatMap((body) => [{ index: place.index }, within(place, body)]);
    const { responses } = await this.connection.call(
      (client, options) => client.msearch({ searches }, options),
      this.connection.timeLeft(until),
    );
    if (responses.some((response) => 'error' in response && response.error.type === 'index_not_found_exception')) {
      // A store nothing was written of has no index.
      await this.options.assertNeverMade(store);
      return bodies.map(() => nothing);
    }
    return responses.map((response) => {
      if ('error' in response) throw this.refused(response);
      const { hits, aggregations } = response;
      const total = typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0);
      return { total, hits: hits.hits, aggregations };
    });
  }

  /** Without the reason, which may quote the query. */
  private refused({ status, error }: estypes.ErrorResponseBase): Error {
    const kind = refusalKind(status, error);
    const cause = new ElasticError(`A search was refused: ${status} ${error.type}`, status, error.type, kind);
    if (kind) this.connection.refusals.note(kind, cause.message);
    return status === 429 || status >= 500 ? unavailable(cause) : cause;
  }
}

/** What decides how many documents match, and with `more` how many hits there are. */
function keyOf({ store, channels, match, availableOnly, rules }: QueryPlan, ...more: unknown[]): string {
  return JSON.stringify([store, channels, match, availableOnly, rules, ...more]);
}
