import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { ApiError } from '../../shared/api-error';
import { JobQueue } from '../../jobs/job-queue';
import { StoresService } from '../../stores/stores.service';
import { addDays, dayOf } from '../store-day';
import { ClickLedger } from './click-ledger';

const DAY = 86_400_000;
const LOOK_EVERY = 60_000;
/** Days that are never rolled up: yesterday's may still be written to, about midnight. */
const LEAST_DAYS = 2;

/** Finishes what was left half done, and rolls up what is old. */
@Injectable()
export class LedgerUpkeep implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('showcase');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly ledger: ClickLedger,
    private readonly stores: StoresService,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process('showcase.rollup', () => this.rollUp());
    this.jobs.every('showcase.rollup', DAY);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.settle(), LOOK_EVERY);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
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

  /** A read where there is nothing to do. */
  private async settle(): Promise<void> {
    try {
      await this.ledger.settle();
    } catch (error) {
      // A storage that is down says so itself, once.
      if (!(error instanceof ApiError)) this.logger.warn(`Looking for clicks left half done failed: ${String(error)}`);
    }
  }
}
