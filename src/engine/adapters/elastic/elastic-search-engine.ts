import { randomUUID } from 'node:crypto';
import { retry } from '../../../shared/async/retry';
import type { Clock } from '../../../shared/clock';
import { BulkBatcher } from '../../../storage/elastic/bulk-batcher';
import { statusOf } from '../../../storage/elastic/elastic-client';
import {
  type ElasticConnection,
  errorType,
  LONG_TIMEOUT,
  unavailable,
} from '../../../storage/elastic/elastic-connection';
import { refusalOf } from '../../../storage/elastic/elastic-error';
import { isOpening } from '../../../storage/elastic/opening';
import { afterBrandLimit, beforeBrandLimit } from '../../brand-limit';
import type { Executions } from '../../executions';
import { type PersonalWindow, personalWindow } from '../../plan/personal-window';
import {
  type BuiltIndex,
  type EngineProduct,
  type EngineQuery,
  type EngineResult,
  type FillIndex,
  type IndexStatus,
  type LearnedTrend,
  type RebuildOptions,
  SearchEngine,
  type WordAnswer,
  type WordsRequest,
} from '../../search-engine';
import type { IndexBefore } from '../../index-before';
import { ElasticIndexBefore } from './mapping/elastic-index-before';
import { INDEX_BUILD_TIMES } from './mapping/index-build';
import { IndexVersions } from './mapping/index-versions';
import { IndexTroubles } from './mapping/index-troubles';
import { productsWithTrend, OldTombstones, statusBody } from './mapping/index-upkeep';
import { KeptSearches } from './kept/kept-searches';
import { Searches } from './kept/searches';
import { PlanSearch } from './query/plan-search';
import { type IndexMemory, NoMemory } from './mapping/index-memory';
import { ProductIndices } from './mapping/product-indices';
import type { Location } from './locations/location';
import { NoPools, type Locations } from './locations/location-directory';
import { poolDefinition } from './locations/pool-names';
import { Pools } from './locations/pools';
import { type LocationBuild, type LocationOptions, StoreLocations } from './locations/store-locations';
import { indexDefinition, type IndexDefinition } from '../../../storage/elastic/index-definition';
import { PacedRefreshes } from './write/paced-refreshes';
import { IndexGone, ProductWriter, type WriteTarget } from './write/product-writer';
import { IndexNumbers } from './mapping/text-numbers';
import { WordLookup } from './query/word-lookup';

const TRIES = 5;
/** How long a shard that is nowhere may just be coming back. Milliseconds. */
const OPENED_WITHIN_MS = 15_000;
const OPENING_PAUSE_MS = 500;

/** `memory`: of the indices that were made; absent: none. `directory`: of where stores are; absent: each has an index of its own. */
export interface ElasticEngineOptions extends LocationOptions {
  window?: PersonalWindow;
  memory?: IndexMemory;
  directory?: Locations;
  /** Memory for the hits of queries that are asked again; 0: none are kept. */
  keptBytes?: number;
  executions?: Executions;
}

/**
 * The engine on Elasticsearch or OpenSearch (docs/adr/0008-search-on-elasticsearch.md). It never decides by itself what matches: it
 * is sent the words that may stand for a term, and computes the formula from columns.
 */
export class ElasticSearchEngine extends SearchEngine {
  readonly health: IndexTroubles;
  override readonly before: IndexBefore;
  private readonly locations: StoreLocations;
  private readonly numbers: IndexNumbers;
  private readonly searches: Searches;
  /** Null: no hits are kept. */
  readonly kept: KeptSearches | null;
  private readonly lookup: WordLookup;
  private readonly writer: ProductWriter;
  private readonly bulk: BulkBatcher;
  /** Of indices on their way: where those share a pool with others, nobody's write waits behind them. */
  private readonly fills: BulkBatcher;
  private readonly refreshes: PacedRefreshes;
  /** Of the copies of an index, one answers all that is compared. */
  private readonly preference = randomUUID();
  private readonly versions: IndexVersions;
  private readonly tombstones: OldTombstones;
  private readonly window: PersonalWindow;

  constructor(
    private readonly connection: ElasticConnection,
    clock: Clock,
    {
      window = personalWindow,
      memory = new NoMemory(),
      directory = new NoPools(),
      keptBytes,
      executions,
      ...options
    }: ElasticEngineOptions = {},
  ) {
    super(executions);
    this.refreshes = new PacedRefreshes((index) => connection.refresh(index));
    const indicesOf = (definition: IndexDefinition): ProductIndices =>
      new ProductIndices(connection, clock, memory, definition, options);
    const pools = new Pools(connection, indicesOf(poolDefinition()), directory);
    this.locations = new StoreLocations(
      connection,
      clock,
      { directory, own: indicesOf(indexDefinition('products')), pools },
      options,
    );
    const schema = indexDefinition('products').mappings._meta.schema;
    const times = { ...INDEX_BUILD_TIMES, ...options };
    this.health = new IndexTroubles(connection, clock, { memory, directory, locations: this.locations, schema, times });
    this.window = window;
    this.tombstones = new OldTombstones(connection);
    this.versions = new IndexVersions(connection, this.preference);
    this.numbers = new IndexNumbers(connection, this.versions);
    this.kept = keptBytes === 0 ? null : new KeptSearches(keptBytes);
    this.searches = this.searchesOf(this.numbers, this.versions, this.kept);
    this.before = new ElasticIndexBefore(this.locations, (store) => this.forget(store));
    this.lookup = new WordLookup(connection, this.numbers);
    this.writer = new ProductWriter(connection, clock);
    const bulkOptions = { aliases: true, timeoutMs: LONG_TIMEOUT };
    this.bulk = new BulkBatcher(connection, bulkOptions);
    this.fills = new BulkBatcher(connection, bulkOptions);
  }

  override async search(query: EngineQuery): Promise<EngineResult> {
    this.executions.begin();
    const location = await this.locations.serving(query.plan.store);
    this.health.assertOurs(location.index);
    const result = await this.searches.run(location, beforeBrandLimit(query));
    this.executions.note(result.execution);
    return afterBrandLimit(query, result);
  }

  override async words(store: string, request: WordsRequest): Promise<WordAnswer[]> {
    this.executions.begin();
    return this.lookup.look(store, await this.locations.serving(store), request);
  }

  override async write(store: string, language: string, products: EngineProduct[]): Promise<void> {
    if (products.length === 0) return;
    await this.everywhere(store, (target) => this.writer.write(target, language, products));
    this.health.wrote(store, products.length);
  }

  override async setTrend(store: string, trend: LearnedTrend[]): Promise<void> {
    if (trend.length === 0) return;
    await this.everywhere(store, (target) => this.writer.setTrend(target, trend));
    this.tombstones.remove(await this.locations.serving(store));
  }

  override async searchable(store: string): Promise<void> {
    // Of all places that may serve in a moment: a build that is finished meanwhile, or the index before, must not lack what was answered.
    await this.everywhere(store, ({ location }) => this.show(location));
    this.numbers.changed(store);
  }

  override async rebuild(
    store: string,
    language: string,
    fill: FillIndex,
    { check, keep = true }: RebuildOptions = {},
  ): Promise<void> {
    const build = await this.locations.begin(store);
    const target = { location: build.location, bulk: this.fills };
    let filled = 0;
    try {
      await fill(async (products) => {
        await this.writer.write(target, language, products);
        filled += products.filter(({ documents }) => documents.length > 0).length;
      });
      const isReadable = await this.copyTrends(store, target);
      if (check) {
        const built = this.built(store, build);
        await built.refresh();
        await check(built);
      }
      await this.locations.finish(store, build, { filled, keep: keep && isReadable });
    } catch (error) {
      // A build that can't be given up now is deleted when the next one begins.
      await this.locations.abandon(store, build).catch(() => undefined);
      throw error;
    }
    this.forget(store);
  }

  /**
   * False where nothing can be copied, for the index is gone, closed or has lost its shard: popularity is learned anew. One that is just being
   * opened is waited for, as after a restart of the cluster.
   */
  private async copyTrends(store: string, target: WriteTarget): Promise<boolean> {
    const location = await this.locations.serving(store);
    const copy = async (): Promise<void> => {
      // What others learned until they knew of this build is in the serving index alone.
      await this.showReadable(location);
      for await (const ids of productsWithTrend(this.connection, location)) {
        // What was forgotten since the search saw it stays forgotten.
        await this.writer.setTrend(target, await this.writer.learned(location, ids), { onlyMissing: true });
      }
    };
    try {
      await retry(copy, { forMs: OPENED_WITHIN_MS, pauseMs: OPENING_PAUSE_MS, steady: true, again: isOpening });
      return true;
    } catch (error) {
      const isGone = errorType(error) === 'index_not_found_exception' || refusalOf(error)?.refusal === 'index_closed';
      if (isGone || isOpening(error)) return false;
      throw error;
    }
  }

  override async status(store: string): Promise<IndexStatus> {
    const state = await this.locations.state(store);
    if (state === 'new' || state === 'gone')
      return { documents: 0, version: 0, outdated: false, gone: state === 'gone' };
    const location = await this.locations.serving(store);
    // What can't be shown now is counted without; what can't be read says so below.
    await this.showReadable(location).catch(() => undefined);
    const answer = await this.connection.search(statusBody(location), LONG_TIMEOUT);
    const found = (answer.aggregations ?? {}) as { live?: { doc_count: number }; version?: { value: number | null } };
    const documents = found.live?.doc_count ?? 0;
    return {
      documents,
      version: found.version?.value ?? 0,
      outdated: state === 'outdated',
      ...((await this.locations.isGrown(store, documents)) ? { grown: true } : {}),
    };
  }

  override async removeStore(store: string): Promise<void> {
    await this.locations.remove(store);
    this.forget(store);
  }

  private async show({ index }: Location): Promise<void> {
    try {
      await this.refreshes.refresh(index);
    } catch (error) {
      if (errorType(error) === 'index_not_found_exception') throw new IndexGone();
      // A copy that dies meanwhile answers for all of them.
      throw (statusOf(error) ?? 0) >= 500 ? unavailable(error) : error;
    }
  }

  /** Throws at once where a shard has no copy: a refresh alone would wait a minute for one. */
  private async showReadable({ index }: Location): Promise<void> {
    await this.connection.search({ index, size: 0, track_total_hits: false }, LONG_TIMEOUT);
    await this.refreshes.refresh(index);
  }

  /** When the index is another one, or none. */
  private forget(store: string): void {
    this.numbers.forget(store);
    this.kept?.forget(store);
  }

  private built(store: string, build: LocationBuild): BuiltIndex {
    const { filled: location } = build;
    const versions = new IndexVersions(this.connection, this.preference);
    const numbers = new IndexNumbers(this.connection, versions);
    const searches = this.searchesOf(numbers, versions, null);
    const lookup = new WordLookup(this.connection, numbers);
    return {
      search: async (query) => afterBrandLimit(query, await searches.run(location, beforeBrandLimit(query))),
      words: (request) => lookup.look(store, location, request),
      refresh: async () => {
        await this.locations.refresh(build);
        numbers.changed(store);
      },
    };
  }

  private searchesOf(numbers: IndexNumbers, versions: IndexVersions, kept: KeptSearches | null): Searches {
    const { preference, window } = this;
    const assertNeverMade = (store: string): Promise<void> => this.locations.assertNeverMade(store);
    const plans = new PlanSearch(this.connection, numbers, { window, preference, assertNeverMade });
    return new Searches(plans, { window, versions, kept });
  }

  /** Into the place that serves, the one that is being built and the one that is kept, where there are any. */
  private async everywhere(store: string, work: (target: WriteTarget) => Promise<void>): Promise<void> {
    let targets: Location[] = [];
    const write = async (): Promise<void> => {
      targets = await this.locations.targets(store);
      await Promise.all(targets.map((location) => work({ location, bulk: this.bulk })));
      if (!(await this.locations.areStillTargets(store, targets))) throw new IndexGone();
    };
    // Since the lookup, the build was finished or the store removed.
    const again = (error: unknown): boolean => {
      if (error instanceof IndexGone) this.locations.forget(store, targets);
      return error instanceof IndexGone;
    };
    await retry(write, { times: TRIES, again });
  }
}
