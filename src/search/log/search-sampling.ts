import { Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ShopperKey } from '../../behaviour/shoppers/shopper';
import { Metrics } from '../../http/health/metrics';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { lotOf, shareAt } from './sampled-share';
import { SearchLog } from './search-log';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Searches of a store that are logged in a day (UTC), where its settings say nothing of it. */
const USUAL_PER_DAY = 200_000;
/** What the other replicas logged is looked up as often. Milliseconds. */
const COUNTED_EVERY = 60_000;
const MOST_STORES = 10_000;

const LEFT_OUT = ['search', 'outcome'] as const;

/** What a store has logged today. */
interface Today {
  /** Epoch milliseconds at which the day began. */
  day: number;
  logged: number;
  countedAt: number;
  share: number;
  /** What the share was before it changed, and when that was. */
  before: number;
  changedAt: number;
}

/**
 * Which searches are logged, where that is not all of them: a share of the shoppers, with all that they search and do, and of searches of
 * nobody in particular a share by themselves. The share is the store's setting, and less where that would log more in a day than it wants.
 */
@Injectable()
export class SearchSampling implements OnModuleInit {
  private readonly stores = new LRUCache<string, Today>({ max: MOST_STORES });
  private readonly leftOut = { search: 0, outcome: 0 };

  constructor(
    private readonly log: SearchLog,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const help =
      'What the search log left out by sampling: as the settings of stores say, or beyond what they want in a day.';
    const count = (kind: 'search' | 'outcome'): number => this.leftOut[kind];
    this.metrics.counter('search_log_left_out_total', help, { kinds: LEFT_OUT, count });
  }

  /** The share that a search is one of, which is to be logged then; null: it is left out. */
  shareOf(store: Store, { searchId, shopper }: { searchId: string; shopper: ShopperKey | null }): number | null {
    const today = this.today(store);
    const share = sampleOf(store) * today.share;
    if (share === 0 || (share < 1 && lotOf(store.id, shopper ?? searchId) >= share)) {
      this.leftOut.search += 1;
      return null;
    }
    today.logged += 1;
    this.rate(today, store);
    return share;
  }

  /** Whether what these shoppers did may have followed from a search that was logged: of the last hour, where the share has changed. */
  keeps(store: Store, shoppers: readonly ShopperKey[]): boolean {
    const { share, before, changedAt } = this.today(store);
    const most = this.clock.now() - changedAt < HOUR ? Math.max(share, before) : share;
    const sample = sampleOf(store) * most;
    if (sample >= 1 || (sample > 0 && shoppers.length === 0)) return true;
    if (shoppers.some((shopper) => lotOf(store.id, shopper) < sample)) return true;
    this.leftOut.outcome += 1;
    return false;
  }

  private today(store: Store): Today {
    const now = this.clock.now();
    const day = Math.floor(now / DAY) * DAY;
    let today = this.stores.get(store.id);
    if (today?.day !== day) {
      const before = today?.share ?? 1;
      today = { day, logged: 0, countedAt: -Infinity, share: 1, before, changedAt: now };
      this.stores.set(store.id, today);
    }
    if (Math.abs(now - today.countedAt) >= COUNTED_EVERY) this.count(store, today);
    return today;
  }

  /** In the background. While the storage can't tell, what is known goes on. */
  private count(store: Store, today: Today): void {
    today.countedAt = this.clock.now();
    this.log.count(store.id, today.day).then(
      (logged) => {
        // What waits to be written is in none of the storage's counts.
        today.logged = Math.max(today.logged, logged);
        this.rate(today, store);
      },
      () => undefined,
    );
  }

  private rate(today: Today, { settings }: Store): void {
    const share = shareAt(today.logged, settings.searchLog?.perDay ?? USUAL_PER_DAY);
    if (share === today.share) return;
    Object.assign(today, { share, before: today.share, changedAt: this.clock.now() });
  }
}

const sampleOf = ({ settings }: Store): number => settings.searchLog?.sample ?? 1;
