import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { aggregateEvents } from '../../../../ranking/vectors/aggregate';
import { type BehaviourVector, emptyVector } from '../../../../ranking/vectors/vector';
import { retryOnConflict } from '../../../../shared/async/retry';
import { SingleFlight } from '../../../../shared/async/single-flight';
import { within } from '../../../../shared/async/within';
import { ApiError } from '../../../../shared/api-error';
import type { Clock } from '../../../../shared/clock';
import type { RedisConnection } from '../../../../storage/redis/redis-connection';
import type { ShopperKey } from '../../../shoppers/shopper';
import {
  type AggregateRequest,
  type LogChange,
  type Profile,
  profileName,
  type ProfileRequest,
  ProfileStore,
} from '../../profile-store';
import { EventNotes } from './event-notes';
import { MissedEvents } from './missed-events';
import { type ProfiledLog, recentEventPages } from './profiled-log';
import { areTooMany, type RecentEvent } from './recent-event';
import { type Held, RedisProfiles } from './redis-profiles';

/** What the log says of a shopper, up to what may be aggregated and behind it. */
interface AggregatedLog {
  vector: BehaviourVector;
  watermark: number;
  aggregated: number;
  rest: RecentEvent[];
}

/** By then the log surely shows an event that was appended. */
const SHOWN_MS = 10_000;
const TRIES = 5;

/**
 * Vectors and recent events in Redis, all of it made from the event log. Where Redis knows nothing of a shopper, or lost what it knew,
 * the log is read once and kept. Throws `unavailable` where Redis is down. While it is full, what it holds is completed from the log, and
 * what it lacks is read from there each time.
 */
export class RedisProfileStore extends ProfileStore implements OnApplicationBootstrap, OnModuleDestroy {
  /** One search of the log is for all of them. */
  override readonly aggregationsAtOnce = 50;
  readonly profiles: RedisProfiles;
  readonly missed: MissedEvents;
  private readonly notes: EventNotes;
  private readonly loads = new SingleFlight<Profile | null>();

  /** `readWithinMs`: a search does not wait longer for a profile that has to be made from the log; the next one finds it. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly log: ProfiledLog,
    stores: { all(): readonly { id: string }[] },
    private readonly clock: Clock,
    private readonly readWithinMs: number,
  ) {
    super();
    this.profiles = new RedisProfiles(redis, log.snapshots);
    this.notes = new EventNotes(this.profiles, log);
    this.missed = new MissedEvents(redis, this.profiles, log, stores, clock);
  }

  onApplicationBootstrap(): void {
    this.missed.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.missed.stop();
  }

  override noting<T>(write: () => Promise<T>, changeOf: (written: T) => LogChange): Promise<T> {
    return this.missed.watch(write, (written) => this.notes.note(changeOf(written)));
  }

  override async read(requests: ProfileRequest[]): Promise<(Profile | null)[]> {
    const held = await within(this.readWithinMs, this.profiles.read(requests), () => beingMade(1));
    return Promise.all(
      requests.map((request, index) => {
        const own = held[index];
        if (!own || own.watermark === null) return within(this.readWithinMs, this.load(request), () => beingMade(1));
        return this.isFull ? this.completed(request, own) : profileOf(own);
      }),
    );
  }

  override dirty(query: { before: number; limit: number }): Promise<ProfileRequest[]> {
    return this.profiles.dirty(query);
  }

  override aggregate(request: AggregateRequest): Promise<number> {
    return retryOnConflict(
      async () => {
        const held = await this.profiles.readOne(request);
        const fromLog = request.fromScratch || held.watermark === null;
        return fromLog ? this.aggregateLog(request, held) : this.aggregateRecent(request, held);
      },
      { times: TRIES, exhausted: () => new Error('The profile kept changing while it was aggregated') },
    );
  }

  override shoppers(query: { store: string; after?: string; limit: number }): Promise<ShopperKey[]> {
    return this.log.shoppers(query);
  }

  override remove({ erasedAt, ...request }: ProfileRequest & { erasedAt?: number }): Promise<boolean> {
    return this.profiles.forget(request, erasedAt === undefined ? 0 : this.log.seqAt(erasedAt));
  }

  override removeStore(store: string): Promise<number> {
    return this.profiles.removeStore(store);
  }

  private get isFull(): boolean {
    return this.redis.writes.refusal !== null;
  }

  /** With what came since Redis takes no writes; without it where the log does not answer in time. */
  private async completed(request: ProfileRequest, held: Held): Promise<Profile | null> {
    try {
      const recentEvents = await within(this.readWithinMs, this.eventsAfter(request, held.watermark ?? 0));
      return profileOf({ ...held, recentEvents: merged(held.recentEvents, [], recentEvents) });
    } catch {
      return profileOf(held);
    }
  }

  /** Throws where they are too many to be read by a search. */
  private async eventsAfter(request: ProfileRequest, watermark: number): Promise<RecentEvent[]> {
    const events: RecentEvent[] = [];
    for await (const page of recentEventPages(this.log, request, watermark)) {
      events.push(...page);
      if (!areTooMany(events)) continue;
      await this.profiles.putOff(request, events[0]?.received ?? 0);
      throw beingMade(5);
    }
    return events;
  }

  /** Once for all who ask at the same time. */
  private load(request: ProfileRequest): Promise<Profile | null> {
    return this.loads.run(profileName(request), async () =>
      profileOf(
        await retryOnConflict(() => this.loadOnce(request), {
          times: TRIES,
          exhausted: () =>
            new ApiError('unavailable', 'This profile kept changing while it was read', { retryAfter: 1 }),
        }),
      ),
    );
  }

  /** Null where somebody was first. */
  private async loadOnce(request: ProfileRequest): Promise<Held | null> {
    const held = await this.profiles.readOne(request);
    if (held.watermark !== null) return held;
    const recentEvents = await this.eventsAfter(request, 0);
    const stale = this.staleOf(held, 0, recentEvents);
    const now = this.clock.now();
    const saving = { held, watermark: 0, vector: null, now, stale, recentEvents };
    const saved = await this.profiles.save(request, saving).catch((error: unknown) => {
      if (this.isFull) return true;
      throw error;
    });
    return saved ? { ...held, watermark: 0, recentEvents: merged(held.recentEvents, stale, recentEvents) } : null;
  }

  /** Null where somebody was first. */
  private async aggregateRecent(request: AggregateRequest, held: Held): Promise<number | null> {
    const { until, halfLife } = request;
    const tooYoung = held.recentEvents.findIndex(({ received }) => received >= until);
    const events = tooYoung < 0 ? held.recentEvents : held.recentEvents.slice(0, tooYoung);
    const watermark = events.at(-1)?.seq ?? held.watermark ?? 0;
    const vector = events.length === 0 ? 'same' : aggregateEvents(held.vector ?? emptyVector(halfLife), events);
    const now = this.clock.now();
    // Even where nothing is aggregated: since when it is dirty may have to be set right.
    const saved = await this.profiles.save(request, { held, watermark, vector, now, stale: [], recentEvents: [] });
    return saved ? events.length : null;
  }

  /** Null where somebody was first. */
  private async aggregateLog(request: AggregateRequest, held: Held): Promise<number | null> {
    // What the serving vector holds is aggregated again whatever its age: a rebuild never falls behind it.
    const { vector, watermark, aggregated, rest } = await this.readAndAggregate(request, held.watermark ?? 0);
    if (areTooMany(rest)) {
      await this.profiles.putOff(request, rest[0]?.received ?? request.until);
      return 0;
    }
    // Of a store that was erased meanwhile, say: that nothing is known of a shopper is not written down under the shopper's id.
    if (watermark === 0 && rest.length === 0 && isNothing(held)) {
      return (await this.profiles.settleNothing(request)) ? aggregated : null;
    }
    const saved = await this.profiles.save(request, {
      held,
      watermark,
      vector: watermark === 0 ? null : vector,
      now: this.clock.now(),
      stale: this.staleOf(held, watermark, rest),
      recentEvents: rest,
    });
    return saved ? aggregated : null;
  }

  private async readAndAggregate(request: AggregateRequest, serving: number): Promise<AggregatedLog> {
    const { until, halfLife } = request;
    let vector = emptyVector(halfLife);
    let watermark = 0;
    let aggregated = 0;
    const rest: RecentEvent[] = [];
    for await (const page of recentEventPages(this.log, request)) {
      const tooYoung = rest.length > 0 ? 0 : page.findIndex(({ received, seq }) => received >= until && seq > serving);
      const events = tooYoung < 0 ? page : page.slice(0, tooYoung);
      rest.push(...page.slice(events.length));
      vector = aggregateEvents(vector, events);
      watermark = events.at(-1)?.seq ?? watermark;
      aggregated += events.length;
      if (areTooMany(rest)) break;
    }
    return { vector, watermark, aggregated, rest };
  }

  /** Events of the recent events that the log does not have: claimed by another shopper, or erased, while they were on their way here. */
  private staleOf(held: Held, watermark: number, events: readonly RecentEvent[]): number[] {
    const inLog = new Set(events.map(({ seq }) => seq));
    const shownBefore = this.clock.now() - SHOWN_MS;
    return held.recentEvents
      .filter(({ seq, received }) => seq > watermark && received < shownBefore && !inLog.has(seq))
      .map(({ seq }) => seq);
  }
}

const isNothing = ({ generation, watermark, recentEvents }: Held): boolean =>
  generation === '' && watermark === null && recentEvents.length === 0;

function profileOf({ vector, watermark, recentEvents, updatedAt }: Held): Profile | null {
  if (!vector && recentEvents.length === 0) return null;
  return { vector, watermark: watermark ?? 0, recentEvents, updatedAt };
}

/** What Redis has after a save, in order. */
function merged(held: RecentEvent[], stale: number[], added: RecentEvent[]): RecentEvent[] {
  const all = new Map([...held, ...added].map((event) => [event.seq, event]));
  for (const seq of stale) all.delete(seq);
  return [...all.values()].sort((a, b) => a.seq - b.seq);
}

const beingMade = (retryAfter: number): ApiError =>
  new ApiError('unavailable', 'This profile is being made from the event log', { retryAfter });
