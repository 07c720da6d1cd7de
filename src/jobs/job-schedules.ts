import { Injectable } from '@nestjs/common';
import { type DocumentKey, Documents } from '../documents/documents';

/** Work of the service that comes again and again. */
export interface JobSchedule {
  kind: string;
  everyMs: number;
  paused: boolean;
}

const keyOf = (kind: string): DocumentKey => ({ store: '*', kind: 'job-schedule', id: kind });

/** What is due again and again, and what of it is paused, for every process and over restarts. */
@Injectable()
export class JobSchedules {
  private readonly periods = new Map<string, number>();

  constructor(private readonly documents: Documents) {}

  /** By kind. */
  async list(): Promise<JobSchedule[]> {
    const documents = await this.documents.list({ store: '*', kind: 'job-schedule' });
    const paused = new Set(documents.map(({ id }) => id));
    return Array.from(this.periods, ([kind, everyMs]) => ({ kind, everyMs, paused: paused.has(kind) })).sort((a, b) =>
      a.kind < b.kind ? -1 : 1,
    );
  }

  has(kind: string): boolean {
    return this.periods.has(kind);
  }

  add(kind: string, everyMs: number): void {
    this.periods.set(kind, everyMs);
  }

  async isPaused(kind: string): Promise<boolean> {
    return (await this.documents.get(keyOf(kind))) !== null;
  }

  /** Once it is paused no process begins a period; a job that waits or runs goes on. */
  async pause(kind: string): Promise<void> {
    await this.documents.put([{ ...keyOf(kind), body: {} }]);
  }

  async resume(kind: string): Promise<void> {
    await this.documents.remove(keyOf(kind));
  }
}
