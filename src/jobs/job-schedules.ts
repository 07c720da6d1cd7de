import { Injectable } from '@nestjs/common';
import { type DocumentKey, Documents } from '../documents/documents';

/** Work of the service that comes again and again. */
export interface JobSchedule {
  kind: string;
  everyMs: number;
  paused: boolean;
}

/** Whether there is anything for a job of a period to do. */
export type IsNeeded = () => boolean | Promise<boolean>;

const always: IsNeeded = () => true;

const keyOf = (kind: string): DocumentKey => ({ store: '*', kind: 'job-schedule', id: kind });

/** What is due again and again, and what of it is paused, for every process and over restarts. */
@Injectable()
export class JobSchedules {
  private readonly periods = new Map<string, { everyMs: number; isNeeded: IsNeeded }>();

  constructor(private readonly documents: Documents) {}

  /** By kind. */
  async list(): Promise<JobSchedule[]> {
    const documents = await this.documents.list({ store: '*', kind: 'job-schedule' });
    const paused = new Set(documents.map(({ id }) => id));
    return Array.from(this.periods, ([kind, { everyMs }]) => ({ kind, everyMs, paused: paused.has(kind) })).sort(
      (a, b) => (a.kind < b.kind ? -1 : 1),
    );
  }

  has(kind: string): boolean {
    return this.periods.has(kind);
  }

  add(kind: string, everyMs: number, isNeeded: IsNeeded = always): void {
    this.periods.set(kind, { everyMs, isNeeded });
  }

  /** Whether a period has a job: there is something to do, and it is not paused. */
  async hasJob(kind: string): Promise<boolean> {
    return (await this.asksFor(kind)) && (await this.documents.get(keyOf(kind))) === null;
  }

  /** Where it can't be found out, the job itself says what the matter is. */
  private async asksFor(kind: string): Promise<boolean> {
    try {
      return (await this.periods.get(kind)?.isNeeded()) ?? false;
    } catch {
      return true;
    }
  }

  /** Once it is paused no process begins a period; a job that waits or runs goes on. */
  async pause(kind: string): Promise<void> {
    await this.documents.put([{ ...keyOf(kind), body: {} }]);
  }

  async resume(kind: string): Promise<void> {
    await this.documents.remove(keyOf(kind));
  }
}
