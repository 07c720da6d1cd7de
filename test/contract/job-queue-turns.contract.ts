import { setTimeout as wait } from 'node:timers/promises';
import type { Job, JobQueue } from '../../src/jobs/job-queue';
import { aborted, type JobQueueSubject, until } from './job-queue.contract';

const OPS = 'ops:1';

/** Who gets a turn, what runs at once, and what people see and steer of it. */
export function describeJobQueueTurnsContract(name: string, makeSubject: () => Promise<JobQueueSubject>): void {
  describe(`JobQueue: ${name}, whose turn it is`, () => {
    let subject: JobQueueSubject;
    let jobs: JobQueue;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ jobs } = subject);
    });
    afterEach(() => subject.close());

    const find = async (id: string): Promise<Job | undefined> => (await jobs.find({ id }))[0];
    const reaches = (id: string, state: Job['state']) => until(async () => (await find(id))?.state === state);
    const enqueue = (kind: string, store: string): Promise<string> => jobs.enqueue({ kind, store, payload: null });

    test('a store with many jobs keeps no other waiting for more than the one that runs', async () => {
      const ran: string[] = [];
      jobs.process('import', async ({ job }) => void ran.push(job.store));
      const ids: string[] = [];
      for (let number = 0; number < 10; number += 1) ids.push(await enqueue('import', 'heavy'));
      for (const store of ['light', 'small']) ids.push(await enqueue('import', store));
      await jobs.start();
      for (const id of ids) await reaches(id, 'completed');
      expect(ran.slice(0, 3).sort()).toEqual(['heavy', 'light', 'small']);
      expect(ran.filter((store) => store === 'heavy')).toHaveLength(10);
    });

    test('of a store and kind one job runs at a time, also where another process has a hand free', async () => {
      const running = new Set<string>();
      const seen: string[][] = [];
      const handler = async ({ job }: { job: Job }): Promise<void> => {
        running.add(job.id);
        seen.push([...running]);
        await wait(20);
        running.delete(job.id);
      };
      jobs.process('import', handler, { concurrency: 3 });
      const ids: string[] = [];
      for (let number = 0; number < 5; number += 1) ids.push(await enqueue('import', 's1'));
      await jobs.start();
      const other = await subject.beside?.();
      other?.process('import', handler, { concurrency: 3 });
      await other?.start();
      for (const id of ids) await reaches(id, 'completed');
      expect(seen).toHaveLength(5);
      expect(seen.filter((together) => together.length > 1)).toEqual([]);
    });

    test('a job that was cancelled and still runs keeps its turn until it ends', async () => {
      let finish: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const began: string[] = [];
      jobs.process(
        'import',
        async ({ job, signal }) => {
          began.push(job.id);
          if (began.length > 1) return;
          await aborted(signal);
          await gate;
        },
        { concurrency: 2 },
      );
      await jobs.start();
      const first = await enqueue('import', 's1');
      await until(() => began.length === 1);
      await jobs.control(first, 'cancel');
      const second = await enqueue('import', 's1');
      const elsewhere = await enqueue('import', 's2');
      await reaches(elsewhere, 'completed');
      expect((await find(second))?.state).toBe('waiting');
      finish();
      await reaches(second, 'completed');
    });

    test('says who asked, also once it is tried again', async () => {
      const id = await jobs.enqueue({ kind: 'any', store: 's1', payload: null, askedBy: OPS });
      expect(await find(id)).toMatchObject({ askedBy: OPS });
      await jobs.control(id, 'cancel');
      expect(await jobs.control(id, 'retry')).toMatchObject({ state: 'waiting', askedBy: OPS });
      expect(await find(await enqueue('any', 's1'))).not.toHaveProperty('askedBy');
    });

    test('is listed page by page, also where several were asked for at the same time', async () => {
      for (let number = 0; number < 5; number += 1) {
        await enqueue('any', 's1');
        if (number % 2 === 0) subject.advance(1000);
      }
      const all = await jobs.find({ store: 's1' });
      const pages: Job[] = [];
      for (let after: Job | undefined; ;) {
        const page = await jobs.find({ store: 's1', limit: 2, after });
        if (page.length === 0) break;
        pages.push(...page);
        after = page.at(-1);
      }
      expect(pages).toEqual(all);
      expect(all).toHaveLength(5);
    });

    test('keeps what has ended for thirty days after its end, and no longer', async () => {
      jobs.process('any', async () => undefined);
      const id = await enqueue('any', 's1');
      const DAY = 86_400_000;
      subject.advance(40 * DAY);
      await jobs.start();
      await reaches(id, 'completed');
      subject.advance(29 * DAY);
      const later = await enqueue('any', 's1');
      await reaches(later, 'completed');
      expect(await find(id)).toBeDefined();
      subject.advance(2 * DAY);
      await reaches(await enqueue('any', 's1'), 'completed');
      await until(async () => (await find(id)) === undefined);
      expect(await find(later)).toBeDefined();
    });

    test('a schedule that is paused begins no period, and goes on when it is resumed', async () => {
      const { schedules } = subject;
      let ran = 0;
      jobs.process('hourly', async () => void (ran += 1));
      jobs.every('hourly', 50);
      await schedules.pause('hourly');
      expect(await schedules.list()).toEqual([{ kind: 'hourly', everyMs: 50, paused: true }]);
      await jobs.start();
      jobs.process('other', async () => undefined);
      jobs.every('other', 50);
      await until(async () => (await jobs.find({ kind: 'other', state: 'completed' })).length > 0);
      await wait(200);
      expect(ran).toBe(0);
      await schedules.resume('hourly');
      await until(() => ran === 1);
      expect((await schedules.list()).map(({ kind, paused }) => [kind, paused])).toEqual([
        ['hourly', false],
        ['other', false],
      ]);
    });

    test('begins no period while nothing is needed, and one soon after something is', async () => {
      let [isNeeded, ran] = [false, 0];
      jobs.process('needed', async () => void (ran += 1));
      jobs.every('needed', 50, async () => isNeeded);
      await jobs.start();
      subject.advance(100);
      await wait(300);
      expect(ran).toBe(0);
      expect(await jobs.find({ kind: 'needed', store: '*' })).toEqual([]);
      isNeeded = true;
      await until(() => ran === 1);
    });

    test('begins a period where nobody can say whether anything is needed', async () => {
      let ran = 0;
      jobs.process('unknown', async () => void (ran += 1));
      jobs.every('unknown', 50, () => Promise.reject(new Error('nobody answers')));
      await jobs.start();
      subject.advance(100);
      await until(() => ran > 0);
    });
  });
}
