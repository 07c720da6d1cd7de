import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock';
import type { EmbeddedDatabase } from '../../../../storage/sqlite/embedded-database';
import { type Calls, callUntilNone } from '../../../../storage/sqlite/writer-commands';
import type { ShopperKey } from '../../../shoppers/shopper';
import { type AggregateRequest, type Profile, type ProfileRequest, ProfileStore } from '../../profile-store';
import type { BehaviourVector } from '../../../../ranking/vector';
import { recentEvent, type commands } from './profiles.commands';

/** Characters of JSON whose decoded vectors stay in memory, where they take about four times as many bytes. */
const CACHED_CHARACTERS = 3_000_000;
const REMOVED_AT_ONCE = 500;
const PROFILE = 'SELECT id, watermark, updated FROM profile WHERE store = ? AND shopper = ?';
const RECENT_EVENTS =
  'SELECT seq, evidence FROM event WHERE store = ? AND shopper = ? AND seq > ? AND counted = 1 ORDER BY seq';

/** Vectors in the embedded database. The recent events are no copy: they are read from the log, after the watermark. */
export class EmbeddedProfileStore extends ProfileStore {
  /** They share a commit: each is short, and other writes wait for all of them. */
  override readonly aggregationsAtOnce = 8;
  private readonly call: Calls<typeof commands>;
  /** By the id of a stored state, which is never used again. */
  private readonly decoded = new LRUCache<number, BehaviourVector>({ maxSize: CACHED_CHARACTERS });

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly clock: Clock,
  ) {
    super();
    this.call = database.writer.calls<typeof commands>();
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
    const rows = this.database.reader.all(sql, before, limit);
    return rows.map(([store, shopper]) => ({ store: String(store), shopper: shopper as ShopperKey }));
  }

  override async aggregate({ fromScratch, ...call }: AggregateRequest): Promise<number> {
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
    return (await this.call('profiles.remove', { store, shopper })) > 0;
  }

  override removeStore(store: string): Promise<number> {
    return callUntilNone(() => this.call('profiles.removeSome', { store, limit: REMOVED_AT_ONCE }));
  }

  private readOne({ store, shopper }: ProfileRequest): Profile | null {
    const { reader } = this.database;
    const row = reader.one(PROFILE, store, shopper);
    const watermark = Number(row?.[1] ?? 0);
    const recentEvents = reader.all(RECENT_EVENTS, store, shopper, watermark);
    if (!row && recentEvents.length === 0) return null;
    const vector = row ? this.vectorOf(Number(row[0])) : () => null;
    return {
      // Decoded where it is looked at: who has seen this state before does not look.
      get vector() {
        return vector();
      },
      watermark,
      recentEvents: recentEvents.map(recentEvent),
      updatedAt: row ? Number(row[2]) : null,
    };
  }

  /** Reads a state's text at once, for it may be gone later, and decodes it at the first call. */
  private vectorOf(id: number): () => BehaviourVector | null {
    let vector = this.decoded.get(id) ?? null;
    const json = vector ? null : this.database.reader.one('SELECT vector FROM profile WHERE id = ?', id)?.[0];
    return () => {
      if (vector || typeof json !== 'string') return vector;
      vector = JSON.parse(json) as BehaviourVector;
      this.decoded.set(id, vector, { size: json.length + 1 });
      return vector;
    };
  }
}
