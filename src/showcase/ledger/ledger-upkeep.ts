import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import { Periodic } from '../../shared/async/periodic';
import { Clock } from '../../shared/clock';
import { StoreErasure } from '../../stores/store-erasure';
import { StoresService } from '../../stores/stores.service';
import { addDays, dayOf } from '../../stores/store-day';
import { ClickLedger } from './click-ledger';

const DAY = 86_400_000;
const SETTLE_EVERY = 60_000;
/** The last days, which are never rolled up: about midnight, yesterday may still get entries. */
const LEAST_DAYS = 2;

/** Settles orphaned claims, rolls up what is old, and takes the ledger of a store away with it. */
@Injectable()
export class LedgerUpkeep implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('showcase');
  /** Costs one read where there is nothing to settle. */
  private readonly settling = new Periodic(
    SETTLE_EVERY,
    () => this.ledger.settleOrphanedClaims(),
    (error) => {
      // A storage that is down says so itself, once.
      if (!(error instanceof ApiError)) this.logger.warn(`Settling orphaned claims failed: ${String(error)}`);
    },
  );

  constructor(
    private readonly ledger: ClickLedger,
    private readonly stores: StoresService,
    private readonly jobs: JobQueue,
    private readonly erasure: StoreErasure,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.erasure.add('clicks', (store) => this.ledger.remove({ store, all: true }));
    this.jobs.process('showcase.rollup', () => this.rollUp());
    this.jobs.every('showcase.rollup', DAY);
    this.settling.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.settling.stop();
  }

  /** Entries older than the store's setting `retention.clicksDays` go, and their rollups stay. */
  private async rollUp(): Promise<{ entries: number }> {
    let entries = 0;
    for (const { id, settings } of this.stores.all()) {
      const days = settings.retention?.clicksDays;
      if (days === undefined) continue;
      // A click is needed for as long as an order can follow from it.
      const kept = Math.max(days, LEAST_DAYS, settings.attributionDays + 1);
      const before = addDays(dayOf(this.clock.now(), settings.timeZone), -kept);
      entries += await this.ledger.remove({ store: id, before });
    }
    return { entries };
  }
}
