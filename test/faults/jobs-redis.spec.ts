import { setTimeout as wait } from 'node:timers/promises';
import { SystemClock } from '../../src/shared/clock';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import type { Job } from '../../src/jobs/job-queue';
import { aborted } from '../contract/job-queue.contract';
import { TestServer } from '../servers/test-server';
import { type BehaviourDatabase, behaviourDatabase } from '../support/behaviour-database';
import { type QueueProcess, QueueProcesses } from '../support/bullmq';
import { describeOn } from '../support/servers';

const TIMES = { lease: 2000, reconcile: 100, stop: 1000 };
/** Longer than it takes the reconciler to hand a job out a second time, if it would. */
const SETTLED_MS = 1000;
/** For what the test itself tells Redis. */
const PATIENT_MS = 5000;

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await check()); waited += 20) {
    if (waited > 15_000) throw new Error('It never came to that');
    await wait(20);
  }
}

jest.setTimeout(30_000);

describeOn('redis', () =>
  describe('jobs when Redis fails', () => {
    let server: TestServer;
    let data: BehaviourDatabase;
    let processes: QueueProcesses;
    let first: QueueProcess;

    beforeEach(async () => {
      [server, data] = await Promise.all([TestServer.start('redis'), behaviourDatabase()]);
      processes = new QueueProcesses(server.url, { clock: new SystemClock(), times: TIMES });
      first = await open();
    });
    afterEach(async () => {
      await processes.close();
      await Promise.all([server.stop(), data.close()]);
    });

    const open = (): Promise<QueueProcess> => processes.start(new EmbeddedDocuments(data.database));
    const find = async (id: string): Promise<Job | undefined> => (await first.jobs.find({ id }))[0];
    const reaches = (id: string, state: Job['state']) => until(async () => (await find(id))?.state === state);
    const counting = (): { runs: Map<number, number>; handler: (context: { payload: number }) => Promise<void> } => {
      const runs = new Map<number, number>();
      const handler = async ({ payload }: { payload: number }): Promise<void> => {
        runs.set(payload, (runs.get(payload) ?? 0) + 1);
      };
      return { runs, handler };
    };
    const once = (count: number): Map<number, number> =>
      new Map(Array.from({ length: count }, (_, index) => [index, 1] as const));
    const sorted = (runs: Map<number, number>): Map<number, number> => new Map([...runs].sort(([a], [b]) => a - b));

    test('it loses everything: waiting and delayed jobs still run, once', async () => {
      const { jobs, redis } = first;
      const { runs, handler } = counting();
      const delayMs = [0, 0, 0, 1500, 1500];
      for (const [payload, delay] of delayMs.entries()) {
        await jobs.enqueue({ kind: 'count', store: 's1', payload, delayMs: delay });
      }
      await wait(200);
      await redis.run((client) => client.flushdb());
      jobs.process('count', handler);
      await jobs.start();
      await until(() => runs.size === delayMs.length);
      await wait(SETTLED_MS);
      expect(sorted(runs)).toEqual(once(delayMs.length));
    });

    test('it is down: jobs are accepted at once, and run once when it is back', async () => {
      const { jobs } = first;
      const { runs, handler } = counting();
      jobs.process('count', handler);
      await jobs.start();
      await server.kill();
      const start = performance.now();
      for (let payload = 0; payload < 5; payload += 1) await jobs.enqueue({ kind: 'count', store: 's1', payload });
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(await jobs.find({ state: 'waiting' })).toHaveLength(5);
      await server.startAgain();
      await until(() => runs.size === 5);
      await wait(SETTLED_MS);
      expect(sorted(runs)).toEqual(once(5));
    });

    test('it is killed and comes back empty while a job runs: the job ends, having run once', async () => {
      const { jobs, redis } = first;
      const other = await open();
      let begun = 0;
      let go: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        go = resolve;
      });
      for (const process of [jobs, other.jobs]) {
        process.process('long', async () => {
          begun += 1;
          await gate;
          return 'done';
        });
        await process.start();
      }
      const id = await jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await reaches(id, 'active');
      await redis.run((client) => client.flushall());
      await server.kill();
      await server.startAgain();
      // Longer than a lease and than what BullMQ waits for a lost worker.
      await wait(TIMES.lease * 2);
      go();
      await reaches(id, 'completed');
      await wait(SETTLED_MS);
      expect(begun).toBe(1);
      expect(await find(id)).toMatchObject({ state: 'completed', attempts: 1, result: 'done' });
    });

    test('it is paused: the process stops in time all the same', async () => {
      const { jobs } = first;
      jobs.process('count', async () => undefined);
      await jobs.start();
      server.pause();
      const start = performance.now();
      await first.close();
      expect(performance.now() - start).toBeLessThan(20_000);
      server.resume();
    });

    test('it is full: jobs are accepted and wait, and run once when there is room again; so do periodic ones', async () => {
      const { jobs, redis } = first;
      const { runs, handler } = counting();
      let ticks = 0;
      jobs.process('count', handler);
      jobs.process('often', async () => void (ticks += 1));
      jobs.every('often', 200);
      await jobs.start();
      await until(() => ticks >= 2);
      await redis.run((client) => client.config('SET', 'maxmemory', '1'), PATIENT_MS);
      await until(() => redis.writes.refusal !== null);
      for (let payload = 0; payload < 5; payload += 1) await jobs.enqueue({ kind: 'count', store: 's1', payload });
      await wait(SETTLED_MS);
      expect([redis.up, runs.size]).toEqual([true, 0]);
      expect((await jobs.find({ state: 'waiting', kind: 'count' })).length).toBe(5);
      await redis.run((client) => client.config('SET', 'maxmemory', '0'), PATIENT_MS);
      await until(() => redis.writes.refusal === null && runs.size === 5);
      const before = ticks;
      await until(() => ticks >= before + 3);
      expect(sorted(runs)).toEqual(once(5));
    });

    test('a periodic job goes on after Redis lost its schedule', async () => {
      const { jobs, redis } = first;
      let ran = 0;
      jobs.process('often', async () => {
        ran += 1;
      });
      jobs.every('often', 200);
      await jobs.start();
      await until(() => ran >= 3);
      await redis.run((client) => client.flushdb());
      const before = ran;
      await until(() => ran >= before + 3);
    });
  }),
);

describeOn('redis', () =>
  describe('jobs in two processes', () => {
    let server: TestServer;
    let data: BehaviourDatabase;
    let processes: QueueProcesses;
    let one: QueueProcess;
    let two: QueueProcess;

    beforeEach(async () => {
      [server, data] = await Promise.all([TestServer.start('redis'), behaviourDatabase()]);
      processes = new QueueProcesses(server.url, { clock: new SystemClock(), times: TIMES });
      const documents = new EmbeddedDocuments(data.database);
      [one, two] = [await processes.start(documents), await processes.start(documents)];
    });
    afterEach(async () => {
      await processes.close();
      await Promise.all([server.stop(), data.close()]);
    });

    test('share the work, and run every job once', async () => {
      const ran: string[] = [];
      for (const [name, { jobs }] of Object.entries({ one, two })) {
        jobs.process<number>('share', async ({ payload }) => {
          ran.push(`${payload}`);
          await wait(20);
          return name;
        });
        await jobs.start();
      }
      await Promise.all(
        Array.from({ length: 40 }, (_, payload) => one.jobs.enqueue({ kind: 'share', store: 's1', payload })),
      );
      await until(async () => (await one.jobs.find({ store: 's1', state: 'completed' })).length === 40);
      expect(new Set(ran).size).toBe(40);
      expect(ran).toHaveLength(40);
      const workers = (await one.jobs.find({ store: 's1' })).map(({ result }) => result);
      expect(new Set(workers)).toEqual(new Set(['one', 'two']));
    });

    test('take a key for the same job, whoever enqueues it', async () => {
      const ids = await Promise.all(
        [one, two, one, two].map(({ jobs }) =>
          jobs.enqueue({ kind: 'aggregate', store: 's1', payload: null, key: 'k' }),
        ),
      );
      expect(new Set(ids).size).toBe(1);
      expect(await two.jobs.find({ store: 's1' })).toHaveLength(1);
    });

    test('tell a job that the other one cancelled', async () => {
      let stopped = false;
      one.jobs.process('endless', async ({ signal }) => {
        await aborted(signal);
        stopped = true;
      });
      await one.jobs.start();
      const id = await two.jobs.enqueue({ kind: 'endless', store: 's1', payload: null });
      await until(async () => (await two.jobs.find({ id }))[0]?.state === 'active');
      expect(await two.jobs.control(id, 'cancel')).toMatchObject({ state: 'cancelled' });
      await until(() => stopped);
      expect((await two.jobs.find({ id }))[0]?.state).toBe('cancelled');
    });

    test('go on with what the other one hands back', async () => {
      one.jobs.process('long', async ({ signal }) => {
        await aborted(signal);
        signal.throwIfAborted();
      });
      await one.jobs.start();
      const id = await two.jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await until(async () => (await two.jobs.find({ id }))[0]?.state === 'active');
      two.jobs.process('long', async () => 'two');
      await two.jobs.start();
      await one.jobs.stop();
      await until(async () => (await two.jobs.find({ id }))[0]?.state === 'completed');
      expect((await two.jobs.find({ id }))[0]).toMatchObject({ attempts: 1, result: 'two' });
    });
  }),
);
