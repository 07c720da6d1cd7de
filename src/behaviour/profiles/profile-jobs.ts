import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { ApiError } from '../../shared/api-error';
import { type JobContext, JobQueue } from '../../jobs/job-queue';
import type { Store } from '../../stores/store';
import { halfLivesOf } from '../../stores/store-settings';
import { StoresService } from '../../stores/stores.service';
import { deviceKey, type ShopperKey, userKey } from '../shoppers/shopper';
import { AGGREGATE, AGGREGATE_AFTER_MS, type AggregateRequest, SETTLED_MS } from './aggregate-job';
import { type ProfileRequest, ProfileStore } from './profile-store';

const LOOK_EVERY_MS = 5000;
const SHOPPERS_AT_ONCE = 100;

interface Rebuild {
  userId?: string;
  deviceId?: string;
}

/** Aggregates the log into long-term vectors. None of it moves a ranking: what is aggregated leaves the recent events in the same write. */
@Injectable()
export class ProfileJobs implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('profiles');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly profiles: ProfileStore,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<AggregateRequest>(AGGREGATE, (context) => this.aggregateDirty(context));
    this.jobs.process<Rebuild>('vectors.rebuild', (context) => this.rebuild(context));
    this.stores.onChange(async (store, before) => {
      if (before && JSON.stringify(before.settings.halfLife) !== JSON.stringify(store.settings.halfLife)) {
        await this.requestRebuild(store, {});
      }
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.lookForDirty(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Vectors from the first event on: one shopper's, or all. The serving ones stay until theirs is done. */
  async requestRebuild(store: Store, { userId, deviceId }: Rebuild): Promise<{ jobId: string }> {
    const subject = shopperOf({ userId, deviceId });
    const jobId = await this.jobs.enqueue({
      kind: 'vectors.rebuild',
      store: store.id,
      key: subject ?? 'all',
      payload: { userId, deviceId },
      ...(subject ? { subject } : {}),
    });
    return { jobId };
  }

  /** A read, so that an idle service writes nothing; the job is there so that the work is seen and taken up again. */
  private async lookForDirty(): Promise<void> {
    try {
      const [waiting] = await this.profiles.dirty({ before: this.clock.now() - AGGREGATE_AFTER_MS, limit: 1 });
      const payload: AggregateRequest = { afterMs: AGGREGATE_AFTER_MS };
      if (waiting) await this.jobs.enqueue({ kind: AGGREGATE, store: '*', key: 'fold', payload });
    } catch (error) {
      // A storage that is down says so itself, once.
      if (!(error instanceof ApiError)) this.logger.warn(`Looking for events to fold failed: ${String(error)}`);
    }
  }

  private async aggregateDirty({
    payload,
    signal,
    progress,
  }: JobContext<AggregateRequest>): Promise<{ aggregated: number }> {
    const before = this.clock.now() - (payload?.afterMs ?? SETTLED_MS);
    const until = this.clock.now() - SETTLED_MS;
    const failed = new Set<string>();
    let aggregated = 0;
    for (let shoppers = 0; !signal.aborted;) {
      const batch = await this.profiles.dirty({ before, limit: SHOPPERS_AT_ONCE + failed.size });
      const todo = batch.filter((request) => !failed.has(nameOf(request)));
      if (todo.length === 0) break;
      await this.together(todo, signal, async (request) => {
        try {
          const own = await this.aggregateOne(request, { until, fromScratch: false });
          aggregated += own;
        } catch (error) {
          // One shopper that can't be aggregated must not keep the others waiting.
          failed.add(nameOf(request));
          this.logger.error(`Folding a vector failed: ${String(error)}`);
        }
      });
      shoppers += todo.length;
      await progress(shoppers, shoppers);
    }
    if (failed.size > 0) throw new Error(`${failed.size} vectors could not be folded`);
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

const nameOf = ({ store, shopper }: ProfileRequest): string => `${store}\n${shopper}`;

function shopperOf({
  userId,
  deviceId,
}: {
  userId?: string | undefined;
  deviceId?: string | undefined;
}): ShopperKey | null {
  if (userId !== undefined) return userKey(userId);
  return deviceId === undefined ? null : deviceKey(deviceId);
}
