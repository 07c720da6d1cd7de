import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Metrics } from '../../http/health/metrics';
import { JobQueue } from '../../jobs/job-queue';
import { cached } from '../../shared/async/single-flight';
import { Clock } from '../../shared/clock';
import { StoreErasure } from '../../stores/store-erasure';
import { StoresService } from '../../stores/stores.service';
import { NOTE_FATES } from './held-notes';
import { SearchLog } from './search-log';

const DAY = 86_400_000;
/** Where the store's settings say nothing of it. */
const USUAL_DAYS = 90;

/** Removes what is older than the store's setting `retention.searchesDays`, and takes the log of a store away with it. */
@Injectable()
export class SearchLogUpkeep implements OnModuleInit {
  constructor(
    private readonly log: SearchLog,
    private readonly stores: StoresService,
    private readonly jobs: JobQueue,
    private readonly erasure: StoreErasure,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.erasure.add('searches', (store) => this.log.remove({ store, all: true }));
    this.jobs.process('search.log.expire', async () => ({ searches: await this.expire() }));
    this.jobs.every('search.log.expire', DAY);
    const help = 'Searches and outcomes noted for the search log; dropped: too many waited for the storage.';
    this.metrics.counter('search_log_notes_total', help, {
      kinds: NOTE_FATES,
      count: (fate) => this.log.counted(fate),
    });
    this.metrics.gauge('search_log_waiting', 'Notes that wait to be written.', () => this.log.waiting);
  }

  private async expire(): Promise<number> {
    const now = this.clock.now();
    const old = new Map<number, Promise<ReadonlySet<string>>>();
    let searches = 0;
    for (const { id: store, settings } of this.stores.all()) {
      const before = now - (settings.retention?.searchesDays ?? USUAL_DAYS) * DAY;
      // Found out once for all that keep it as long: most stores have nothing to be removed.
      const due = await cached(old, before, () => this.log.storesBefore(before));
      if (due.has(store)) searches += await this.log.remove({ store, before });
    }
    return searches;
  }
}
