import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { type Calls, callUntilNone } from '../../../../storage/sqlite/writer-commands';
import type { ShopperKey } from '../../../shoppers/shopper';
import {
  type AggregateRequest,
  type Profile,
  profileName,
  type ProfileRequest,
  ProfileStore,
} from '../../profile-store';
import type { BehaviourVector } from '../../../../ranking/vectors/vector';
import type { commands } from './profiles.commands';
import { RecentEvents } from './recent-events';
import { vectorText } from './stored-vector';

/** Characters of JSON whose decoded vectors stay in memory, where they take about four times as many bytes. */
const CACHED_CHARACTERS = 3_000_000;
const REMOVED_AT_ONCE = 500;
/** Shoppers with too many recent events who are remembered until a job has aggregated them. */
const MOST_HEAVY = 1000;
const PROFILE = 'SELECT id, watermark, updated FROM profile WHERE store = ? AND shopper = ?';

/** Vectors in the embedded database. The recent events are no copy: they are read from the log, after the watermark. */
export class EmbeddedProfileStore extends ProfileStore {
  /** They share a commit: each is short, and other writes wait for all of them. */
  override readonly aggregationsAtOnce = 8;
  private readonly call: Calls<typeof commands>;
  /** Of each shopper the last state that was looked at, by its id, which is never used again. */
  private readonly decoded = new LRUCache<string, { id: number; vector: BehaviourVector }>({
    maxSize: CACHED_CHARACTERS,
  });
  private readonly recent: RecentEvents;
  /** A search found too many recent events of theirs. */
  private readonly heavy = new LRUCache<string, ProfileRequest>({ max: MOST_HEAVY });

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    super();
    this.call = database.writer.calls<typeof commands>();
    this.recent = new RecentEvents(database.reader);
  }

  /** Nothing to note: the recent events are read from the log itself. */
  override noting<T>(write: () => Promise<T>): Promise<T> {
    return write();
  }

  override async read(requests: ProfileRequest[]): Promise<(Profile | null)[]> {
    // One read transaction: a job that aggregates between two statements must not hide an event from both.
    const { reader } = this.database;
    reader.run('BEGIN');
    try {
      return requests.map((request) => this.readOne(request));
    } finally {
      reader.run('COMMIT');
    }
  }

  override async dirty({ before, limit }: { before: number; limit: number }): Promise<ProfileRequest[]> {
    const sql = 'SELECT store, shopper FROM profile_dirty WHERE since < ? ORDER BY since LIMIT ?';
    const heavy = [...this.heavy.values()].slice(0, limit);
    const rows = this.database.reader.all(sql, before, limit);
    const waiting = rows.map(([store, shopper]) => ({ store: String(store), shopper: shopper as ShopperKey }));
    return [...heavy, ...waiting.filter((request) => !this.heavy.has(profileName(request)))].slice(0, limit);
  }

  override async aggregate({ fromScratch, ...call }: AggregateRequest): Promise<number> {
    this.heavy.delete(profileName(call));
    let aggregated = 0;
    for (let mode: 'go' | 'begin' | 'continue' = fromScratch ? 'begin' : 'go'; ;) {
      const answer = await this.call('profiles.fold', { ...call, now: this.clock.now(), mode });
      aggregated += answer.aggregated;
      if (!answer.more) return aggregated;
      if (fromScratch) mode = 'continue';
    }
  }

  override async shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]> {
    const sql = 'SELECT DISTINCT shopper FROM event WHERE store = ? AND shopper > ? ORDER BY shopper LIMIT ?';
    const rows = this.database.reader.all(sql, query.store, query.after ?? '', query.limit);
    return rows.map(([shopper]) => shopper as ShopperKey);
  }

  override async remove({ store, shopper }: ProfileRequest): Promise<boolean> {
    const removed = await this.call('profiles.remove', { store, shopper });
    // Not before: a search would bring it back. One that has read a state looks at its vector before anything else happens.
    const name = profileName({ store, shopper });
    this.recent.forget({ store, shopper });
    this.decoded.delete(name);
    this.heavy.delete(name);
    return removed > 0;
  }

  override removeStore(store: string): Promise<number> {
    return callUntilNone(() => this.call('profiles.removeSome', { store, limit: REMOVED_AT_ONCE }));
  }

  private readOne({ store, shopper }: ProfileRequest): Profile | null {
    const { reader } = this.database;
    const row = reader.one(PROFILE, store, shopper);
    const watermark = Number(row?.[1] ?? 0);
    const { events: recentEvents, many } = this.recent.after({ store, shopper }, watermark);
    if (many) this.heavy.set(profileName({ store, shopper }), { store, shopper });
    if (!row && recentEvents.length === 0) return null;
    const vector = row ? this.vectorOf(profileName({ store, shopper }), Number(row[0])) : () => null;
    return {
      // Decoded where it is looked at: who has seen this state before does not look.
      get vector() {
        return vector();
      },
      watermark,
      recentEvents,
      updatedAt: row ? Number(row[2]) : null,
    };
  }

  /** Reads a state at once, for it may be gone later, and decodes it at the first call. */
  private vectorOf(name: string, id: number): () => BehaviourVector | null {
    const known = this.decoded.get(name);
    let vector = known?.id === id ? known.vector : null;
    const stored = vector ? null : this.database.reader.one('SELECT vector FROM profile WHERE id = ?', id)?.[0];
    return () => {
      if (vector || !stored) return vector;
      const json = vectorText(stored);
      vector = JSON.parse(json) as BehaviourVector;
      this.decoded.set(name, { id, vector }, { size: json.length + 1 });
      return vector;
    };
  }
}
