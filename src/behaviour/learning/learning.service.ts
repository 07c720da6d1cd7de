import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CatalogRecords } from '../../catalog/records/catalog-records';
import { Clock } from '../../shared/clock';
import { type DocumentKey, Documents } from '../../documents/documents';
import { Mutex } from '../../shared/async/mutex';
import { JobQueue } from '../../jobs/job-queue';
import { StoresService } from '../../stores/stores.service';
import { LearnedModels } from './learned-models';
import { type LearnSummary, MOST_COUNTED, ModelLearner } from './model-learner';

const DAY = 86_400_000;
/** Popularity ages without orders, too, and what is left of small changes of a catalog adds up. */
const OLDEST_MS = 7 * DAY;
const LOOK_EVERY_MS = 600_000;
/** Products or purchases of a store that is large. */
const LARGE = 20_000;
/** A young store learns again whenever it has a tenth more to learn from, and at least this many transactions. */
const MORE = { share: 0.1, least: 20, most: 1000 };

interface LearningState {
  /** The last transaction learned from. */
  last: number;
  learnedAt: number;
  purchases: number;
  /** Of the catalog and of the orders; absent in what versions before kept. */
  products?: number;
  /** Whether popularity was learned; versions before, which do not say so, learned one without orders, too. */
  hasTrend?: boolean;
}

/** What a version before learned without orders is to be forgotten. */
const isOfBefore = (state: LearningState): boolean => state.hasTrend === undefined && state.purchases === 0;

const stateKey = (store: string): DocumentKey => ({ store, kind: 'learning', id: 'state' });

/**
 * When what a store teaches is learned anew: once a day if there were transactions since, once a week if there were none, when there are many
 * more (`MORE`), and whenever somebody asks, as `LearningOnCatalog` does.
 */
@Injectable()
export class LearningService implements OnModuleInit {
  private readonly logger = new Logger('learning');
  /** Large stores learn one after the other: a model may take hundreds of megabytes while it is learned. */
  private readonly large = new Mutex();

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
    this.jobs.process<{ force?: boolean } | null>(
      'learning.run',
      ({ job, payload, signal }) => this.run(job.store, { force: payload?.force ?? false, signal }),
      { concurrency: this.learner.atOnce },
    );
    this.jobs.every('learning.schedule', LOOK_EVERY_MS);
  }

  /** Learns as a job. `force`: also where no transaction came since the last time. */
  async request(store: string, options: { force?: boolean } = {}): Promise<{ jobId: string }> {
    // One that has to run is not the one that waits and may find nothing to do.
    const key = options.force ? 'learning-anew' : 'learning';
    const jobId = await this.jobs.enqueue({ kind: 'learning.run', store, key, payload: options });
    return { jobId };
  }

  /** Of how many products the model that serves was learned, and when (epoch ms); null: there is none. */
  async model(store: string): Promise<{ products: number; learnedAt: number } | null> {
    const state = await this.stateOf(store);
    return state && { products: state.products ?? 0, learnedAt: state.learnedAt };
  }

  /** Learns now; resolves when the new generation serves and search has the trend. `store`: the internal id. */
  async run(
    store: string,
    options: { force?: boolean; signal?: AbortSignal } = {},
  ): Promise<{ learned: boolean } & Partial<LearnSummary>> {
    const state = await this.stateOf(store);
    const now = this.clock.now();
    const { count, last } = await this.learner.newPurchases(store, state?.last ?? 0);
    if (!options.force && state && count === 0 && now - state.learnedAt < OLDEST_MS) return { learned: false };
    const signal = options.signal ?? new AbortController().signal;
    const forget = state !== null && state.hasTrend !== false;
    const isLarge = Math.max(state?.products ?? 0, state?.purchases ?? 0) >= LARGE || count === MOST_COUNTED;
    const learn = (): Promise<LearnSummary> => this.learn({ store, now, sold: last > 0, forget }, signal);
    const inTurn = async (): Promise<LearnSummary> => {
      // While it waited, its store may have gone.
      signal.throwIfAborted();
      return learn();
    };
    const { users, purchases, products } = await (isLarge ? this.large.run(inTurn) : learn());
    const learned: LearningState = { last, learnedAt: now, purchases, products, hasTrend: purchases > 0 };
    await this.documents.put([{ ...stateKey(store), body: learned }]);
    return { learned: true, users, purchases, products };
  }

  /** What it was not stopped for is a line in the log: the thread that died of it can't say so. */
  private async learn(request: Parameters<LearnedModels['learn']>[0], signal: AbortSignal): Promise<LearnSummary> {
    try {
      return await this.models.learn(request, signal);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) this.logger.warn(`A model was not learned, which its job tries again: ${why}`);
      throw error;
    }
  }

  private async schedule(): Promise<{ requested: number }> {
    let requested = 0;
    const ids = this.stores.all().map(({ id }) => id);
    const [states, newest] = await Promise.all([this.states(), this.learner.newest(ids)]);
    for (const id of ids) {
      const state = states.get(id);
      if (!(await this.isDue(id, state, newest.get(id) ?? 0))) continue;
      // Of one that has not learned yet, `LearningOnCatalog` may have asked for the same.
      await this.request(id, { force: !state || isOfBefore(state) });
      requested += 1;
    }
    return { requested };
  }

  /** `newest`: its last purchase. Of a store that has learned and sold nothing since, nothing is asked. */
  private async isDue(store: string, state: LearningState | undefined, newest: number): Promise<boolean> {
    if (!state) return (await this.records.scan(store, { limit: 1 })).length > 0;
    if (isOfBefore(state)) return true;
    const age = this.clock.now() - state.learnedAt;
    if (newest <= state.last) return age >= OLDEST_MS;
    const { count } = await this.learner.newPurchases(store, state.last);
    const many = Math.min(MORE.most, Math.max(MORE.least, MORE.share * state.purchases));
    return count >= many || age >= (count > 0 ? DAY : OLDEST_MS);
  }

  private async states(): Promise<Map<string, LearningState>> {
    const { kind } = stateKey('');
    return new Map((await this.documents.list<LearningState>({ kind })).map(({ store, body }) => [store, body]));
  }

  private async stateOf(store: string): Promise<LearningState | null> {
    return (await this.documents.get<LearningState>(stateKey(store)))?.body ?? null;
  }
}
