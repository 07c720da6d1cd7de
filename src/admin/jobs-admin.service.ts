import { Injectable, type MessageEvent } from '@nestjs/common';
import {
  concatMap,
  distinctUntilChanged,
  fromEvent,
  interval,
  map,
  merge,
  type Observable,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ApiError } from '../shared/api-error';
import { Clock } from '../shared/clock';
import { Shutdown } from '../http/shutdown/shutdown';
import { type Job, JobQueue, jobStates } from '../jobs/job-queue';
import type { Admin } from '../stores/access/admin-tokens';
import { StoresService } from '../stores/stores.service';

export const jobListSchema = z.object({
  store: z.string().optional().meta({ description: 'Of this store alone, by its apiKey.', example: 'loja' }),
  kind: z.string().max(128).optional().meta({ description: 'Of this kind alone.', example: 'catalog.import' }),
  state: z.enum(jobStates).optional().meta({ description: 'In this state alone.', example: 'failed' }),
  after: z
    .string()
    .max(128)
    .optional()
    .meta({ description: 'The id of the last job of the page before.', example: 'job-1001' }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(100)
    .meta({ description: 'So many jobs at most.', example: 20 }),
});
export type JobListQuery = z.infer<typeof jobListSchema>;

/** A job as admin routes show it: `store` is the apiKey, null for a job of the service or of a store that is gone. */
export const jobView = z.object({
  id: z.string(),
  kind: z.string(),
  store: z.string().nullable(),
  state: z.enum(jobStates),
  progress: z.object({ done: z.number(), total: z.number() }),
  /** Items a second, over the attempt; null: not known. */
  rate: z.number().nullable(),
  /** Null: not known, or over. */
  secondsLeft: z.number().nullable(),
  attempts: z.int(),
  error: z.string().optional(),
  result: z.unknown().optional(),
  /** Whose token asked for it, as the audit list names it; absent: the service itself. */
  askedBy: z.string().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
});
export type JobView = Omit<Job, 'store'> & { store: string | null; rate: number | null; secondsLeft: number | null };

/** Milliseconds between two looks at a job that somebody watches. */
const WATCH_EVERY = 500;
/** Proxies close a stream in which nothing comes. */
const HEARTBEAT_EVERY = 15_000;

@Injectable()
export class JobsAdmin {
  constructor(
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly shutdown: Shutdown,
    private readonly clock: Clock,
  ) {}

  /** Newest first. */
  async list(admin: Admin, { store: apiKey, after: last, ...query }: JobListQuery): Promise<{ jobs: JobView[] }> {
    const wanted = apiKey === undefined ? undefined : this.stores.byApiKey(apiKey)?.id;
    if (admin.store !== undefined && apiKey !== undefined && wanted !== admin.storeId) throw foreign();
    if (apiKey !== undefined && wanted === undefined) throw new ApiError('not_found', `There is no store "${apiKey}"`);
    const after = last === undefined ? undefined : await this.show(admin, last);
    const jobs = await this.jobs.find({ store: admin.storeId ?? wanted, after, ...query });
    return { jobs: jobs.map((job) => this.view(job)) };
  }

  async show(admin: Admin, id: string): Promise<JobView> {
    const [job] = await this.jobs.find({ id });
    if (!job) throw new ApiError('not_found', `There is no job "${id}"`);
    if (admin.store !== undefined && job.store !== admin.storeId) throw foreign();
    return this.view(job);
  }

  async control(admin: Admin, id: string, step: 'cancel' | 'retry'): Promise<JobView> {
    await this.show(admin, id);
    const job = await this.jobs.control(id, step);
    if (!job) throw new ApiError('not_found', `There is no job "${id}"`);
    return this.view(job);
  }

  /**
   * `job`: the job now and after every change; `end`: as it ended; `heartbeat` while nothing changes. Nothing more comes once `isAdmitted` says no.
   */
  watch(admin: Admin, id: string, isAdmitted: () => Promise<boolean>): Observable<MessageEvent> {
    const jobs = timer(0, WATCH_EVERY).pipe(
      concatMap(async () => ((await isAdmitted()) ? this.show(admin, id) : null)),
      // How long it still takes changes without anything having happened.
      distinctUntilChanged((before, now) => isDeepStrictEqual(before && unpaced(before), now && unpaced(now))),
      concatMap((data): (MessageEvent | null)[] =>
        data === null ? [null] : [{ type: 'job', data }, ...(isOpen(data) ? [] : [{ type: 'end', data }])],
      ),
    );
    const heartbeats = interval(HEARTBEAT_EVERY).pipe(map((): MessageEvent => ({ type: 'heartbeat', data: {} })));
    return merge(jobs, heartbeats).pipe(
      // An open stream would hold up the end of the process.
      takeUntil(fromEvent(this.shutdown.signal, 'abort')),
      takeWhile((message) => message !== null),
      takeWhile(({ type }) => type !== 'end', true),
    );
  }

  private view(job: Job): JobView {
    return { ...job, ...paceOf(job, this.clock.now()), store: this.stores.apiKeyOf(job.store) };
  }
}

const unpaced = ({ rate: _rate, secondsLeft: _left, ...job }: JobView): object => job;
const isOpen = ({ state }: Pick<Job, 'state'>): boolean => state === 'waiting' || state === 'active';

/** How fast it goes, or went, and how long it has to go. */
export function paceOf(
  { state, progress: { done, total }, startedAt, endedAt }: Pick<Job, 'state' | 'progress' | 'startedAt' | 'endedAt'>,
  now: number,
): { rate: number | null; secondsLeft: number | null } {
  const until = endedAt === undefined ? now : Date.parse(endedAt);
  const seconds = startedAt === undefined || state === 'waiting' ? 0 : (until - Date.parse(startedAt)) / 1000;
  if (seconds <= 0 || done <= 0) return { rate: null, secondsLeft: null };
  const rate = done / seconds;
  const isKnown = state === 'active' && total > done;
  return { rate: Math.round(rate * 100) / 100, secondsLeft: isKnown ? Math.ceil((total - done) / rate) : null };
}

const foreign = (): ApiError => new ApiError('forbidden', 'This token is for another store');
