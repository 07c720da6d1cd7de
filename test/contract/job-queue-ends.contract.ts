import type { Job } from '../../src/jobs/job-queue';
import { aborted, type JobQueueSubject, until } from './job-queue.contract';

/** What a queue tells those who listen to the ends of jobs. */
export function describeJobQueueEndsContract(name: string, makeSubject: () => Promise<JobQueueSubject>): void {
  describe(`JobQueue, the ends of jobs: ${name}`, () => {
    let subject: JobQueueSubject;
    let told: Job[];

    beforeEach(async () => {
      subject = await makeSubject();
      told = [];
      subject.jobs.onEnd(async (job) => void told.push(job));
    });
    afterEach(() => subject.close());

    const stateOf = async (id: string): Promise<string | undefined> => (await subject.jobs.find({ id }))[0]?.state;

    test('are told once, with the result or the error, and no try before the last one is an end', async () => {
      const { jobs } = subject;
      jobs.process('good', async () => ({ n: 1 }));
      jobs.process('bad', async () => {
        throw new Error('no luck');
      });
      await jobs.start();
      const good = await jobs.enqueue({ kind: 'good', store: 's1', payload: null });
      const bad = await jobs.enqueue({ kind: 'bad', store: 's1', payload: null, attempts: 2, backoffMs: 1 });
      await until(async () => {
        subject.advance(1);
        return (await stateOf(good)) === 'completed' && (await stateOf(bad)) === 'failed';
      });
      expect(told).toHaveLength(2);
      expect(told.find(({ id }) => id === good)).toMatchObject({ kind: 'good', state: 'completed', result: { n: 1 } });
      expect(told.find(({ id }) => id === bad)).toMatchObject({ state: 'failed', attempts: 2, error: 'no luck' });
    });

    test('are not told of a job that was cancelled', async () => {
      const { jobs } = subject;
      jobs.process('long', async ({ signal }) => {
        await aborted(signal);
        signal.throwIfAborted();
      });
      jobs.process('after', async () => null);
      await jobs.start();
      const long = await jobs.enqueue({ kind: 'long', store: 's1', payload: null, attempts: 1 });
      await until(async () => (await stateOf(long)) === 'active');
      await jobs.control(long, 'cancel');
      const after = await jobs.enqueue({ kind: 'after', store: 's1', payload: null });
      await until(async () => (await stateOf(after)) === 'completed');
      await jobs.stop();
      expect(told.map(({ id }) => id)).toEqual([after]);
    });

    test('are told where the process of the last attempt died', async () => {
      subject.jobs.process('crash', () => new Promise(() => undefined));
      await subject.jobs.start();
      const id = await subject.jobs.enqueue({ kind: 'crash', store: 's1', payload: null, attempts: 1 });
      await until(async () => (await stateOf(id)) === 'active');
      const next = await subject.reopen();
      const heard: Job[] = [];
      next.onEnd(async (job) => void heard.push(job));
      next.process('crash', async () => null);
      subject.advance(120_000);
      await next.start();
      await until(() => heard.length > 0);
      expect(heard[0]).toMatchObject({ id, state: 'failed', error: 'The process that worked on it ended' });
    });
  });
}
