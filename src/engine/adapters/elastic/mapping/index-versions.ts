import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { within } from '../../../../shared/async/within';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';

/** How old a known version may be when a search goes by it: no older than the index itself, which shows a write after `refresh_interval`. */
const KNOWN_MS = 200;
/** Asked for again from then on, while searches still go by the known one. */
const RENEWED_MS = 100;
const MOST_STORES = 1000;

/** Of an index that is not there. */
export const NO_VERSION = '';

interface KnownVersion {
  version: string;
  /** When it was asked for, as `performance.now()`. */
  at: number;
}

interface StoreVersion {
  known: KnownVersion | null;
  asking: Promise<KnownVersion> | null;
}

/**
 * Which state of a store's index searches see (docs/adr/0018-kept-candidates.md). Two states with the same version have the same documents:
 * the version is made of the index that serves, of the highest sequence number that searches see, and of how many documents they see. Every
 * write but a deletion has a higher number than all before, and a deletion leaves fewer documents.
 */
export class IndexVersions {
  private readonly stores = new LRUCache<string, StoreVersion>({ max: MOST_STORES });

  /** `indexOf`: where a store's searches go. `preference`: so that one copy of an index is asked, for copies may be of different states. */
  constructor(
    private readonly connection: ElasticConnection,
    private readonly indexOf: (store: string) => string,
    private readonly preference: string,
  ) {}

  /** As it was less than 200 ms ago, and after every write of this process. `until`: as of an EngineQuery. */
  async current(store: string, until?: number): Promise<string> {
    const left = this.connection.timeLeft(until);
    const state = this.of(store);
    const age = state.known ? performance.now() - state.known.at : Infinity;
    if (state.known && age < KNOWN_MS) {
      // Where that fails, the search that finds no known version will, too.
      if (age > RENEWED_MS) this.ask(store, state).catch(() => undefined);
      return state.known.version;
    }
    return (await within(left, this.ask(store, state), () => unavailable('The index was not read in time'))).version;
  }

  /** After a write of this process, and when the index is another one: what was asked for before may be of the state before. */
  changed(store: string): void {
    this.stores.delete(store);
  }

  private of(store: string): StoreVersion {
    let state = this.stores.get(store);
    if (!state) this.stores.set(store, (state = { known: null, asking: null }));
    return state;
  }

  private ask(store: string, state: StoreVersion): Promise<KnownVersion> {
    state.asking ??= this.read(store)
      .then((known) => (state.known = known))
      .finally(() => (state.asking = null));
    return state.asking;
  }

  private async read(store: string): Promise<KnownVersion> {
    const at = performance.now();
    const { aggregations } = await this.connection.search({
      index: this.indexOf(store),
      preference: this.preference,
      ignore_unavailable: true,
      size: 0,
      track_total_hits: false,
      aggs: versionAggregations(),
    });
    return { version: readVersion(aggregations), at };
  }
}

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

export function versionAggregations(): Aggregations {
  return { version: { terms: { field: '_index' }, aggs: { written: { max: { field: '_seq_no' } } } } };
}

/** The answer to `versionAggregations` over all documents. */
export function readVersion(answer: unknown): string {
  const { version } = (answer ?? {}) as { version?: { buckets: VersionBucket[] } };
  const states = (version?.buckets ?? []).map(({ key, doc_count, written }) => `${key} ${written.value} ${doc_count}`);
  return states.sort().join(' ');
}

interface VersionBucket {
  key: string;
  doc_count: number;
  written: { value: number | null };
}
