import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../jobs/job-queue';
import { userKey } from './shopper';
import type { ErasedCounts, KnownThing, Person, PersonalRecords } from './personal-data';

const MOST_JOBS = 10_000;

/** Jobs about a user: they name them, and would bring back what was erased. */
@Injectable()
export class UserJobs implements PersonalRecords {
  constructor(private readonly jobs: JobQueue) {}

  async erase({ store, userId }: Person): Promise<Partial<ErasedCounts>> {
    const jobs = await this.jobs.find({ store: store.id, subject: userKey(userId), limit: MOST_JOBS });
    for (const { id } of jobs) await this.jobs.control(id, 'forget');
    return { jobs: jobs.length };
  }

  async *export({ store, userId }: Person): AsyncGenerator<KnownThing> {
    const jobs = await this.jobs.find({ store: store.id, subject: userKey(userId), limit: MOST_JOBS });
    for (const { id, kind, state, createdAt } of jobs) yield { type: 'job', id, kind, state, createdAt };
  }
}
