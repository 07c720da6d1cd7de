import { LRUCache } from 'lru-cache';
import type { Boosts } from './ranking/affinity';
import type { BoostTemplate } from './ranking/template';

/** What page 1 of a search was ranked with. */
export interface PageRanking {
  template: BoostTemplate;
  boosts: Boosts | null;
  personalization: Personalization;
  /** The time signals of quality were read at. */
  now: number;
}

export interface Personalization {
  applied: boolean;
  profile: 'user' | 'device' | 'merged' | 'none';
  reason?: string;
  template: string;
  variant?: string;
}

const TEN_MINUTES = 600_000;
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

/**
 * Remembers for 10 minutes what page 1 of a shopper's query was ranked with, so that the pages after it neither repeat
 * nor drop a product when the shopper does something in between (contract 4.2).
 */
export class RankingSessions {
  private readonly kept: LRUCache<string, KeptRanking>;

  constructor(now: () => number) {
    this.kept = new LRUCache({
      maxSize: MOST_KEPT,
      sizeCalculation: (ranking) => 10 + (ranking.boosts?.adds.length ?? 0),
      ttl: TEN_MINUTES,
      // Ask the clock each time: its time is not the timers' where it is injected.
      ttlResolution: 0,
      perf: { now },
    });
  }

  remember(key: string, ranking: PageRanking): void {
    this.kept.set(key, { ...ranking, boosts: ranking.boosts && keep(ranking.boosts) });
  }

  /** Drops what these shoppers' pages would still be ranked with. */
  forget(belongs: (key: string) => boolean): void {
    for (const key of [...this.kept.keys()].filter(belongs)) this.kept.delete(key);
  }

  recall(key: string): PageRanking | undefined {
    const kept = this.kept.get(key);
    return kept && { ...kept, boosts: kept.boosts && bringBack(kept.boosts) };
  }
}
