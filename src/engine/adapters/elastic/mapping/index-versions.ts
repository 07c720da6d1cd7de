import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { answerTime } from '../../../../storage/elastic/answer-time';
import { type Location, overAll, readOverAll, type SearchedLocation, within } from '../locations/location';

/** How old a known version may be when a search goes by it: so much later than its answer a write of another process is found at the latest. */
const KNOWN_MS = 200;
/** Asked for again from then on, while searches still go by the known one. */
const RENEWED_MS = 100;
/** How old it may be where Elasticsearch fails to tell the current one: kept hits of a moment ago are better than no answer. */
const KNOWN_WHILE_FAILING_MS = 2000;
const MOST_STORES = 1000;

/** Of an index that is not there. */
export const NO_VERSION = '';

interface KnownVersion {
  version: string;
  /** When it was asked for, as `performance.now()`. */
  at: number;
}

interface StoreVersion {
  location: Location;
  known: KnownVersion | null;
  asking: Promise<KnownVersion> | null;
}

/**
 * Which state of a store's index searches see (docs/adr/0019-kept-candidates.md). Two states with the same version have the same documents:
 * the version is made of the place that was asked, of the highest sequence number of its documents that searches see, and of how many they
 * see. Every write but a deletion has a higher number than all before, and a deletion leaves fewer documents. Of an index that stores share
 * only the store's own documents count: what others write changes nothing of it.
 */
export class IndexVersions {
  private readonly stores = new LRUCache<string, StoreVersion>({ max: MOST_STORES });

  /** `preference`: so that one copy of an index is asked, for copies may be of different states. */
  constructor(
    private readonly connection: ElasticConnection,
    private readonly preference: string,
  ) {}

  /**
   * As it was less than 200 ms before the search began, or since; and after every write of this process. Where Elasticsearch fails to tell it, as
   * it was less than two seconds before; where that is not known, it throws what was wrong.
   */
  async current(searched: SearchedLocation): Promise<string> {
    const state = this.of(searched);
    const { known } = state;
    const age = known ? this.beginOf(searched) - known.at : Infinity;
    if (known && age < KNOWN_MS) {
      // Where that fails, the search that finds no known version asks again.
      if (age > RENEWED_MS) this.ask(state).catch(() => undefined);
      return known.version;
    }
    try {
      return (await this.connection.inTime(searched.until, () => this.ask(state))).version;
    } catch (error) {
      // Meanwhile this process may have written, or another search may have been told a newer one.
      const latest = this.stores.peek(searched.store) === state ? state.known : null;
      if (latest && this.beginOf(searched) - latest.at < KNOWN_WHILE_FAILING_MS) return latest.version;
      throw error;
    }
  }

  /**
   * When a search began, as `performance.now()`: the version it has begun with is good enough to its end, where it asks for the numbers of many
   * words one after the other.
   */
  private beginOf({ until = Infinity }: SearchedLocation): number {
    return Math.min(performance.now(), until - answerTime(this.connection.timeoutMs));
  }

  /** After a write of this process, and when the index is another one: what was asked for before may be of the state before. */
  changed(store: string): void {
    this.stores.delete(store);
  }

  /** Of a store that has moved, nothing is known yet. */
  private of({ store, location }: SearchedLocation): StoreVersion {
    const known = this.stores.get(store);
    if (known && known.location.index === location.index && known.location.scope === location.scope) return known;
    const state = { location, known: null, asking: null };
    this.stores.set(store, state);
    return state;
  }

  private ask(state: StoreVersion): Promise<KnownVersion> {
    state.asking ??= this.read(state.location)
      .then((known) => (state.known = known))
      .finally(() => (state.asking = null));
    return state.asking;
  }

  private async read(location: Location): Promise<KnownVersion> {
    const at = performance.now();
    const request = within(location, {
      index: location.index,
      preference: this.preference,
      ignore_unavailable: true,
      size: 0,
      track_total_hits: false,
    });
    const { aggregations } = await this.connection.search({ ...request, aggs: versionAggregations() });
    return { version: readVersion(location, aggregations), at };
  }
}

type Aggregation = estypes.AggregationsAggregationContainer;

function versionAggregations(): Record<string, Aggregation> {
  return { version: { terms: { field: '_index' }, aggs: { written: { max: { field: '_seq_no' } } } } };
}

/** The answer to `versionAggregations` over all documents of a place. */
function readVersion({ scope }: Location, answer: unknown): string {
  const { version } = (answer ?? {}) as { version?: { buckets: VersionBucket[] } };
  const states = (version?.buckets ?? []).map(
    ({ key, doc_count, written }) => `${key}/${scope ?? ''} ${written.value} ${doc_count}`,
  );
  return states.sort().join(' ');
}

/**
 * Beside any request: what tells whether its answer is of a version. It counts the documents that have its highest sequence number, or a higher
 * one.
 */
export function stateAggregation(location: Location, version: string): Aggregation {
  const [where = '', seqNo = ''] = version.split(' ');
  const index = where.slice(0, where.indexOf('/'));
  return overAll(location, {
    newest: { filter: { bool: { filter: [{ term: { _index: index } }, { term: { _seq_no: seqNo } }] } } },
    newer: { filter: { range: { _seq_no: { gt: seqNo } } } },
  });
}

/** The answer to `stateAggregation`. A version of several indices is never told. */
export function isOfVersion(version: string, answer: unknown): boolean {
  const [, , count, ...others] = version.split(' ');
  const { doc_count: found, newest, newer } = readOverAll(answer) as StateAnswer;
  return others.length === 0 && found === Number(count) && newer?.doc_count === 0 && (newest?.doc_count ?? 0) > 0;
}

interface StateAnswer {
  doc_count?: number;
  newest?: { doc_count: number };
  newer?: { doc_count: number };
}

interface VersionBucket {
  key: string;
  doc_count: number;
  written: { value: number | null };
}
