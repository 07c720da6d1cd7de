import { randomUUID } from 'node:crypto';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { type Document, type DocumentKey, Documents, type PutDocument } from '../../src/documents/documents';
import { BullmqJobQueue } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import { RedisConnection } from '../../src/storage/redis';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeOn } from '../support/servers';
import { describeJobQueueContract } from './job-queue.contract';

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

describeOn('redis', ({ redis: url }) => {
  describeJobQueueContract('bullmq', async () => {
    const data = await behaviourDatabase();
    const clock = new TestClock();
    const prefix = `test-${randomUUID()}`;
    const processes: { queue: BullmqJobQueue; documents: MortalDocuments; redis: RedisConnection }[] = [];
    const open = async () => {
      const documents = new MortalDocuments(new EmbeddedDocuments(data.database));
      const redis = await RedisConnection.open({ url, prefix });
      const queue = new BullmqJobQueue({ documents, redis, clock }, { lease: 3000, reconcile: 50, stop: 300 });
      processes.push({ queue, documents, redis });
      return queue;
    };
    return {
      jobs: await open(),
      advance: (ms) => clock.advance(ms),
      reopen: async () => {
        const [first] = processes;
        if (first) {
          first.documents.dead = true;
          await first.redis.close();
        }
        return open();
      },
      close: async () => {
        for (const { queue, redis } of processes) {
          await queue.stop();
          await redis.close();
        }
        await data.close();
      },
    };
  });
});
