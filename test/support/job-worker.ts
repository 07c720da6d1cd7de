import { setTimeout as wait } from 'node:timers/promises';
import { SystemClock } from '../../src/shared/clock';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { BullmqJobQueue } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { RedisConnection } from '../../src/storage/redis/redis-connection';

/** What a worker process of a test is told, as JSON, in its first argument. */
export interface WorkerSetup {
  name: string;
  elasticsearch: string;
  redis: string;
  prefix: string;
  lease: number;
  /** How long its jobs take, milliseconds. */
  work: number;
}

/** A worker process of its own, which a test can kill: jobs of the kind `long` answer who did them. */
async function main(): Promise<void> {
  const setup = JSON.parse(process.argv[2] ?? '') as WorkerSetup;
  const { prefix, name } = setup;
  const elastic = await ElasticConnection.open({ url: setup.elasticsearch, prefix });
  const documents = await ElasticDocuments.open(elastic, new BulkBatcher(elastic));
  const redis = await RedisConnection.open({ url: setup.redis, prefix });
  const times = { lease: setup.lease, reconcile: 200 };
  const caches = new CacheInvalidation(documents, new NoPeers());
  const jobs = new BullmqJobQueue({ documents, caches, redis }, new SystemClock(), times);
  jobs.process('long', async ({ progress }) => {
    await progress(1, 2);
    await wait(setup.work);
    return name;
  });
  await jobs.start();
  process.stdout.write('working\n');
}

void main();
