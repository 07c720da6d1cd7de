import { setTimeout as wait } from 'node:timers/promises';
import type { Job, JobQueue } from '../../src/jobs/job-queue';
import { aborted, type JobQueueSubject, until } from './job-queue.contract';

const HOUR = 3_600_000;

/** What a JobQueue does while the clock steps back an hour. */
export function describeJobQueueClockContract(name: string, makeSubject: () => Promise<JobQueueSubject>): void {
  describe(`JobQueue: ${name}, while the clock steps back an hour`, () => {
    let subject: JobQueueSubject;
    let jobs: JobQueue;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ jobs } = subject);
    });
    afterEach(() => subject.close());

    const find = async (id: string): Promise<Job | undefined> => (await jobs.find({ id }))[0];
    const reaches = (id: string, state: Job['state']) => until(async () => (await find(id))?.state === state);

    test('a delayed job waits no longer than it was to, and periodic ones go on', async () => {
      let ticks = 0;
      jobs.process('delayed', async () => 'done');
      jobs.process('hourly', async () => void (ticks += 1));
      jobs.every('hourly', 500);
      await jobs.start();
      await until(() => ticks === 1);
      const id = await jobs.enqueue({ kind: 'delayed', store: 's1', payload: null, delayMs: 120_000 });
      // Longer than it takes to look at the clock.
      await wait(500);
      subject.advance(-HOUR);
      await until(() => ticks >= 2);
      await wait(500);
      expect((await find(id))?.state).toBe('waiting');
      subject.advance(120_000);
      await reaches(id, 'completed');
    });

    test('what a process that died had is taken over when its lease is over', async () => {
      jobs.process('long', ({ signal }) => aborted(signal));
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await reaches(id, 'active');
      const other = await subject.reopen();
      subject.advance(-HOUR);
      other.process('long', async () => 'other');
      await other.start();
      await wait(500);
      // Longer than any lease.
      subject.advance(60_000);
      await until(async () => (await other.find({ id }))[0]?.state === 'completed');
    });
  });
}
