import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SystemClock } from '../../src/shared/clock';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { BullmqJobQueue } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import type { Job } from '../../src/jobs/job-queue';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { dropIndices, openElastic } from '../support/elastic';
import type { WorkerSetup } from '../support/job-worker';
import { describeOn } from '../support/servers';

const LEASE_MS = 5000;
const root = join(__dirname, '..', '..');

jest.setTimeout(60_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('a worker that is killed', () => {
    const prefix = `test-${randomUUID()}`;
    const children: ChildProcess[] = [];
    let elastic: ElasticConnection;
    let redis: RedisConnection;
    let jobs: BullmqJobQueue;

    beforeAll(async () => {
      elastic = await openElastic(urls.elasticsearch, { prefix });
      redis = await RedisConnection.open({ url: urls.redis, prefix });
      const documents = await ElasticDocuments.open(elastic, new BulkBatcher(elastic));
      // it enqueues and looks as a web replica does, and runs nothing.
      jobs = new BullmqJobQueue(
        { documents, caches: new CacheInvalidation(documents, new NoPeers()), redis },
        new SystemClock(),
      );
    });
    afterAll(async () => {
      for (const child of children) await kill(child);
      await jobs.stop();
      await redis.close();
      await dropIndices(elastic);
      await elastic.close();
    });

    const kill = async (child: ChildProcess): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    const worker = async (name: string, work: number): Promise<ChildProcess> => {
      const setup: WorkerSetup = { name, ...urls, prefix, lease: LEASE_MS, work };
      const args = ['--require', '@swc-node/register', join(root, 'test/support/job-worker.ts'), JSON.stringify(setup)];
      const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      await once(child.stdout, 'data');
      return child;
    };
    const find = async (id: string): Promise<Job | undefined> => (await jobs.find({ id }))[0];
    const until = async (check: () => Promise<boolean>): Promise<void> => {
      while (!(await check())) await wait(50);
    };

    test('in the middle of a job: another finishes it, once', async () => {
      const doomed = await worker('first', 3_600_000);
      const id = await jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await until(async () => (await find(id))?.progress.done === 1);
      await kill(doomed);
      const killedAt = performance.now();
      await worker('second', 100);
      await until(async () => (await find(id))?.state === 'completed');
      expect(await find(id)).toMatchObject({ attempts: 2, result: 'second', progress: { done: 1, total: 2 } });
      expect(performance.now() - killedAt).toBeGreaterThan(LEASE_MS / 3);
      await wait(LEASE_MS);
      expect(await find(id)).toMatchObject({ attempts: 2, result: 'second' });
      expect(await jobs.find({ state: 'active' })).toEqual([]);
    });

    test('a long job of a living worker is not taken from it', async () => {
      const id = await jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await until(async () => (await find(id))?.state === 'completed');
      for (const child of children) await kill(child);
      await worker('patient', LEASE_MS * 2);
      const long = await jobs.enqueue({ kind: 'long', store: 's1', payload: null });
      await until(async () => (await find(long))?.state === 'active');
      await worker('greedy', 100);
      await until(async () => (await find(long))?.state === 'completed');
      expect(await find(long)).toMatchObject({ attempts: 1, result: 'patient' });
    });
  }),
);
