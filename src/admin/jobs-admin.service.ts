import { Injectable, type MessageEvent } from '@nestjs/common';
import { concatMap, distinctUntilChanged, fromEvent, map, type Observable, takeUntil, takeWhile, timer } from 'rxjs';
import { z } from 'zod';
import { ApiError } from '../shared/api-error';
import { Shutdown } from '../http/shutdown/shutdown';
import { type Job, JobQueue, jobStates } from '../jobs/job-queue';
import type { Admin } from '../stores/access/admin-tokens';
import { StoresService } from '../stores/stores.service';

export const jobListSchema = z.object({
  store: z.string().optional(),
  kind: z.string().max(128).optional(),
  state: z.enum(jobStates).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});
export type JobListQuery = z.infer<typeof jobListSchema>;

/** A job as admin routes show it: `store` is the apiKey, null for a job of the service or of a store that is gone. */
export const jobView = z.object({
  id: z.string(),
  kind: z.string(),
  store: z.string().nullable(),
  state: z.enum(jobStates),
  progress: z.object({ done: z.number(), total: z.number() }),
  attempts: z.int(),
  error: z.string().optional(),
  result: z.unknown().optional(),
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
});
export type JobView = Omit<Job, 'store'> & { store: string | null };

/** Milliseconds between two looks at a job that somebody watches. */
const WATCH_EVERY = 500;

@Injectable()
export class JobsAdmin {
  constructor(
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly shutdown: Shutdown,
  ) {}

  /** Newest first. */
  async list(admin: Admin, { store: apiKey, kind, state, limit }: JobListQuery): Promise<{ jobs: JobView[] }> {
    const wanted = apiKey === undefined ? undefined : this.stores.byApiKey(apiKey)?.id;
    if (admin.store !== undefined && apiKey !== undefined && wanted !== admin.storeId) throw foreign();
    if (apiKey !== undefined && wanted === undefined) throw new ApiError('not_found', `There is no store "${apiKey}"`);
    const jobs = await this.jobs.find({ store: admin.storeId ?? wanted, kind, state, limit });
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

  /** The job now and after every change, until it has ended. */
  watch(admin: Admin, id: string): Observable<MessageEvent> {
    return timer(0, WATCH_EVERY).pipe(
      concatMap(() => this.show(admin, id)),
      distinctUntilChanged((before, now) => JSON.stringify(before) === JSON.stringify(now)),
      // An open stream would hold up the end of the process.
      takeUntil(fromEvent(this.shutdown.signal, 'abort')),
      takeWhile(({ state }) => state === 'waiting' || state === 'active', true),
      map((data) => ({ type: 'job', data })),
    );
  }

  private view(job: Job): JobView {
    return { ...job, store: this.stores.apiKeyOf(job.store) };
  }
}

const foreign = (): ApiError => new ApiError('forbidden', 'This token is for another store');
