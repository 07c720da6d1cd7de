import { Injectable } from '@nestjs/common';
import { type DocumentKey, Documents } from '../../../documents/documents';
import { ImportReport, type ImportResult } from '../../../jobs/imports/import-report';
import { type Job, JobQueue } from '../../../jobs/job-queue';
import type { StagedFeed } from '../import-payload';

/** How far an import has come. */
export interface Checkpoint {
  /** Products that are done, in the order of the workspace. */
  products: number;
  result: ImportResult;
  /** Whether all is done, the removal of what is gone too. */
  done: boolean;
  /** What is imported. */
  staged?: StagedFeed;
}

const KIND = 'catalog-import-checkpoint';
/** What is done again after a kill is right all the same; it only takes its time. Milliseconds. */
const SAVED_EVERY = 1000;

const keyOf = ({ store, id }: Job): DocumentKey => ({ store, kind: KIND, id });

/** Where an import goes on that was interrupted. */
@Injectable()
export class Checkpoints {
  constructor(
    private readonly documents: Documents,
    private readonly jobs: JobQueue,
  ) {}

  async read(job: Job): Promise<Checkpoint | null> {
    return (await this.documents.get<Checkpoint>(keyOf(job)))?.body ?? null;
  }

  /** Notes which feed is imported, before anything else: fetched again it might be another one, and a later run has to know that there was one before. */
  async begin(job: Job, staged: StagedFeed): Promise<void> {
    const body: Checkpoint = { products: 0, result: new ImportReport().finish(), done: false, staged };
    await this.documents.put([{ ...keyOf(job), body }]);
  }

  /** Saves what it is given, but not too often, unless all is done. */
  saver(job: Job): (checkpoint: Checkpoint) => Promise<void> {
    let savedAt = performance.now();
    return async (checkpoint) => {
      if (!checkpoint.done && performance.now() - savedAt < SAVED_EVERY) return;
      savedAt = performance.now();
      await this.documents.put([{ ...keyOf(job), body: checkpoint }]);
    };
  }

  async forget(job: Job): Promise<void> {
    await this.documents.remove(keyOf(job));
  }

  /** Those of jobs that have ended. The job itself can't: it may be killed after its last word and before it counts as ended. */
  async sweep({ store }: Job): Promise<void> {
    for (const { id } of await this.documents.list({ kind: KIND, store })) {
      const [job] = await this.jobs.find({ id });
      if (job?.state !== 'active' && job?.state !== 'waiting') await this.documents.remove({ store, kind: KIND, id });
    }
  }
}
