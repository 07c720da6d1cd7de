import { LRUCache } from 'lru-cache';
import type { ForgottenUser } from '../../../behaviour/users/users.service';
import type { Boosts } from '../../ranking/affinity';
import { type PageRanking, type RankedSearch, RankingSessions, REMEMBERED_MS } from '../../ranking-sessions';

/** Adds kept in all, about 40 bytes each. */
const MOST_KEPT = 250_000;

type KeptRanking = Omit<PageRanking, 'boosts'> & { boosts: KeptBoosts | null };

/** Two arrays and one text of all names, in place of maps that take five times as much. */
type KeptBoosts = Omit<Boosts, 'adds' | 'weights'> & { names: string; adds: number[]; weights: number[] };

/** Several queries of a shopper are ranked with the same boosts, which are then kept once. */
const alreadyKept = new WeakMap<Boosts, KeptBoosts>();

function keep(boosts: Boosts): KeptBoosts {
  const known = alreadyKept.get(boosts);
  if (known) return known;
  const { adds, weights, ...rest } = boosts;
  const names = JSON.stringify([...adds.keys()]);
  const kept = { ...rest, names, adds: [...adds.values()], weights: [...weights.values()] };
  alreadyKept.set(boosts, kept);
  return kept;
}

function bringBack({ names, adds, weights, ...rest }: KeptBoosts): Boosts {
  const list = JSON.parse(names) as string[];
  const named = (values: number[]) => new Map(list.map((name, place) => [name, values[place] ?? 0]));
  return { ...rest, adds: named(adds), weights: named(weights) };
}

/** In memory, for this process. */
export class InProcessRankingSessions extends RankingSessions {
  private readonly kept: LRUCache<string, KeptRanking>;

  constructor(now: () => number) {
    super();
    this.kept = new LRUCache({
      maxSize: MOST_KEPT,
      sizeCalculation: (ranking) => 10 + (ranking.boosts?.adds.length ?? 0),
      ttl: REMEMBERED_MS,
      // Ask the clock each time: its time is not the timers' where it is injected.
      ttlResolution: 0,
      perf: { now },
    });
  }

  override remember(search: RankedSearch, ranking: PageRanking): void {
    this.kept.set(keyOf(search), { ...ranking, boosts: ranking.boosts && keep(ranking.boosts) });
  }

  override async recall(search: RankedSearch): Promise<PageRanking | undefined> {
    const kept = this.kept.get(keyOf(search));
    return kept && { ...kept, boosts: kept.boosts && bringBack(kept.boosts) };
  }

  override async forget(user: ForgottenUser): Promise<void> {
    for (const key of Array.from(this.kept.keys()).filter((one) => isOf(user, one))) this.kept.delete(key);
  }
}

function keyOf({ store, userId, deviceId, query }: RankedSearch): string {
  return JSON.stringify([store, userId, deviceId, query]);
}

function isOf({ storeId, userId, deviceIds }: ForgottenUser, key: string): boolean {
  const [store, user, device] = JSON.parse(key) as [string, string | null, string | null, string];
  return store === storeId && (user === userId || (device !== null && deviceIds.includes(device)));
}
