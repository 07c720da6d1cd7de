import { Injectable } from '@nestjs/common';
import { type DocumentKey, Documents } from '../../documents/documents';

/** What is kept of tuning: JSON objects, which those who keep them read with their own schema. */
type Kept = Readonly<Record<string, unknown>>;

export const tuningKey = (store: string, name: string, version: number): DocumentKey => ({
  store,
  kind: 'boost-template-tuning',
  id: `${name}@${version}`,
});

/** Stays where the job is: an export leaves out what begins with `job-`. */
const checkpointKey = (store: string, jobId: string): DocumentKey => ({ store, kind: 'job-tuning', id: jobId });

/** The report of each version that tuning made, and how far a search that is under way has come. They go with the version, and with the store. */
@Injectable()
export class TemplateTunings {
  constructor(private readonly documents: Documents) {}

  async keep(store: string, { name, version }: { name: string; version: number }, report: Kept): Promise<void> {
    await this.documents.put([{ ...tuningKey(store, name, version), body: report }]);
  }

  async find(store: string, name: string, version: number): Promise<Kept | null> {
    return (await this.documents.get<Kept>(tuningKey(store, name, version)))?.body ?? null;
  }

  async checkpoint(store: string, jobId: string, state: Kept): Promise<void> {
    await this.documents.put([{ ...checkpointKey(store, jobId), body: state }]);
  }

  async resume(store: string, jobId: string): Promise<Kept | null> {
    return (await this.documents.get<Kept>(checkpointKey(store, jobId)))?.body ?? null;
  }

  async forgetCheckpoint(store: string, jobId: string): Promise<void> {
    await this.documents.remove(checkpointKey(store, jobId));
  }
}
