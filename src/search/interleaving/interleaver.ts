import { Injectable } from '@nestjs/common';
import { hashedFraction } from '../../ranking/experiments/assignment';
import type { Mixed } from '../../ranking/experiments/interleaving';
import { type EngineQuery, type EngineResult, SearchEngine } from '../../engine/search-engine';
import type { PageRanking } from '../sessions/ranking-sessions';
import { deal, DEALT, holding } from './dealt-page';

/** A search, and by whom: `u:<id>` or `d:<id>`. */
export interface DealtTo {
  store: string;
  shopper: string;
  terms: string;
}

/** Two rankings, or what was dealt of them before. */
type Dealt = Pick<PageRanking, 'rival' | 'mixed' | 'variant'>;

interface MixedResult {
  result: EngineResult;
  /** What the list begins with, whichever page was asked for; absent: it is one ranking's. */
  mixed?: Mixed;
}

/** Asks the engine for a list that two rankings are dealt into (docs/experiments.md). */
@Injectable()
export class Interleaver {
  constructor(private readonly engine: SearchEngine) {}

  async search(query: EngineQuery, ranking: Dealt, to: DealtTo): Promise<MixedResult> {
    const { rival, mixed } = ranking;
    if (mixed) return { result: await this.behind(query, mixed), mixed };
    if (!rival || !ranking.variant) return { result: await this.engine.search(query) };
    const { plan } = query;
    const isFirst = plan.from === 0;
    const size = isFirst ? Math.max(DEALT, plan.size) : DEALT;
    const whole = { ...plan, from: 0, size };
    const other = { ...whole, size: DEALT, facets: [] };
    const [own, others] = await Promise.all([
      this.engine.search({ ...query, plan: isFirst ? whole : other }),
      this.engine.search({ ...query, ...rival, plan: other }),
    ]);
    const dealt = deal(own.hits, others.hits, coinOf(to, ranking.variant.experiment));
    if (!isFirst) return { result: await this.behind(query, dealt.mixed), mixed: dealt.mixed };
    const shown = new Set(dealt.mixed.shown);
    const rest = own.hits.filter(({ productId }) => !shown.has(productId));
    return { result: { ...own, hits: [...dealt.hits, ...rest].slice(0, plan.size) }, mixed: dealt.mixed };
  }

  /** Any page of a list whose beginning is known. */
  private behind(query: EngineQuery, mixed: Mixed): Promise<EngineResult> {
    const { plan } = query;
    return this.engine.search({ ...query, plan: { ...plan, rules: holding(mixed, plan.rules) } });
  }
}

/** The same shopper's same query is dealt in the same way: a list that is asked for again is the same list. */
function coinOf({ store, shopper, terms }: DealtTo, experiment: string): () => number {
  let tossed = 0;
  return () => hashedFraction({ store, experiment, shopper }, `coin ${(tossed += 1)} ${terms}`);
}
