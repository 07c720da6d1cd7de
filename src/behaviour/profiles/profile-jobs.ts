import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { type JobContext, JobQueue, type NewJob } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import { Periodic } from '../../shared/async/periodic';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { halfLivesOf } from '../../stores/store-settings';
import { StoresService } from '../../stores/stores.service';
import { shopperOf } from '../shoppers/shopper';
import { profileName, type ProfileRequest, ProfileStore } from './profile-store';

const AGGREGATE = 'profiles.fold';
const LOOK_EVERY_MS = 5000;
const SHOPPERS_AT_ONCE = 100;
/** Events stay recent events this long: by then those that were under way when they came are in the log, too. */
const SETTLED_MS = 10_000;
/** A visit is aggregated a few times, not at each of its events, since that reads and writes the whole vector. */
const AGGREGATE_AFTER_MS = 120_000;

/** Whose recent events has an event that came so long ago, milliseconds; null: one that is settled. */
type AggregatePayload = { afterMs: number } | null;

interface Rebuild {
  userId?: string;
  deviceId?: string;
}

/** For when many events came at once: every search of such a shopper would read all of them. */
export function aggregateSoon(store: string): NewJob {
  return { kind: AGGREGATE, store, key: 'fold', payload: null, delayMs: SETTLED_MS };
}

/** Aggregates the log into long-term vectors. None of it moves a ranking: what is aggregated leaves the recent events in the same write. */
@Injectable()
export class ProfileJobs implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('profiles');
  private readonly looks = new Periodic(
    LOOK_EVERY_MS,
    () => this.lookForDirty(),
    (error) => this.logger.warn(`Looking for events to aggregate failed: ${String(error)}`),
  );

  constructor(
    private readonly profiles: ProfileStore,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<AggregatePayload>(AGGREGATE, (context) => this.aggregateDirty(context));
    this.jobs.process<Rebuild>('vectors.rebuild', (context) => this.rebuild(context));
    this.stores.onChange(async (store, before) => {
      if (before && JSON.stringify(before.settings.halfLife) !== JSON.stringify(store.settings.halfLife)) {
        await this.requestRebuild(store, {});
      }
    });
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looks.stop();
  }

  /** Vectors from the first event on: one shopper's, or all. The serving ones stay until theirs is done. */
  async requestRebuild(store: Store, { userId, deviceId }: Rebuild, askedBy?: string): Promise<{ jobId: string }> {
    const subject = shopperOf({ userId, deviceId });
    const jobId = await this.jobs.enqueue({
      kind: 'vectors.rebuild',
      store: store.id,
      key: subject ?? 'all',
      payload: { userId, deviceId },
      askedBy,
      ...(subject ? { subject } : {}),
    });
    return { jobId };
  }

  /** A read, so that an idle service writes nothing; the job is there so that the work is seen and taken up again. */
  private async lookForDirty(): Promise<void> {
    try {
      const [waiting] = await this.profiles.dirty({ before: this.clock.now() - AGGREGATE_AFTER_MS, limit: 1 });
      const payload: AggregatePayload = { afterMs: AGGREGATE_AFTER_MS };
      if (waiting) await this.jobs.enqueue({ kind: AGGREGATE, store: '*', key: 'fold', payload });
    } catch (error) {
      // A storage that is down says so itself, once.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  private async aggregateDirty(job: JobContext<AggregatePayload>): Promise<{ aggregated: number }> {
    const { payload, signal, progress } = job;
    const before = this.clock.now() - (payload?.afterMs ?? SETTLED_MS);
    const until = this.clock.now() - SETTLED_MS;
    const failed = new Set<string>();
    // Those with too many recent events may all be too young to be aggregated.
    const tooYoung = new Set<string>();
    let aggregated = 0;
    for (let shoppers = 0; !signal.aborted;) {
      const limit = SHOPPERS_AT_ONCE + failed.size + tooYoung.size;
      const isDone = (name: string): boolean => failed.has(name) || tooYoung.has(name);
      const todo = (await this.profiles.dirty({ before, limit })).filter((request) => !isDone(profileName(request)));
      if (todo.length === 0) break;
      await this.together(todo, signal, async (request) => {
        try {
          const events = await this.aggregateOne(request, { until, fromScratch: false });
          aggregated += events;
          if (events === 0) tooYoung.add(profileName(request));
        } catch (error) {
          // One shopper that can't be aggregated must not keep the others waiting.
          failed.add(profileName(request));
          this.logger.error(`Aggregating a vector failed: ${String(error)}`);
        }
      });
      shoppers += todo.length;
      await progress(shoppers, shoppers);
    }
    if (failed.size > 0) throw new Error(`${failed.size} vectors could not be aggregated`);
    return { aggregated };
  }

  private async aggregateOne(
    { store: storeId, shopper }: ProfileRequest,
    options: { until: number; fromScratch: boolean },
  ): Promise<number> {
    const store = this.stores.byId(storeId);
    // What is left of a store that is being erased.
    if (!store) return this.profiles.removeStore(storeId);
    return this.profiles.aggregate({ store: storeId, shopper, halfLife: halfLivesOf(store.settings), ...options });
  }

  private async rebuild({ job, payload, signal, progress }: JobContext<Rebuild>): Promise<{ shoppers: number }> {
    const { store } = job;
    const options = { until: this.clock.now() - SETTLED_MS, fromScratch: true };
    const one = shopperOf(payload);
    if (one) {
      await this.aggregateOne({ store, shopper: one }, options);
      return { shoppers: 1 };
    }
    let shoppers = 0;
    let last: string | undefined;
    while (!signal.aborted) {
      const page = await this.profiles.shoppers({ store, limit: SHOPPERS_AT_ONCE, ...(last ? { after: last } : {}) });
      await this.together(page, signal, async (shopper) => {
        await this.aggregateOne({ store, shopper }, options);
        shoppers += 1;
      });
      last = page.at(-1);
      await progress(shoppers, page.length === SHOPPERS_AT_ONCE ? shoppers + 1 : shoppers);
      if (page.length < SHOPPERS_AT_ONCE) break;
    }
    // Not done: begun again by the next process.
    signal.throwIfAborted();
    return { shoppers };
  }

  /** Some at a time, until stopped. */
  private async together<T>(all: readonly T[], signal: AbortSignal, work: (one: T) => Promise<void>): Promise<void> {
    const { aggregationsAtOnce } = this.profiles;
    for (let from = 0; from < all.length && !signal.aborted; from += aggregationsAtOnce) {
      await Promise.all(all.slice(from, from + aggregationsAtOnce).map(work));
    }
  }
}
