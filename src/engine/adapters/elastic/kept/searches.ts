import { SingleFlight } from '../../../../shared/async/single-flight';
import type { PersonalWindow } from '../../../plan/personal-window';
import { pinnedPage, pinnedPieces } from '../../../plan/pinned-page';
import type { EngineHit, EngineQuery, EngineResult } from '../../../search-engine';
import { type IndexVersions, NO_VERSION } from '../mapping/index-versions';
import { KeptHits, NoHits } from './kept-hits';
import type { Location } from '../locations/location';
import type { PlanSearch } from '../query/plan-search';
import { explained } from '../query/read-hits';
import { type CountedFacets, covers, type KeptHit, type KeptList, keptPage } from './kept-list';
import { isCounted, isKeepable, type KeptSearches } from './kept-searches';

/** To read so many hits as columns takes the index no longer than to look a shopper's tastes up. */
const READ_AT_ONCE = 1000;

interface SearchesOptions {
  window: PersonalWindow;
  versions: IndexVersions;
  /** Null: none are kept. */
  kept: KeptSearches | null;
}

/** Searches of stores: in this process where the hits of the neutral query are kept, else as the index orders them. */
export class Searches {
  private readonly reading = new SingleFlight<KeptList | null>();

  constructor(
    private readonly plans: PlanSearch,
    private readonly options: SearchesOptions,
  ) {}

  /** Pins stand at their places. */
  async run(location: Location, query: EngineQuery): Promise<EngineResult> {
    const { plan } = query;
    const pieces = pinnedPieces(plan);
    if (!pieces) return this.find(location, query);
    const [head, rest] = await Promise.all([
      this.find(location, { ...query, plan: { ...plan, ...pieces.head } }),
      pieces.rest && this.find(location, { ...query, plan: { ...plan, ...pieces.rest, facets: [] } }),
    ]);
    return { ...head, hits: pinnedPage(plan, head, rest) };
  }

  private async find(location: Location, query: EngineQuery): Promise<EngineResult> {
    const { kept } = this.options;
    const list = kept && isKeepable(query) ? await this.listOf(location, query, kept) : null;
    if (!kept || !list || !covers(list, query.plan)) return this.plans.page(location, query);
    kept.answered++;
    const page = keptPage(list, query);
    const [counted, hits] = await Promise.all([
      this.facets(location, query, list),
      query.explain && page.length > 0 ? this.explain(location, query, page) : page.map(({ hit }) => hit),
    ]);
    const found = { total: list.total, hits, ...counted };
    if (isCounted(query.plan)) return { ...found, execution: 'counted' };
    const isWindow = query.boosts !== null && list.total > this.options.window.above;
    return { ...found, execution: isWindow ? 'window' : 'kept' };
  }

  /** Null where the query is not worth one. */
  private async listOf(location: Location, query: EngineQuery, searches: KeptSearches): Promise<KeptList | null> {
    const searched = { store: query.plan.store, location, until: query.until };
    const version = await this.options.versions.current(searched);
    if (version === NO_VERSION) return null;
    const { key, list, isAskedAgain } = searches.of(query, version, await this.plans.generation(searched));
    if (list) return list;
    // Counts are the same for every shopper.
    if (!isAskedAgain && (!query.boosts || isCounted(query.plan))) return null;
    const isFast = isCounted(query.plan) || this.isFast(await this.plans.expected(searched, query));
    if (!isFast && !isAskedAgain) return null;
    const read = (asked: EngineQuery): Promise<KeptList | null> =>
      this.reading.run(`${key} ${version}`, () => this.read(location, asked, { searches, key, version }));
    if (isFast) return read(query);
    // Nobody waits for it: for this search the index is asked, and those after it find the list.
    read({ ...query, until: undefined }).catch(() => undefined);
    return null;
  }

  private isFast(expected: number): boolean {
    return expected <= READ_AT_ONCE || expected > this.options.window.above;
  }

  /** Null where the index is no longer of the version, which its answers tell. */
  private async read(
    location: Location,
    query: EngineQuery,
    { searches, key, version }: { searches: KeptSearches; key: string; version: string },
  ): Promise<KeptList | null> {
    const { window } = this.options;
    const { store } = query.plan;
    const table = searches.tableOf(store);
    const found = await this.plans.neutral(location, version, query, (request, { expected }) =>
      isCounted(query.plan) ? new NoHits(request) : new KeptHits(request, { window, expected, table }),
    );
    const { hits, total, least, isOfVersion } = found;
    if (!hits || !isOfVersion) return null;
    const facets = new Map(query.plan.facets.length > 0 ? [[facetsKey(query), named(found.facets)]] : []);
    const list: KeptList = { ...hits, version, total, least, table, facets };
    searches.keep(store, key, list);
    return list;
  }

  private async facets(location: Location, query: EngineQuery, list: KeptList): Promise<CountedFacets> {
    if (query.plan.facets.length === 0) return { facets: {} };
    const known = list.facets.get(facetsKey(query));
    if (known) return known;
    const { facets, isOfVersion } = await this.plans.facets(location, query, list);
    if (!isOfVersion) return { facets };
    const kept = named(facets);
    list.facets.set(facetsKey(query), kept);
    this.options.kept?.hasGrown(list);
    return kept;
  }

  private async explain(location: Location, query: EngineQuery, page: readonly KeptHit[]): Promise<EngineHit[]> {
    const numbers = page.map(({ number }) => number);
    const { request, byNumber } = await this.plans.documents(location, query, numbers);
    return page.map(({ hit, number }) => {
      const document = byNumber.get(number);
      return document ? { ...hit, ...explained(document, { ...request, least: 0 }, (boosts) => boosts) } : hit;
    });
  }
}

const facetsKey = ({ plan: { facets, mostValues } }: EngineQuery): string => JSON.stringify([facets, mostValues]);

let facetsNamed = 0;
/** They are answered as long as they are kept. */
const named = (facets: EngineResult['facets']): CountedFacets => ({ facets, facetsName: String(++facetsNamed) });
