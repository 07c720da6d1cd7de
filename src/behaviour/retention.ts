import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../jobs/job-queue';
import { Clock } from '../shared/clock';
import { DailyAddresses } from '../stores/access/daily-addresses';
import { StoresService } from '../stores/stores.service';
import { EventLog } from './events/event-log';
import { ImportFiles } from '../jobs/imports/import-files';
import { ProfileStore } from './profiles/profile-store';

const DAY = 86_400_000;
/** An upload whose job failed can be tried again for this long; then its events are not kept any longer. */
const UPLOADS_KEPT = 30 * DAY;
/** Shoppers whose old events are kept because their vectors lack some, at most. */
const MOST_LACKING = 10_000;

/** Removes once a day: events older than the store's setting `retention.eventsDays`, hashes of users erased 90 days ago, old uploads, salts of addresses. */
@Injectable()
export class Retention implements OnModuleInit {
  constructor(
    private readonly log: EventLog,
    private readonly profiles: ProfileStore,
    private readonly uploads: ImportFiles,
    private readonly addresses: DailyAddresses,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process('behaviour.expire', () => this.expire());
    this.jobs.every('behaviour.expire', DAY);
  }

  private async expire(): Promise<{ events: number; uploads: number }> {
    const now = this.clock.now();
    // Where nobody calls, nobody else removes them.
    await this.addresses.forget(now);
    await this.log.forgetErasures(now);
    let events = 0;
    for (const { id: store, settings } of this.stores.all()) {
      const days = settings.retention?.eventsDays;
      if (days === undefined) continue;
      const dirty = await this.profiles.dirty({ before: Number.MAX_SAFE_INTEGER, limit: MOST_LACKING });
      const lacking = dirty.filter((one) => one.store === store).map(({ shopper }) => shopper);
      events += await this.log.expire({ store, before: now - days * DAY, lacking });
    }
    return { events, uploads: await this.uploads.expire(now - UPLOADS_KEPT) };
  }
}
