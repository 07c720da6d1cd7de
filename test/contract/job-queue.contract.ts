import { setTimeout as wait } from 'node:timers/promises';
import type { Job, JobQueue } from '../../src/jobs/job-queue';
import type { JobSchedules } from '../../src/jobs/job-schedules';

export interface JobQueueSubject {
  jobs: JobQueue;
  schedules: JobSchedules;
  /** Moves the queue's clock. */
  advance(ms: number): void;
  /** A queue over the same data, as after a process that died without stopping. */
  reopen(): Promise<JobQueue>;
  /** A queue of another process over the same data; absent where there is one process alone. */
  beside?(): Promise<JobQueue>;
  close(): Promise<void>;
}

/** Less than the time limit of a test: what failed says so itself. */
const LONGEST_WAIT_MS = 25_000;

/** Resolves once it is so. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (const since = performance.now(); !(await check());) {
    if (performance.now() - since > LONGEST_WAIT_MS) throw new Error('It never came to that');
    await wait(10);
  }
}

/** Resolves once it is, also where it was before anybody asked. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

export function describeJobQueueContract(name: string, makeSubject: () => Promise<JobQueueSubject>): void {
  describe(`JobQueue: ${name}`, () => {
    let subject: JobQueueSubject;
    let jobs: JobQueue;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ jobs } = subject);
    });
    afterEach(() => subject.close());

    const find = async (id: string): Promise<Job | undefined> => (await jobs.find({ id }))[0];
    const reaches = (id: string, state: Job['state']) => until(async () => (await find(id))?.state === state);

    test('runs a job with its payload and keeps what the handler returned', async () => {
      jobs.process<{ a: number }>('double', async ({ payload }) => ({ twice: payload.a * 2 }));
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'double', store: 's1', payload: { a: 21 } });
      await reaches(id, 'completed');
      expect(await find(id)).toMatchObject({ kind: 'double', store: 's1', attempts: 1, result: { twice: 42 } });
      expect((await find(id))?.endedAt).toMatch(/^\d{4}-.*Z$/);
    });

    test('fails a job whose result can not be kept', async () => {
      jobs.process('odd', async () => ({ many: 1n }));
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'odd', store: 's1', payload: null, attempts: 1 });
      await reaches(id, 'failed');
      expect((await find(id))?.error).toContain('BigInt');
    });

    test('keeps a job waiting until work begins', async () => {
      const id = await jobs.enqueue({ kind: 'later', store: 's1', payload: null });
      expect(await find(id)).toMatchObject({ state: 'waiting', attempts: 0, progress: { done: 0, total: 0 } });
      jobs.process('later', async () => 'done');
      await jobs.start();
      await reaches(id, 'completed');
    });

    test('shows the progress a handler reports', async () => {
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      jobs.process('slow', async ({ progress }) => {
        await progress(3, 10);
        await gate;
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'slow', store: 's1', payload: null });
      await until(async () => (await find(id))?.progress.done === 3);
      const counted = { progress: { done: 3, total: 10 }, countedFrom: { done: 3 } };
      expect(await find(id)).toMatchObject({ state: 'active', ...counted });
      go();
      await reaches(id, 'completed');
    });

    test('tries a failed job again after its back-off, and gives up after its attempts', async () => {
      jobs.process('broken', async () => {
        throw new Error('no luck');
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'broken', store: 's1', payload: null, attempts: 2, backoffMs: 60_000 });
      await until(async () => (await find(id))?.error === 'no luck');
      expect(await find(id)).toMatchObject({ state: 'waiting', attempts: 1 });
      subject.advance(60_000);
      await reaches(id, 'failed');
      expect(await find(id)).toMatchObject({ attempts: 2, error: 'no luck' });
    });

    test('runs a delayed job when its time has come', async () => {
      let ran = 0;
      jobs.process('delayed', async () => {
        ran += 1;
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'delayed', store: 's1', payload: null, delayMs: 3_600_000 });
      const other = await jobs.enqueue({ kind: 'delayed', store: 's1', payload: null });
      await reaches(other, 'completed');
      expect(await find(id)).toMatchObject({ state: 'waiting' });
      subject.advance(3_600_000);
      await reaches(id, 'completed');
      expect(ran).toBe(2);
    });

    test('takes a waiting job with the same key for the same job, but not one of another store', async () => {
      const first = await jobs.enqueue({ kind: 'aggregate', store: 's1', payload: null, key: 'k' });
      expect(await jobs.enqueue({ kind: 'aggregate', store: 's1', payload: null, key: 'k' })).toBe(first);
      expect(await jobs.enqueue({ kind: 'aggregate', store: 's2', payload: null, key: 'k' })).not.toBe(first);
      expect(await jobs.enqueue({ kind: 'other', store: 's1', payload: null, key: 'k' })).not.toBe(first);
      expect(await jobs.enqueue({ kind: 'aggregate', store: 's1', payload: null })).not.toBe(first);
    });

    test('enqueues a key anew once its job no longer waits', async () => {
      jobs.process('aggregate', async () => undefined);
      await jobs.start();
      const first = await jobs.enqueue({ kind: 'aggregate', store: 's1', payload: null, key: 'k' });
      await reaches(first, 'completed');
      expect(await jobs.enqueue({ kind: 'aggregate', store: 's1', payload: null, key: 'k' })).not.toBe(first);
    });

    test('never runs a job that was cancelled while it waited, until it is retried', async () => {
      const id = await jobs.enqueue({ kind: 'maybe', store: 's1', payload: null });
      expect(await jobs.control(id, 'cancel')).toMatchObject({ id, state: 'cancelled' });
      let ran = 0;
      jobs.process('maybe', async () => {
        ran += 1;
      });
      await jobs.start();
      const other = await jobs.enqueue({ kind: 'maybe', store: 's1', payload: null });
      await reaches(other, 'completed');
      expect(ran).toBe(1);
      expect(await jobs.control(id, 'retry')).toMatchObject({ id, state: 'waiting' });
      await reaches(id, 'completed');
      expect(ran).toBe(2);
    });

    test('signals a job that is cancelled while it works, and it stays cancelled', async () => {
      let stopped = false;
      jobs.process('endless', async ({ signal }) => {
        await aborted(signal);
        stopped = true;
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'endless', store: 's1', payload: null });
      await reaches(id, 'active');
      await jobs.control(id, 'cancel');
      await until(() => stopped);
      await wait(20);
      expect((await find(id))?.state).toBe('cancelled');
    });

    test('signals a job that is cancelled in the moment in which it begins', async () => {
      jobs.process('endless', ({ signal }) => aborted(signal));
      await jobs.start();
      const begin = (): Promise<string> => jobs.enqueue({ kind: 'endless', store: 's1', payload: null });
      for (let times = 0; times < 20; times += 1) await jobs.control(await begin(), 'cancel');
      await reaches(await begin(), 'active'); // One of a store runs at a time.
    });

    test('runs a retried job at once, although it was to wait for its next attempt', async () => {
      let ran = 0;
      jobs.process('broken', async () => {
        ran += 1;
        if (ran === 1) throw new Error('no luck');
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'broken', store: 's1', payload: null, backoffMs: 3_600_000 });
      await until(async () => (await find(id))?.error === 'no luck');
      await jobs.control(id, 'cancel');
      await jobs.control(id, 'retry');
      await reaches(id, 'completed');
      expect(await find(id)).toMatchObject({ attempts: 1 });
    });

    test('runs a job again that is retried before its cancelled run has ended', async () => {
      let ran = 0;
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      jobs.process('slow', async () => {
        ran += 1;
        await gate;
        return ran;
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'slow', store: 's1', payload: null });
      await until(() => ran === 1);
      await jobs.control(id, 'cancel');
      expect(await jobs.control(id, 'retry')).toMatchObject({ state: 'waiting', attempts: 0 });
      go();
      await reaches(id, 'completed');
      expect(await find(id)).toMatchObject({ attempts: 1, result: 2 });
    });

    test('leaves a job as it is where a step does not apply, and knows no strangers', async () => {
      const id = await jobs.enqueue({ kind: 'any', store: 's1', payload: null });
      expect(await jobs.control(id, 'retry')).toMatchObject({ id, state: 'waiting' });
      expect(await jobs.control('no-such-job', 'cancel')).toBeNull();
    });

    test('forgets a job on request', async () => {
      const id = await jobs.enqueue({ kind: 'any', store: 's1', payload: null, subject: 'u:ana' });
      await jobs.enqueue({ kind: 'any', store: 's1', payload: null, subject: 'u:bruno' });
      expect((await jobs.find({ store: 's1', subject: 'u:ana' })).map((job) => job.id)).toEqual([id]);
      expect(await jobs.control(id, 'forget')).toMatchObject({ id });
      expect(await jobs.find({ store: 's1', subject: 'u:ana' })).toEqual([]);
      expect(await jobs.find({ store: 's1' })).toHaveLength(1);
    });

    test('finds jobs by store, kind and state, the newest first', async () => {
      const first = await jobs.enqueue({ kind: 'a', store: 's1', payload: null });
      subject.advance(1000);
      const second = await jobs.enqueue({ kind: 'b', store: 's1', payload: null });
      await jobs.enqueue({ kind: 'a', store: 's2', payload: null });
      await jobs.control(first, 'cancel');
      expect((await jobs.find({ store: 's1' })).map(({ id }) => id)).toEqual([second, first]);
      expect((await jobs.find({ store: 's1', kind: 'a' })).map(({ id }) => id)).toEqual([first]);
      expect((await jobs.find({ state: 'cancelled' })).map(({ id }) => id)).toEqual([first]);
      expect(await jobs.find({ limit: 2 })).toHaveLength(2);
    });

    test('works on as many stores’ jobs of a kind at a time as was asked for', async () => {
      let active = 0;
      let most = 0;
      jobs.process(
        'wide',
        async () => {
          active += 1;
          most = Math.max(most, active);
          // However long it takes to hand one out; and then some time for one too many.
          await until(() => most >= 3);
          await wait(30);
          active -= 1;
        },
        { concurrency: 3 },
      );
      const ids = await Promise.all(
        Array.from({ length: 8 }, (_, number) => jobs.enqueue({ kind: 'wide', store: `s${number}`, payload: null })),
      );
      await jobs.start();
      for (const id of ids) await reaches(id, 'completed');
      expect(most).toBe(3);
    });

    test('takes over what a dead process left behind', async () => {
      jobs.process('crash', () => new Promise(() => undefined));
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'crash', store: 's1', payload: { n: 7 } });
      await reaches(id, 'active');
      jobs = await subject.reopen();
      jobs.process<{ n: number }>('crash', async ({ payload }) => payload.n);
      await jobs.start();
      subject.advance(120_000);
      await reaches(id, 'completed');
      expect(await find(id)).toMatchObject({ attempts: 2, result: 7 });
    });

    test('hands back what is active when it stops, without counting that as an attempt', async () => {
      jobs.process('long', async ({ signal }) => {
        await aborted(signal);
        signal.throwIfAborted();
      });
      await jobs.start();
      const id = await jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await reaches(id, 'active');
      await jobs.stop();
      expect(await find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    });

    test('enqueues a periodic job once for each period', async () => {
      let ran = 0;
      jobs.process('daily', async () => {
        ran += 1;
      });
      jobs.every('daily', 50);
      await jobs.start();
      await until(() => ran === 1);
      await wait(200);
      // The clock has not moved, so no period has passed.
      expect(ran).toBe(1);
      subject.advance(50);
      await until(() => ran === 2);
      expect(await jobs.find({ kind: 'daily', store: '*' })).toHaveLength(2);
    });
  });
}
