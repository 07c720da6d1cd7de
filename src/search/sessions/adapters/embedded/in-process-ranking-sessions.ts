import type { LRUCache } from 'lru-cache';
import type { ForgottenUser } from '../../../../behaviour/shoppers/users.service';
import { PackedBoosts } from '../../../../ranking/packed-boosts';
import { growingCache } from '../../../../shared/growing-cache';
import { isOf, type PageRanking, type RankedSearch, RankingSessions, REMEMBERED_MS } from '../../ranking-sessions';

/** Feature weights kept in all. Most belong to boosts that several searches share. */
const MOST_KEPT = 250_000;

/** In memory, for this process. */
export class InProcessRankingSessions extends RankingSessions {
  private readonly kept: LRUCache<string, PageRanking & { boosts: PackedBoosts | null }>;

  constructor(now: () => number) {
    super();
    this.kept = growingCache(MOST_KEPT, {
      sizeOf: ({ boosts }) => 10 + (boosts?.size ?? 0),
      ttl: REMEMBERED_MS,
      // Ask the clock each time: an injected clock does not follow the timers.
      ttlResolution: 0,
      perf: { now },
    });
  }

  override remember(search: RankedSearch, ranking: PageRanking): void {
    this.kept.set(keyOf(search), { ...ranking, boosts: ranking.boosts && PackedBoosts.of(ranking.boosts) });
  }

  override async recall(search: RankedSearch): Promise<PageRanking | undefined> {
    return this.kept.get(keyOf(search));
  }

  override async forget(user: ForgottenUser): Promise<void> {
    for (const key of Array.from(this.kept.keys()).filter((known) => isOf(user, known))) this.kept.delete(key);
  }
}

function keyOf({ store, userId, deviceId, query }: RankedSearch): string {
  return JSON.stringify([store, userId, deviceId, query]);
}
