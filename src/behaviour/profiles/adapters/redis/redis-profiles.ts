import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { RedisConnection } from '../../../../storage/redis/redis-connection';
import type { SnapshotReader } from '../../../events/adapters/stored-evidence';
import type { ShopperKey } from '../../../shoppers/shopper';
import { profileName, type ProfileRequest } from '../../profile-store';
import type { BehaviourVector } from '../../../../ranking/vectors/vector';
import { ADD, DROP, FORGET, READ_LOG_AGAIN, READ, SAVE, SETTLE_NOTHING } from './profile-scripts';
import {
  eventsIn,
  MANY_RECENT_EVENTS,
  MANY_RECENT_SIZE,
  MOST_RECENT_EVENTS,
  MOST_RECENT_SIZE,
  type RecentEvent,
  textOf,
} from './recent-event';

/** What Redis says of a shopper. */
export interface Held {
  generation: string;
  /** Null: nothing is known of the log before the recent events. */
  watermark: number | null;
  vector: BehaviourVector | null;
  updatedAt: number | null;
  recentEvents: RecentEvent[];
}

/** One write of all of a shopper; it is refused where `held` is no longer what Redis holds. */
export interface Saving {
  held: Held;
  watermark: number;
  /** Null: there is none; `same`: the one held. */
  vector: BehaviourVector | null | 'same';
  now: number;
  /** Sequence numbers of the recent events that are no events of this shopper. */
  stale: number[];
  /** Events after the watermark that the recent events may lack. */
  recentEvents: RecentEvent[];
}

interface Decoded {
  id: string;
  vector: BehaviourVector;
}

type Text = string | null;
/** `vector`, `recentEvents`: null where they are those that are known already. */
type Answer = [
  generation: Text,
  watermark: Text,
  id: Text,
  updated: Text,
  vector: Text,
  version: Text,
  recentEvents: string[] | null,
];

/** Recent events, and the state of Redis they are those of. */
interface DecodedEvents {
  version: string;
  events: RecentEvent[];
}

/** What is in memory of a shopper, and what Redis adds to it. */
interface Reading {
  request: ProfileRequest;
  vector: Decoded | undefined;
  events: DecodedEvents | undefined;
  answer: Answer;
}

const DAY_S = 86_400;
const PROFILE_S = 30 * DAY_S;
const OVERLAY_S = 31 * DAY_S;
/** Of a shopper of whom the log knows nothing, or whose profile was forgotten. */
const NOTHING_S = 600;
/** Characters of JSON whose decoded vectors stay in memory, where they take about four times as many bytes. */
const CACHED_CHARACTERS = 3_000_000;
const SCANNED_AT_ONCE = 1000;
/** For jobs, which carry more than a search reads. */
const WRITE_WITHIN_MS = 1000;

/** Shoppers' profiles as Redis keeps them. Everything here throws `unavailable` where Redis is down. */
export class RedisProfiles {
  /** Of each shopper the last state that was read, by its id, which is never used again. */
  private readonly decoded = new LRUCache<string, Decoded>({ maxSize: CACHED_CHARACTERS });
  /** By shopper: a profile is decoded once for all who search while it stays the same. */
  private readonly decodedEvents = new LRUCache<string, DecodedEvents>({ maxSize: CACHED_CHARACTERS });

  constructor(
    private readonly redis: RedisConnection,
    private readonly snapshots: SnapshotReader,
  ) {}

  /** One round trip for all. */
  read(requests: ProfileRequest[]): Promise<Held[]> {
    return Promise.all(requests.map((request) => this.readOne(request)));
  }

  /** A big profile costs its own shopper's reads, not those of others. */
  async readOne(request: ProfileRequest): Promise<Held> {
    const reading = await this.redis.runFor(profileName(request), (client) => this.readFrom(client, request));
    return this.heldIn(reading);
  }

  async add(request: ProfileRequest, events: RecentEvent[]): Promise<void> {
    const values = events.flatMap((event) => [event.seq, event.received, textOf(event)]);
    const most = [MOST_RECENT_EVENTS, MOST_RECENT_SIZE, MANY_RECENT_EVENTS, MANY_RECENT_SIZE];
    const head = [profileName(request), randomUUID(), ...most, PROFILE_S, OVERLAY_S];
    await this.redis.run((client) => ADD.run(client, this.keys(request), [...head, ...values]));
  }

  /** Nothing is left: what is read next comes from the log, and no event up to `claimed`. True where there was a vector. */
  async forget(request: ProfileRequest, claimed = 0): Promise<boolean> {
    const values = [profileName(request), randomUUID(), claimed, NOTHING_S];
    const had = await this.redis.run((client) => FORGET.run(client, this.keys(request), values));
    this.decoded.delete(profileName(request));
    this.decodedEvents.delete(profileName(request));
    return had === 1;
  }

  /** The log is looked at before anything is read again; of the recent events only `gone` is dropped. */
  async readLogAgain(request: ProfileRequest, gone: number[] = []): Promise<void> {
    await this.redis.run((client) =>
      READ_LOG_AGAIN.run(client, this.keys(request), [randomUUID(), NOTHING_S, ...gone]),
    );
  }

  /** These events count no longer: a vector that holds one is made anew from the log. */
  async drop(request: ProfileRequest, seqs: number[]): Promise<void> {
    await this.redis.run((client) => DROP.run(client, this.keys(request), [randomUUID(), NOTHING_S, ...seqs]));
  }

  async save(request: ProfileRequest, saving: Saving): Promise<boolean> {
    const { held, watermark, vector, now, stale, recentEvents } = saving;
    const nothing = watermark === 0 && recentEvents.length === 0 && held.recentEvents.length === 0;
    const state =
      vector === 'same' ? ['=', '', ''] : vector ? [randomUUID(), now, JSON.stringify(vector)] : ['', '', ''];
    const values = [
      profileName(request),
      randomUUID(),
      MANY_RECENT_EVENTS,
      MANY_RECENT_SIZE,
      nothing ? NOTHING_S : PROFILE_S,
      OVERLAY_S,
      held.generation,
      held.watermark === null ? '' : held.watermark,
      watermark,
      ...state,
      stale.length,
      ...stale,
      ...recentEvents.flatMap((event) => [event.seq, textOf(event)]),
    ];
    return (await this.redis.run((client) => SAVE.run(client, this.keys(request), values), WRITE_WITHIN_MS)) === 1;
  }

  /** Leaves nothing behind of a shopper of whom there is nothing. False where there is something after all. */
  async settleNothing(request: ProfileRequest): Promise<boolean> {
    const names = [profileName(request)];
    return (await this.redis.run((client) => SETTLE_NOTHING.run(client, this.keys(request), names))) === 1;
  }

  async dirty({ before, limit }: { before: number; limit: number }): Promise<ProfileRequest[]> {
    const members = await this.redis.run((client) =>
      client.zrangebyscore(this.dirtyKey, '-inf', `(${before}`, 'LIMIT', 0, limit),
    );
    return members.map(requestOf);
  }

  /** Looked at again once `since` is long enough ago. */
  async putOff(request: ProfileRequest, since: number): Promise<void> {
    await this.redis.run((client) => client.zadd(this.dirtyKey, since, profileName(request)));
  }

  /** The number of vectors there were. */
  async removeStore(store: string): Promise<number> {
    let vectors = 0;
    for (const kind of ['profile', 'overlay']) {
      const match = `${escaped(this.redis.key(kind, store))}:*`;
      const scan = (client: Redis, cursor: string) => client.scan(cursor, 'MATCH', match, 'COUNT', SCANNED_AT_ONCE);
      await this.eachPage(scan, async (client, keys) => {
        const vectorsOf = kind === 'profile' ? keys : [];
        const had = await Promise.all(vectorsOf.map((key) => client.hexists(key, 'v')));
        vectors += had.filter((one) => one === 1).length;
        await client.unlink(...keys);
      });
    }
    const match = `${escaped(store)}\n*`;
    await this.eachPage(
      (client, cursor) => client.zscan(this.dirtyKey, cursor, 'MATCH', match, 'COUNT', SCANNED_AT_ONCE),
      (client, found) => client.zrem(this.dirtyKey, ...found.filter((_text, index) => index % 2 === 0)),
    );
    return vectors;
  }

  private async eachPage(
    scan: (client: Redis, cursor: string) => Promise<[cursor: string, found: string[]]>,
    work: (client: Redis, found: string[]) => Promise<unknown>,
  ): Promise<void> {
    let cursor = '0';
    do {
      const [next, found] = await this.redis.run((client) => scan(client, cursor), WRITE_WITHIN_MS);
      if (found.length > 0) await this.redis.run((client) => work(client, found), WRITE_WITHIN_MS);
      cursor = next;
    } while (cursor !== '0');
  }

  private get dirtyKey(): string {
    return this.redis.key('dirty');
  }

  private keys({ store, shopper }: ProfileRequest): string[] {
    return [this.redis.key('profile', store, shopper), this.redis.key('overlay', store, shopper), this.dirtyKey];
  }

  private async readFrom(client: Redis, request: ProfileRequest): Promise<Reading> {
    const name = profileName(request);
    const vector = this.decoded.get(name);
    const events = this.decodedEvents.get(name);
    const answer = await READ.run(client, this.keys(request), [vector?.id ?? '', events?.version ?? '']);
    return { request, vector, events, answer: answer as Answer };
  }

  private async heldIn({ request, vector, events, answer }: Reading): Promise<Held> {
    const name = profileName(request);
    const [generation, watermark, id, updated, json, version, texts] = answer;
    let decoded = vector;
    // It was forgotten, by whatever process.
    if (id === null) this.decoded.delete(name);
    if (id !== null && json !== null) {
      decoded = { id, vector: JSON.parse(json) as BehaviourVector };
      this.decoded.set(name, decoded, { size: json.length + 1 });
    }
    return {
      generation: generation ?? '',
      watermark: watermark === null ? null : Number(watermark),
      vector: id !== null && decoded?.id === id ? decoded.vector : null,
      updatedAt: id === null ? null : Number(updated),
      recentEvents: texts ? await this.eventsIn(request, version, texts) : (events?.events ?? []),
    };
  }

  private async eventsIn(request: ProfileRequest, version: Text, texts: readonly string[]): Promise<RecentEvent[]> {
    const events = await eventsIn(this.snapshots, request.store, texts);
    const size = texts.reduce((sum, text) => sum + text.length, 1);
    if (version !== null) this.decodedEvents.set(profileName(request), { version, events }, { size });
    return events;
  }
}

function requestOf(name: string): ProfileRequest {
  const end = name.indexOf('\n');
  return { store: name.slice(0, end), shopper: name.slice(end + 1) as ShopperKey };
}

/** For the patterns of SCAN. */
const escaped = (text: string): string => text.replaceAll(/[\\[\]?*^]/g, '\\$&');
