import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { IndexHealth } from '../engine/index-health';
import { Metrics } from '../http/health/metrics';
import { Readiness } from '../http/health/readiness';
import { Periodic } from '../shared/async/periodic';
import { StoresService } from '../stores/stores.service';

/** Milliseconds between looks where nobody asks. */
const LOOK_EVERY = 30_000;
/** Whoever looks at readiness or metrics has it looked at again where the last look is older; the next to look hears of it. Milliseconds. */
const OLD = 3000;

/** Looks after the indices of all stores, and names those in trouble; the replica itself stays ready for the others. */
@Injectable()
export class StoreHealth implements OnApplicationBootstrap, OnModuleDestroy {
  private known: ReadonlyMap<string, string> = new Map();
  private lookedAt = -Infinity;
  private readonly looking = new Periodic(LOOK_EVERY, async () => {
    this.lookedAt = performance.now();
    this.known = await this.health.troubles();
  });

  constructor(
    @Inject(IndexHealth) private readonly health: IndexHealth,
    private readonly stores: StoresService,
    readiness: Readiness,
    metrics: Metrics,
  ) {
    readiness.onReport(() => this.troubles());
    const help = 'Stores whose search index is closed, blocked, unreadable, gone or made by somebody else.';
    metrics.gauge('stores_in_trouble', help, () => Object.keys(this.troubles()).length);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.looking.run();
    this.looking.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.looking.stop();
  }

  /** By apiKey. Stores that were deleted meanwhile have none. */
  private troubles(): Record<string, string> {
    if (performance.now() - this.lookedAt > OLD) void this.looking.run();
    return Object.fromEntries(
      Array.from(this.known, ([id, trouble]) => ({ store: this.stores.byId(id), trouble })).flatMap(
        ({ store, trouble }) => (store ? [[store.apiKey, trouble]] : []),
      ),
    );
  }
}
