import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/shared/clock';
import { type Document, type DocumentKey, Documents, type PutDocument } from '../../src/documents/documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { BullmqJobQueue, type BullmqTimes } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import { JobSchedules } from '../../src/jobs/job-schedules';
import { RedisConnection } from '../../src/storage/redis/redis-connection';

/** Documents as a process sees them that may die: dead, it reads and writes no more. */
class MortalDocuments extends Documents {
  override readonly shared = true;
  dead = false;

  constructor(private readonly documents: Documents) {
    super();
  }

  override get<T>(key: DocumentKey): Promise<Document<T> | null> {
    return this.alive().get(key);
  }
  override list<T>(query: { kind: string; store?: string }): Promise<Document<T>[]> {
    return this.alive().list(query);
  }
  override put(documents: PutDocument[]): Promise<number[]> {
    return this.alive().put(documents);
  }
  override remove(key: DocumentKey): Promise<boolean> {
    return this.alive().remove(key);
  }
  override removeStore(store: string): Promise<number> {
    return this.alive().removeStore(store);
  }
  override increment(counter: DocumentKey, by: number): Promise<number> {
    return this.alive().increment(counter, by);
  }

  private alive(): Documents {
    if (this.dead) throw new Error('This process is dead');
    return this.documents;
  }
}

export interface QueueProcess {
  jobs: BullmqJobQueue;
  schedules: JobSchedules;
  redis: RedisConnection;
  /** As if it were killed: from now on it does nothing any more that others could see. */
  die(): Promise<void>;
  close(): Promise<void>;
}

/** Processes with job queues over the same documents and the same Redis. */
export class QueueProcesses {
  private readonly prefix = `test-${randomUUID()}`;
  private readonly open: QueueProcess[] = [];

  constructor(
    private readonly url: string,
    private readonly parts: { clock: Clock; times: Partial<BullmqTimes> },
  ) {}

  async start(shared: Documents): Promise<QueueProcess> {
    const documents = new MortalDocuments(shared);
    const redis = await RedisConnection.open({ url: this.url, prefix: this.prefix });
    const handingOut = redis.waiting();
    redis.waiting = () => handingOut;
    const caches = new CacheInvalidation(documents, new NoPeers());
    const schedules = new JobSchedules(documents);
    const jobs = new BullmqJobQueue({ documents, caches, redis, schedules }, this.parts.clock, this.parts.times);
    const process = {
      jobs,
      schedules,
      redis,
      die: async () => {
        documents.dead = true;
        // Or BullMQ would go on to say that its jobs are worked on.
        handingOut.disconnect();
        await redis.close();
      },
      close: async () => {
        await jobs.stop();
        await redis.close();
      },
    };
    this.open.push(process);
    return process;
  }

  async close(): Promise<void> {
    for (const process of this.open) await process.close();
  }
}
