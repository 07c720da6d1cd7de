import { Injectable } from '@nestjs/common';
import { understand } from '../../engine/plan/understand';
import type { QueryPlan } from '../../engine/plan/query-plan';
import { type BuiltIndex, type EngineHit, type EngineResult, SearchEngine } from '../../engine/search-engine';
import { defaultTemplate } from '../../ranking/template/template';
import { retry } from '../../shared/async/retry';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { indexLanguage } from '../indexing/catalog-writer';
import { recordVersion } from '../product/channel-view';
import { CatalogRecords } from '../records/catalog-records';
import type { ChannelCount, ExpectedProducts } from './expected-products';
import { PATIENTLY } from './patiently';
import { SampleQueries } from './sample-queries';

/** Queries that are tried. */
const QUERIES = 50;
/** So many products at the top of each are looked for again, among twice as many. */
const TOP = 10;
const AMONG = 20;
/** The share of them that must be found again, by each query. */
const KEPT_SHARE = 0.8;

/** A store with more sales channels has these looked over. */
const MOST_CHANNELS = 50;
/** Failures that are named. */
const MOST_NAMED = 20;

/** `before`: how many of the products at the top of a query are as they were. */
interface Compared {
  before: number;
  lost: string[];
}

const areEnough = ({ before, lost }: Compared): boolean => before - lost.length >= before * KEPT_SHARE;

export interface CheckedIndex {
  store: Store;
  built: BuiltIndex;
  expected: ExpectedProducts;
  /** How many products were written by others since the index was begun: counts may differ by them. */
  changed: () => Promise<number>;
  /** Whether what is found now is meant to be found again. */
  likeBefore: boolean;
  signal: AbortSignal;
}

/** What an index was found to be, for the result of the job. */
export interface IndexReport {
  language: string;
  channels: ChannelCount[];
  queries: { tried: number; products: number; foundAgain: number };
}

type Search = Pick<BuiltIndex, 'search' | 'words'>;
type SearchPlan = Pick<QueryPlan, 'match' | 'size'> & Partial<QueryPlan>;

/** Why an index that was made does not come to serve. */
export class CheckFailed extends Error {
  /** So the error of a job begins. */
  static readonly START = 'The new index does not serve, the old one goes on: ';
  override readonly name = 'CheckFailed';

  constructor(failures: readonly string[]) {
    const more = failures.length > MOST_NAMED ? ` ... and ${failures.length - MOST_NAMED} more` : '';
    super(`${CheckFailed.START}${failures.slice(0, MOST_NAMED).join('; ')}${more}`);
  }
}

/** Looks a new index over before it serves: what it has against the records, and what it finds against the index that serves. */
@Injectable()
export class IndexCheck {
  constructor(
    private readonly engine: SearchEngine,
    private readonly records: CatalogRecords,
    private readonly samples: SampleQueries,
    private readonly clock: Clock,
  ) {}

  /** Throws CheckFailed. */
  async look(index: CheckedIndex): Promise<IndexReport> {
    const failures: string[] = [];
    const channels = await this.compareCounts(index, failures);
    const queries = await this.compareQueries(index, failures);
    if (failures.length > 0) throw new CheckFailed(failures);
    return { language: indexLanguage(index.store), channels, queries };
  }

  private async compareCounts(index: CheckedIndex, failures: string[]): Promise<ChannelCount[]> {
    const { store, expected } = index;
    const named = await this.records.channels(store.id);
    const channels = [...new Set([store.settings.defaultSalesChannel, ...named])].slice(0, MOST_CHANNELS);
    const counts: ChannelCount[] = [];
    for (const channel of channels) {
      index.signal.throwIfAborted();
      const products = await this.count(index, channel, false);
      counts.push({ channel, products, available: await this.count(index, channel, true) });
    }
    // Asked last: what changed meanwhile is among them.
    const changed = await index.changed();
    for (const found of counts) {
      const should = expected.in(found.channel);
      for (const what of ['products', 'available'] as const) {
        if (Math.abs(found[what] - should[what]) <= changed) continue;
        const state = what === 'products' ? 'searchable' : 'searchable and available';
        failures.push(
          `sales channel "${found.channel}" has ${found[what]} products ${state} instead of ${should[what]}`,
        );
      }
    }
    return counts;
  }

  private async count({ store, built }: CheckedIndex, channel: string, availableOnly: boolean): Promise<number> {
    const plan = { match: { kind: 'all' as const }, size: 1, channels: [channel], availableOnly };
    return (await this.ask(store, built, plan)).total;
  }

  private async compareQueries(index: CheckedIndex, failures: string[]): Promise<IndexReport['queries']> {
    const all = { tried: 0, products: 0, foundAgain: 0 };
    if (!index.likeBefore) return all;
    const { store, expected } = index;
    const sampled = await this.samples.of(store, QUERIES);
    for (const query of new Set([...sampled, ...expected.names].slice(0, QUERIES))) {
      index.signal.throwIfAborted();
      const { before, lost } = await this.compareTwice(index, query);
      all.tried += 1;
      all.products += before;
      all.foundAgain += before - lost.length;
      if (areEnough({ before, lost })) continue;
      failures.push(`"${query}" finds ${before - lost.length} of ${before} products again, without ${lost.join(', ')}`);
    }
    return all;
  }

  /** The index that serves may show sooner what is written meanwhile: what is lost then is found by the second look. */
  private async compareTwice(index: CheckedIndex, query: string): Promise<Compared> {
    const compared = await this.compare(index, query);
    if (areEnough(compared)) return compared;
    await retry(() => index.built.refresh(), PATIENTLY);
    return this.compare(index, query);
  }

  private async compare({ store, built }: CheckedIndex, query: string): Promise<Compared> {
    const before = await this.find(store, this.serving(store), query, TOP);
    const after = new Set((await this.find(store, built, query, AMONG)).map(({ productId }) => productId));
    const unchanged = await this.unchanged(store, before);
    const lost = unchanged.filter(({ productId }) => !after.has(productId)).map(({ productId }) => productId);
    return { before: unchanged.length, lost };
  }

  /** Those that are what they were when they were indexed. */
  private async unchanged(store: Store, hits: readonly EngineHit[]): Promise<EngineHit[]> {
    if (hits.length === 0) return [];
    const ids = hits.map(({ productId }) => productId);
    const records = await retry(() => this.records.read(store.id, ids), PATIENTLY);
    return hits.filter(({ version }, at) => {
      const record = records[at];
      return record && recordVersion(record) === version;
    });
  }

  private async find(store: Store, index: Search, terms: string, size: number): Promise<EngineHit[]> {
    const language = indexLanguage(store);
    const { match } = await understand({ terms, language }, (words) => retry(() => index.words({ words }), PATIENTLY));
    return (await this.ask(store, index, { match, size })).hits;
  }

  private serving({ id }: Store): Search {
    return { search: (query) => this.engine.search(query), words: (request) => this.engine.words(id, request) };
  }

  private ask(store: Store, index: Search, plan: SearchPlan): Promise<EngineResult> {
    const whole: QueryPlan = {
      store: store.id,
      channels: [store.settings.defaultSalesChannel],
      language: indexLanguage(store),
      filters: [],
      availableOnly: false,
      sortBy: 'relevance',
      from: 0,
      facets: [],
      now: this.clock.now(),
      ...plan,
    };
    const query = { plan: whole, template: defaultTemplate, boosts: null, explain: false };
    return retry(() => index.search(query), PATIENTLY);
  }
}
