import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type JobContext, JobQueue } from '../../jobs/job-queue';
import { CompiledTemplate, type TemplateDocument } from '../../ranking/template/template-document';
import { tunedNumbers, type TuningBounds, TuningSpace } from '../../ranking/tuning/tuned-numbers';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { SearchLog } from '../log/search-log';
import { chooseSearches, type ChosenSearches } from '../replay/chosen-searches';
import type { ComparedMeans } from '../replay/compared-means';
import { judge, judgeRevenue } from '../replay/judged-search';
import { ReplayedSearches } from '../replay/replayed-searches';
import { TrainingSet } from './training-set';
import { TunedTemplates } from './tuned-templates';
import { divideByTime, JudgedFinds, type TuningParts } from './tuning-parts';
import type { Objective, TuningReport } from './tuning-report';
import { searchTemplates, type Tuned } from './tuning-search';

const TUNE = 'templates.tune';
/** Each is searched four times to begin with, and held in memory with all that its products' scores are made of, some 100 KB. */
const MOST_SEARCHES = 2000;
/** Searches, or trials, between two reports of progress. */
const TOLD_EVERY = 25;

export interface TuningRequest {
  objective: Objective;
  /** Epoch milliseconds; `to` exclusive. */
  from: number;
  to: number;
  bounds?: TuningBounds | undefined;
  /** The template that the candidate becomes a version of. */
  name: string;
  seed: number;
  /** Templates to try. */
  budget: number;
}

interface TuningPayload extends TuningRequest {
  start: { name: string; version: number };
  by: string;
}

type Job = Pick<JobContext, 'job' | 'signal' | 'progress'>;

interface TuningWork extends Job {
  store: Store;
  payload: TuningPayload;
  /** What served when tuning was asked for. */
  served: TemplateDocument;
  chosen: ChosenSearches;
  parts: TuningParts;
}

/** Searches for a boost template that orders logged searches better than the one that serves, and keeps the best one as a candidate. It activates nothing. */
@Injectable()
export class TemplateTuner implements OnModuleInit {
  constructor(
    private readonly templates: TunedTemplates,
    private readonly log: SearchLog,
    private readonly finds: JudgedFinds,
    private readonly replayed: ReplayedSearches,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<TuningPayload>(TUNE, (context) => this.run(context));
  }

  async request(store: Store, request: TuningRequest, by: string): Promise<{ jobId: string }> {
    const payload: TuningPayload = { ...request, start: this.templates.serving(store), by };
    const key = JSON.stringify(payload);
    const jobId = await this.jobs.enqueue({ kind: TUNE, store: store.id, key, payload, askedBy: by });
    return { jobId };
  }

  /** The report, or null where the store was erased meanwhile. A job that is taken up again goes on from the last kept trial. */
  async run({
    job,
    payload,
    signal,
    progress,
  }: Pick<JobContext<TuningPayload>, keyof Job | 'payload'>): Promise<TuningReport | null> {
    const store = this.templates.store(job.store);
    if (!store) return null;
    const { from, to, objective, start } = payload;
    const chosen = await chooseSearches(this.log.read({ store: store.id, from, to }), {
      most: MOST_SEARCHES,
      signal,
      judge: objective === 'revenue' ? judgeRevenue : judge,
    });
    const served = await this.templates.document(store, start);
    const parts = divideByTime(chosen.chosen, to);
    const report = await this.tuned({ store, payload, served, chosen, parts, job, signal, progress });
    signal.throwIfAborted();
    await this.templates.finish(store, job.id, report);
    return report;
  }

  private async tuned(work: TuningWork): Promise<TuningReport> {
    const { store, payload, served, chosen, parts, job, signal, progress } = work;
    const total = parts.train.length + payload.budget + parts.test.length;
    const finds = await this.finds.of(store, parts.train, {
      template: served,
      signal,
      told: async (done) => (done % TOLD_EVERY === 0 ? progress(done, total) : undefined),
    });
    chosen.left.not_found += parts.train.length - finds.length;
    const training = new TrainingSet(finds);
    const space = new TuningSpace(served, tunedNumbers(served, payload.bounds));
    if (finds.length === 0 || parts.test.length === 0)
      return this.reported(work, { space, verdict: 'too_few_searches' });
    const resumed = await this.templates.resume(store, job.id);
    const before = resumed?.trials ?? 0;
    const tuned = await searchTemplates(
      {
        space,
        training,
        seed: payload.seed,
        budget: payload.budget,
        signal,
        keep: async (state) => {
          await this.templates.checkpoint(store, job.id, state);
          await progress(parts.train.length + state.trials, total);
        },
      },
      resumed,
    );
    if (!tuned.point) return this.reported(work, { space, tuned, resumed: before, verdict: 'nothing_found' });
    return this.judged(work, { space, training, tuned: { ...tuned, point: tuned.point }, resumed: before });
  }

  private async judged(
    work: TuningWork,
    {
      space,
      training,
      tuned,
      resumed,
    }: { space: TuningSpace; training: TrainingSet; tuned: Tuned & { point: readonly number[] }; resumed: number },
  ): Promise<TuningReport> {
    const { store, payload, served, chosen, parts, signal, progress } = work;
    const { name, from, to, by, objective } = payload;
    const candidate = space.at(tuned.point);
    const score = await training.compare(served, () => candidate);
    const found = tuned.winners.map((winner) => space.at(winner));
    const cross = found.length > 0 ? await training.compare(served, (group) => found[group] ?? served) : null;
    const done = parts.train.length + payload.budget;
    const tally = await this.replayed.compare(store, {
      chosen: { chosen: parts.test, left: chosen.left },
      contenders: { current: new CompiledTemplate(served), candidate: new CompiledTemplate(candidate) },
      job: { signal, progress: (tested) => progress(done + tested, done + parts.test.length) },
    });
    const { used, shoppers, personal, ndcg } = tally.scores();
    signal.throwIfAborted();
    const note = `Tuned for ${objective} on the searches of ${iso(from)} to ${iso(to)}; on the last part of them ${said(ndcg)}`;
    const template = await this.templates.candidate(store, { ...candidate, name, note }, by);
    return this.reported(work, {
      space,
      tuned,
      resumed,
      template,
      verdict: used === 0 ? 'too_few_searches' : verdictOf(ndcg),
      train: {
        searches: training.finds.length,
        shoppers: training.shoppers,
        from: iso(from),
        to: iso(parts.split),
        score,
      },
      validation: cross && { groups: training.groups, score: cross },
      test: { searches: used, shoppers, personal, from: iso(parts.split), to: iso(to), score: ndcg },
    });
  }

  private reported(
    { payload, chosen }: TuningWork,
    {
      space,
      tuned,
      resumed = 0,
      ...found
    }: Pick<TuningReport, 'verdict'> & Partial<TuningReport> & { space: TuningSpace; tuned?: Tuned; resumed?: number },
  ): TuningReport {
    const { objective, from, to, start, seed } = payload;
    const point = tuned?.point;
    return {
      objective,
      from: iso(from),
      to: iso(to),
      at: iso(this.clock.now()),
      start,
      template: null,
      seed,
      trials: { made: tuned?.trials ?? 0, resumed },
      searched: space.numbers.map(({ path, low, high }) => ({ path, low, high })),
      changes: point ? space.changes(point) : [],
      train: null,
      validation: null,
      test: null,
      left: chosen.left,
      ...found,
    };
  }
}

const iso = (time: number): string => new Date(time).toISOString();
const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(4)}`;

function said({ difference, interval }: ComparedMeans): string {
  return `nDCG@10 ${signed(difference)}${interval ? ` [${signed(interval.low)}, ${signed(interval.high)}]` : ''}`;
}

function verdictOf({ difference, interval }: ComparedMeans): TuningReport['verdict'] {
  if (!interval) return 'no_difference';
  if (interval.low > 0 && difference > 0) return 'better';
  return interval.high < 0 ? 'worse' : 'no_difference';
}
