import { Injectable } from '@nestjs/common';
import { Documents } from '../../documents/documents';
import { LearnedStats } from './learned-stats';
import { type LearnedPart, type LearnRequest, type LearnSummary, ModelLearner } from './model-learner';
import { TrendSink } from './trend-sink';

/** Learns a model and serves it: a generation beside the serving one, switched at once. */
@Injectable()
export class LearnedModels {
  constructor(
    private readonly learner: ModelLearner,
    private readonly stats: LearnedStats,
    private readonly trend: TrendSink,
    private readonly documents: Documents,
  ) {}

  async learn(request: LearnRequest, signal: AbortSignal): Promise<LearnSummary> {
    const { store } = request;
    // A number of its own for each try, so that what a try that broke off has written is never mixed in.
    const generation = await this.documents.increment({ store, kind: 'learning', id: 'generation' }, 1);
    const take = async ({ entries, trend }: LearnedPart): Promise<void> => {
      if (entries.length > 0) await this.stats.write(store, generation, entries);
      if (trend.length > 0) await this.trend.setTrend(store, trend);
    };
    const summary = await this.learner.learn(request, { take, signal });
    await this.stats.serve(store, generation);
    return summary;
  }
}
