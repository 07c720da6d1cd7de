import { Injectable } from '@nestjs/common';
import { Documents } from '../../documents/documents';
import type { BoostTemplate } from '../../ranking/template/template';
import { BoostTemplates } from '../../stores/boost-templates';
import { LearnedStats } from './learned-stats';
import { type LearnedPart, type LearnRequest, type LearnSummary, ModelLearner, type TrendRule } from './model-learner';
import { TrendSink } from './trend-sink';

/** Of a template without the signal. */
const DEFAULT_TREND: TrendRule = { short: '7d', middle: '30d', long: '365d', prior: 3 };

/** The part of a template that popularity is learned by. */
export function trendRule({ signals }: BoostTemplate): TrendRule {
  const { short, middle, long, prior } = signals.trend ?? DEFAULT_TREND;
  return { short, middle, long, prior };
}

/** Learns a model and serves it: a generation beside the serving one, switched at once. */
@Injectable()
export class LearnedModels {
  constructor(
    private readonly learner: ModelLearner,
    private readonly stats: LearnedStats,
    private readonly trend: TrendSink,
    private readonly documents: Documents,
    private readonly templates: BoostTemplates,
  ) {}

  async learn(request: Omit<LearnRequest, 'trend'>, signal: AbortSignal): Promise<LearnSummary> {
    const { store } = request;
    const trendBy = trendRule(this.templates.of(store));
    // A number of its own for each try, so that what a try that broke off has written is never mixed in.
    const generation = await this.documents.increment({ store, kind: 'learning', id: 'generation' }, 1);
    let hasTrend = false;
    const take = async ({ entries, trend }: LearnedPart): Promise<void> => {
      if (entries.length > 0) await this.stats.write(store, generation, entries);
      if (trend.length === 0) return;
      await this.trend.setTrend(store, trend);
      hasTrend = true;
    };
    const summary = await this.learner.learn({ ...request, trend: trendBy }, { take, signal });
    // All is learned and written; where it can't be shown now, searches see it a moment later.
    if (hasTrend) await this.trend.searchable(store).catch(() => undefined);
    signal.throwIfAborted();
    await this.stats.serve(store, generation);
    return summary;
  }
}
