import type { PersonalWindow } from '../../../plan/personal-window';
import type { QueryPlan } from '../../../plan/query-plan';
import type { EngineHit, EngineResult } from '../../../search-engine';
import { type AnsweredHit, readHit, orderTies } from './read-hits';
import {
  amongCandidates,
  candidatesBody,
  type HitsQuery,
  hitsQuery,
  type HitsRequest,
  type Page,
  pageBody,
  scorePageBody,
  type SearchBody,
  totalBody,
} from './search-bodies';

export interface PageAnswer {
  total: number;
  hits: AnsweredHit[];
  aggregations: unknown;
}

export const nothing: PageAnswer = { total: 0, hits: [], aggregations: null };

export type Ask = (body: SearchBody) => Promise<PageAnswer>;

/** What is asked of the hits of a plan, by how many of them are expected. */
export interface AskedHits<T> {
  first(): SearchBody;
  /** Asked for with the number that there are, the answer would be another one. */
  areMoreThanExpected(found: PageAnswer): boolean;
  /** `found`: the answer to `first`. */
  read(found: PageAnswer, ask: Ask): Promise<T>;
}

/** Whether products of the same score were seen at the edge of a page of this search. */
export interface Ties {
  areKnown(): boolean;
  remember(): void;
}

/** Hits that one request may go through. */
const DEEPEST = 10_000;

/**
 * One page of a query's hits. Comparing ids takes the engine a quarter of a page's time and hardly ever decides: so a page by score
 * is asked for without, and once more with ids where one of its edges lies between products of the same score.
 */
class AskedPage {
  readonly body: SearchBody;
  private readonly byScore: boolean;

  constructor(
    private readonly query: HitsQuery,
    private readonly request: HitsRequest,
    private readonly page: Page,
    private readonly ties: Ties,
  ) {
    const { sortBy, match } = request.plan;
    const ranked = sortBy === 'relevance' && match.kind !== 'ids';
    this.byScore = ranked && page.size > 0 && page.from + page.size < DEEPEST && !ties.areKnown();
    this.body = this.byScore ? scorePageBody(query, page) : this.exact();
  }

  async ask(ask: Ask): Promise<EngineHit[]> {
    return this.read(await ask(this.body), ask);
  }

  /** `found`: the answer to `body`. */
  async read(found: PageAnswer, ask: Ask): Promise<EngineHit[]> {
    let hits = this.byScore ? orderTies(found.hits, this.page) : found.hits;
    if (!hits) {
      this.ties.remember();
      ({ hits } = await ask(this.exact()));
    }
    return hits.map((hit) => readHit(hit, this.request, this.query));
  }

  private exact(): SearchBody {
    return pageBody(this.query, this.request.plan, this.page);
  }
}

/** The hits a plan asks for: which request finds them, by what it sorts by and how many are expected. */
export class Pages implements AskedHits<Pick<EngineResult, 'hits' | 'execution'>> {
  private readonly neutral: HitsRequest;
  private readonly query: HitsQuery;
  private readonly personal: boolean;
  /** More hits than are all ranked personally are expected. */
  private readonly windowed: boolean;
  private readonly firstPage: AskedPage;

  /** `expected`: hits, as far as is known before. */
  constructor(
    private readonly request: HitsRequest,
    private readonly options: { explain: boolean; window: PersonalWindow; expected: number; ties: Ties },
  ) {
    const { plan, boosts } = request;
    this.neutral = { ...request, boosts: null };
    const ranked = plan.sortBy === 'relevance' && plan.match.kind !== 'ids' && plan.size > 0;
    this.personal = ranked && boosts !== null;
    this.windowed = this.personal && options.expected > options.window.above;
    this.query = hitsQuery(this.windowed ? this.neutral : request);
    const { from, size } = plan.match.kind === 'ids' ? { from: 0, size: plan.match.ids.length } : plan;
    this.firstPage = this.page(this.query, { from, size });
  }

  first(): SearchBody {
    if (this.request.plan.size === 0) return totalBody(this.request);
    return this.windowed ? candidatesBody(this.query, this.options.window.size) : this.firstPage.body;
  }

  /** The real number of hits chooses the plan, not the expected one. */
  areMoreThanExpected({ total }: PageAnswer): boolean {
    return this.personal && !this.windowed && total > this.options.window.above;
  }

  async read(found: PageAnswer, ask: Ask): Promise<Pick<EngineResult, 'hits' | 'execution'>> {
    const { plan, boosts } = this.request;
    if (plan.size === 0) return { hits: [], execution: 'counted' };
    if (this.windowed) return this.readWindow(found, ask);
    const hits = await this.firstPage.read(found, ask);
    if (plan.match.kind === 'ids') return { hits: inOrder(hits, plan.match.ids, plan), execution: 'ids' };
    if (plan.sortBy !== 'relevance') return { hits, execution: 'sorted' };
    return { hits, execution: boosts ? 'all' : 'neutral' };
  }

  private async readWindow(found: PageAnswer, ask: Ask): Promise<Pick<EngineResult, 'hits' | 'execution'>> {
    const { from, size } = this.request.plan;
    const { window } = this.options;
    const personal = hitsQuery(this.request);
    if (found.total <= window.above) {
      return { hits: await this.page(personal, { from, size }).ask(ask), execution: 'all' };
    }
    const end = from + size;
    const numbers = found.hits.map(({ fields }) => Number(fields?.['number']?.[0]));
    const among = { ...personal, query: amongCandidates(personal.query, numbers) };
    const behind = Math.max(from, window.size);
    const pages = [
      ...(from < window.size ? [this.page(among, { from, size: Math.min(end, window.size) - from })] : []),
      ...(end > window.size ? [this.page(this.query, { from: behind, size: end - behind }, this.neutral)] : []),
    ];
    const hits = (await Promise.all(pages.map((page) => page.ask(ask)))).flat();
    return { hits, execution: 'window' };
  }

  private page(query: HitsQuery, { from, size }: { from: number; size: number }, request = this.request): AskedPage {
    const { explain, ties } = this.options;
    const brands = request.template.maxShare !== null;
    return new AskedPage(query, request, { from, size, explain, brands }, ties);
  }
}

function inOrder(hits: readonly EngineHit[], ids: readonly string[], { from, size }: QueryPlan): EngineHit[] {
  const byId = new Map(hits.map((hit) => [hit.productId, hit]));
  const found = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  return found.slice(from, from + size);
}
