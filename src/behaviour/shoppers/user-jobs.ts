import { Injectable } from '@nestjs/common';
import { type Job, JobQueue } from '../../jobs/job-queue';
import { deviceKey, userKey } from './shopper';
import type { ErasedCounts, KnownThing, Person, PersonalRecords } from './personal-data';

const MOST_JOBS = 10_000;

/** Jobs about a user or their devices: they name them, and would bring back what was erased. */
@Injectable()
export class UserJobs implements PersonalRecords {
  constructor(private readonly jobs: JobQueue) {}

  async erase({ store, userId, deviceIds }: Person): Promise<Partial<ErasedCounts>> {
    const jobs: Job[] = [];
    for (const subject of [userKey(userId), ...deviceIds.map(deviceKey)]) {
      jobs.push(...(await this.jobs.find({ store: store.id, subject, limit: MOST_JOBS })));
    }
    for (const { id } of jobs) await this.jobs.control(id, 'forget');
    return { jobs: jobs.length };
  }

  async *export({ store, userId }: Person): AsyncGenerator<KnownThing> {
    const jobs = await this.jobs.find({ store: store.id, subject: userKey(userId), limit: MOST_JOBS });
    for (const { id, kind, state, createdAt } of jobs) yield { type: 'job', id, kind, state, createdAt };
  }
}
