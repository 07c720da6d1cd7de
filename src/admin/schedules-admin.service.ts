import { Injectable } from '@nestjs/common';
import { JobQueue } from '../jobs/job-queue';
import { type JobSchedule, JobSchedules } from '../jobs/job-schedules';
import { ApiError } from '../shared/api-error';
import type { ScheduleView } from './schedule-view';

@Injectable()
export class SchedulesAdmin {
  constructor(
    private readonly schedules: JobSchedules,
    private readonly jobs: JobQueue,
  ) {}

  /** By kind. */
  async list(): Promise<ScheduleView[]> {
    return Promise.all((await this.schedules.list()).map((schedule) => this.view(schedule)));
  }

  async pause(kind: string): Promise<ScheduleView> {
    this.assertKnown(kind);
    await this.schedules.pause(kind);
    return this.show(kind);
  }

  async resume(kind: string): Promise<ScheduleView> {
    this.assertKnown(kind);
    await this.schedules.resume(kind);
    return this.show(kind);
  }

  /** One waiting job serves all who ask. */
  async run(kind: string, askedBy: string): Promise<{ jobId: string }> {
    this.assertKnown(kind);
    return { jobId: await this.jobs.enqueue({ kind, store: '*', payload: null, key: 'now', askedBy }) };
  }

  private async show(kind: string): Promise<ScheduleView> {
    const schedule = (await this.schedules.list()).find((each) => each.kind === kind);
    if (!schedule) throw unknown(kind);
    return this.view(schedule);
  }

  private async view({ kind, everyMs, paused }: JobSchedule): Promise<ScheduleView> {
    const [last] = await this.jobs.find({ kind, store: '*', limit: 1 });
    const shown = last ? { id: last.id, state: last.state, createdAt: last.createdAt } : null;
    return { kind, everySeconds: everyMs / 1000, paused, last: shown };
  }

  private assertKnown(kind: string): void {
    if (!this.schedules.has(kind)) throw unknown(kind);
  }
}

const unknown = (kind: string): ApiError =>
  new ApiError('not_found', `There is no schedule "${kind}"; GET /admin/schedules lists them`);
