import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../shared/clock';
import { JobQueue } from '../jobs/job-queue';
import type { Store } from '../stores/store';
import { StoreErasure } from '../stores/store-erasure';
import { StoresService } from '../stores/stores.service';
import { EventLog } from './events/event-log';
import { ImportFiles } from './events/imports/import-files';
import { PendingEvents } from './events/pending-events';
import { LearnedStats } from './learning/learned-stats';
import { ProfileStore } from './profiles/profile-store';

const DAY = 86_400_000;
/** An upload whose job failed can be tried again for so long; then the events in it are not kept any longer. */
const UPLOADS_KEPT = 30 * DAY;

/** All records of behaviour together; erased together with their store. */
@Injectable()
export class BehaviourRecords {
  constructor(
    readonly log: EventLog,
    readonly profiles: ProfileStore,
    readonly learned: LearnedStats,
    readonly uploads: ImportFiles,
    erasure: StoreErasure,
  ) {
    // Profile attributes and what learning remembers are documents, and go with those.
    erasure.add('behaviour', (store) => this.removeStore(store));
  }

  private async removeStore(store: string): Promise<number> {
    const events = await this.log.removeStore(store);
    await this.profiles.removeStore(store);
    await this.learned.removeStore(store);
    return events;
  }
}

/** What other capabilities ask of behaviour. */
@Injectable()
export class BehaviourService implements OnModuleInit {
  constructor(
    private readonly pending: PendingEvents,
    private readonly records: BehaviourRecords,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process('behaviour.expire', () => this.expire());
    this.jobs.every('behaviour.expire', DAY);
  }

  /** After products were written: events that waited for them count from now on. */
  async productsArrived(store: Store, productIds: string[]): Promise<void> {
    await this.pending.productsArrived(store.id, productIds);
  }

  /** Events older than the store's setting `retention.eventsDays`, what remained of users erased 90 days ago, and old uploads. */
  private async expire(): Promise<{ events: number; uploads: number }> {
    const now = this.clock.now();
    let events = 0;
    for (const { id, settings } of this.stores.all()) {
      const days = settings.retention?.eventsDays;
      events += await this.records.log.expire({ store: id, now, before: days === undefined ? 0 : now - days * DAY });
    }
    return { events, uploads: await this.records.uploads.expire(now - UPLOADS_KEPT) };
  }
}
