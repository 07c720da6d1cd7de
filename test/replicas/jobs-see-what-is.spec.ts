import { randomUUID } from 'node:crypto';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import type { Document, DocumentKey } from '../../src/documents/documents';
import { NoPeers } from '../../src/documents/peers';
import type { SharedCache } from '../../src/documents/shared-cache';
import { BullmqJobQueue } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import { SystemClock } from '../../src/shared/clock';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { behaviourDatabase, type BehaviourDatabase } from '../support/behaviour-database';
import { comesToHold } from '../support/change-tries';
import { describeOn } from '../support/servers';

/** One database between two processes, as Elasticsearch is; `late`: what was changed is not to be read yet. */
class SharedDocuments extends EmbeddedDocuments {
  override readonly shared = true;
  late = false;

  override async get<T>(key: DocumentKey): Promise<Document<T> | null> {
    return this.late && key.kind === 'changes' ? null : super.get<T>(key);
  }
}

const SETTING: DocumentKey = { store: '*', kind: 'setting', id: 'language' };

/** A process with a cache of one setting, and with jobs that answer what it holds. */
class Process {
  held = 'pt';
  private constructor(
    readonly documents: SharedDocuments,
    readonly cache: SharedCache,
    readonly jobs: BullmqJobQueue,
    readonly close: () => Promise<void>,
  ) {}

  static async start(data: BehaviourDatabase, { url, prefix }: { url: string; prefix: string }): Promise<Process> {
    const documents = new SharedDocuments(data.database);
    const redis = await RedisConnection.open({ url, prefix });
    const caches = new CacheInvalidation(documents, new NoPeers());
    const cache = caches.cache('setting', async () => {
      started.held = (await documents.get<string>(SETTING))?.body ?? 'pt';
    });
    const jobs = new BullmqJobQueue({ documents, caches, redis }, new SystemClock(), { reconcile: 200 });
    const started = new Process(documents, cache, jobs, async () => {
      await jobs.stop();
      await caches.onModuleDestroy();
      await redis.close();
    });
    jobs.process('tell', async () => started.held);
    await cache.open();
    return started;
  }

  async set(value: string): Promise<void> {
    await this.cache.retryOnConflict(() => this.cache.put([{ ...SETTING, body: value }]));
    this.held = value;
  }
}

describeOn('redis', ({ redis: url }) => {
  let data: BehaviourDatabase;
  let web: Process;
  let worker: Process;

  beforeEach(async () => {
    data = await behaviourDatabase();
    const place = { url, prefix: `test-${randomUUID()}` };
    [web, worker] = await Promise.all([Process.start(data, place), Process.start(data, place)]);
  });
  afterEach(async () => {
    await Promise.all([web.close(), worker.close()]);
    await data.close();
  });

  const jobOf = async (id: string) => (await web.jobs.find({ id }))[0];
  const isDone = (id: string) => async () => (await jobOf(id))?.state === 'completed';

  it('a job begins once its process has seen what it was asked under', async () => {
    worker.documents.late = true;
    await web.set('en');
    await worker.jobs.start();
    const id = await web.jobs.enqueue({ kind: 'tell', store: 's1', payload: null });
    expect(await comesToHold(async () => (await jobOf(id))?.state === 'active')).toBe(true);
    expect(worker.held).toBe('pt');
    worker.documents.late = false;
    expect(await comesToHold(isDone(id))).toBe(true);
    expect(await jobOf(id)).toMatchObject({ result: 'en', attempts: 1 });
  });

  it('a waiting job that is asked for again begins under what was seen then', async () => {
    const job = { kind: 'tell', store: 's1', payload: null, key: 'tell' };
    const id = await web.jobs.enqueue(job);
    await web.set('en');
    worker.documents.late = true;
    expect(await web.jobs.enqueue(job)).toBe(id);
    await worker.jobs.start();
    expect(await comesToHold(async () => (await jobOf(id))?.state === 'active')).toBe(true);
    worker.documents.late = false;
    expect(await comesToHold(isDone(id))).toBe(true);
    expect(await jobOf(id)).toMatchObject({ result: 'en' });
  });

  it('where that takes too long, the job fails, says why, and is tried again', async () => {
    worker.documents.late = true;
    await web.set('en');
    await worker.jobs.start();
    const id = await web.jobs.enqueue({ kind: 'tell', store: 's1', payload: null });
    const failedOnce = async () => (await jobOf(id))?.error !== undefined;
    expect(await comesToHold(failedOnce, 60_000)).toBe(true);
    expect((await jobOf(id))?.error).toContain('does not know yet what was changed elsewhere');
    worker.documents.late = false;
    expect(await comesToHold(isDone(id))).toBe(true);
    expect(await jobOf(id)).toMatchObject({ result: 'en' });
  }, 120_000);
});
