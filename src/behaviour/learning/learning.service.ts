import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { Clock } from '../../shared/clock';
import { type DocumentKey, Documents } from '../../documents/documents';
import { JobQueue } from '../../jobs/job-queue';
import { StoresService } from '../../stores/stores.service';
import { LearnedModels } from './learned-models';
import { type LearnSummary, ModelLearner } from './model-learner';

const DAY = 86_400_000;
const LOOK_EVERY_MS = 600_000;
/** A young store learns again whenever it has a tenth more to learn from, and at least this many transactions. */
const MORE = { share: 0.1, least: 20, most: 1000 };

interface LearningState {
  /** The last transaction learned from. */
  last: number;
  learnedAt: number;
  purchases: number;
}

const stateKey = (store: string): DocumentKey => ({ store, kind: 'learning', id: 'state' });

/** When what a store teaches is learned anew: once a day if there were transactions since, and whenever somebody asks. */
@Injectable()
export class LearningService implements OnModuleInit {
  constructor(
    private readonly models: LearnedModels,
    private readonly learner: ModelLearner,
    private readonly records: CatalogRecords,
    private readonly documents: Documents,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process('learning.schedule', () => this.schedule());
    this.jobs.process<{ force?: boolean } | null>('learning.run', ({ job, payload, signal }) =>
      this.run(job.store, { force: payload?.force ?? false, signal }),
    );
    this.jobs.every('learning.schedule', LOOK_EVERY_MS);
  }

  /** Learns as a job. `force`: also where no transaction came since the last time. */
  async request(store: string, options: { force?: boolean } = {}): Promise<{ jobId: string }> {
    const jobId = await this.jobs.enqueue({ kind: 'learning.run', store, key: 'learning', payload: options });
    return { jobId };
  }

  /** Learns now; resolves when the new generation serves and search has the trend. `store`: the internal id. */
  async run(
    store: string,
    options: { force?: boolean; signal?: AbortSignal } = {},
  ): Promise<{ learned: boolean } & Partial<LearnSummary>> {
    const state = await this.stateOf(store);
    const now = this.clock.now();
    const { count, last } = await this.learner.newPurchases(store, state?.last ?? 0);
    if (!options.force && state && count === 0) return { learned: false };
    const signal = options.signal ?? new AbortController().signal;
    const { users, purchases } = await this.models.learn(store, now, signal);
    const learned: LearningState = { last, learnedAt: now, purchases };
    await this.documents.put([{ ...stateKey(store), body: learned }]);
    return { learned: true, users, purchases };
  }

  private async schedule(): Promise<{ requested: number }> {
    let requested = 0;
    for (const { id } of this.stores.all()) {
      if (!(await this.isDue(id))) continue;
      await this.request(id);
      requested += 1;
    }
    return { requested };
  }

  private async isDue(store: string): Promise<boolean> {
    const state = await this.stateOf(store);
    if (!state) return (await this.records.scan(store, { limit: 1 })).length > 0;
    const { count } = await this.learner.newPurchases(store, state.last);
    const many = Math.min(MORE.most, Math.max(MORE.least, MORE.share * state.purchases));
    return count >= many || (count > 0 && this.clock.now() - state.learnedAt >= DAY);
  }

  private async stateOf(store: string): Promise<LearningState | null> {
    return (await this.documents.get<LearningState>(stateKey(store)))?.body ?? null;
  }
}
