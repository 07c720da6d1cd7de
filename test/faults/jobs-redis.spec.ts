import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SystemClock } from '../../src/clock';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import type { Job } from '../../src/jobs/job-queue';
import { BullmqJobQueue } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import { RedisConnection } from '../../src/storage/redis';
import { TestServer } from '../servers/test-server';
import { type BehaviourDatabase, behaviourDatabase } from '../support/behaviour-database';
import { describeOn } from '../support/servers';

const TIMES = { lease: 2000, reconcile: 100, stop: 1000 };
/** Longer than it takes the reconciler to hand a job out a second time, if it would. */
const SETTLED_MS = 1000;

interface Process {
  jobs: BullmqJobQueue;
  redis: RedisConnection;
}

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
    let processes: Process[];
    let prefix: string;

    beforeEach(async () => {
      [server, data] = await Promise.all([TestServer.start('redis'), behaviourDatabase()]);
      processes = [];
      prefix = `test-${randomUUID()}`;
    });
    afterEach(async () => {
      for (const { jobs, redis } of processes) {
        await jobs.stop();
        await redis.close();
      }
      await Promise.all([server.stop(), data.close()]);
    });

    const open = async (): Promise<Process> => {
      const redis = await RedisConnection.open({ url: server.url, prefix });
      const documents = new EmbeddedDocuments(data.database);
      const jobs = new BullmqJobQueue({ documents, redis, clock: new SystemClock() }, TIMES);
      processes.push({ jobs, redis });
      return { jobs, redis };
    };
    const find = async (id: string): Promise<Job | undefined> => (await processes[0]?.jobs.find({ id }))?.[0];
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

    test('it loses everything: what waits and what is delayed still runs, once', async () => {
      const { jobs, redis } = await open();
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

    test('it is down: jobs are taken at once, and run when it is back, once', async () => {
      const { jobs } = await open();
      const { runs, handler } = counting();
      jobs.process('count', handler);
      await jobs.start();
      await server.kill();
      const start = performance.now();
      for (let payload = 0; payload < 5; payload += 1) await jobs.enqueue({ kind: 'count', store: 's1', payload });
      expect(performance.now() - start).toBeLessThan(500);
      expect(await jobs.find({ state: 'waiting' })).toHaveLength(5);
      await server.startAgain();
      await until(() => runs.size === 5);
      await wait(SETTLED_MS);
      expect(sorted(runs)).toEqual(once(5));
    });

    test('it is killed, and comes back empty, while a job works: the job ends, having run once', async () => {
      const { jobs, redis } = await open();
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
      const { jobs, redis } = await open();
      jobs.process('count', async () => undefined);
      await jobs.start();
      server.pause();
      const start = performance.now();
      await jobs.stop();
      await redis.close();
      expect(performance.now() - start).toBeLessThan(3000);
      server.resume();
      processes = [];
    });

    test('a periodic job goes on after Redis lost its schedule', async () => {
      const { jobs, redis } = await open();
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
    let one: Process;
    let two: Process;

    beforeEach(async () => {
      [server, data] = await Promise.all([TestServer.start('redis'), behaviourDatabase()]);
      const open = async (): Promise<Process> => {
        const redis = await RedisConnection.open({ url: server.url, prefix: 'shop' });
        const documents = new EmbeddedDocuments(data.database);
        return { redis, jobs: new BullmqJobQueue({ documents, redis, clock: new SystemClock() }, TIMES) };
      };
      [one, two] = [await open(), await open()];
    });
    afterEach(async () => {
      for (const { jobs, redis } of [one, two]) {
        await jobs.stop();
        await redis.close();
      }
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
        [one, two, one, two].map(({ jobs }) => jobs.enqueue({ kind: 'fold', store: 's1', payload: null, key: 'k' })),
      );
      expect(new Set(ids).size).toBe(1);
      expect(await two.jobs.find({ store: 's1' })).toHaveLength(1);
    });

    test('tell a job that the other one cancelled', async () => {
      let aborted = false;
      one.jobs.process('endless', async ({ signal }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        aborted = true;
      });
      await one.jobs.start();
      const id = await two.jobs.enqueue({ kind: 'endless', store: 's1', payload: null });
      await until(async () => (await two.jobs.find({ id }))[0]?.state === 'active');
      expect(await two.jobs.control(id, 'cancel')).toMatchObject({ state: 'cancelled' });
      await until(() => aborted);
      expect((await two.jobs.find({ id }))[0]?.state).toBe('cancelled');
    });

    test('go on with what the other one hands back', async () => {
      one.jobs.process('long', async ({ signal }) => {
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
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
