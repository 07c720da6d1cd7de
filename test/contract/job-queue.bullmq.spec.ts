import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import type { Documents } from '../../src/documents/documents';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { QueueProcesses } from '../support/bullmq';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { describeJobQueueClockContract } from './job-queue-clock.contract';
import { describeJobQueueTurnsContract } from './job-queue-turns.contract';
import { describeJobQueueEndsContract } from './job-queue-ends.contract';
import { describeJobQueueContract, type JobQueueSubject } from './job-queue.contract';

interface Storage {
  documents: Documents;
  close(): Promise<void>;
}

async function subjectOn(url: string, { documents, close }: Storage): Promise<JobQueueSubject> {
  const clock = new TestClock();
  const processes = new QueueProcesses(url, { clock, times: { lease: 1500, reconcile: 100, prune: 100, stop: 1500 } });
  const first = await processes.start(documents);
  return {
    jobs: first.jobs,
    schedules: first.schedules,
    advance: (ms) => clock.advance(ms),
    reopen: async () => {
      await first.die();
      return (await processes.start(documents)).jobs;
    },
    beside: async () => (await processes.start(documents)).jobs,
    close: async () => {
      await processes.close();
      await close();
    },
  };
}

describeOn('redis', ({ redis }) => {
  const name = 'bullmq with its records in the embedded database';
  const subject = async (): Promise<JobQueueSubject> => {
    const data = await behaviourDatabase();
    return subjectOn(redis, { documents: new EmbeddedDocuments(data.database), close: () => data.close() });
  };
  describeJobQueueContract(name, subject);
  describeJobQueueTurnsContract(name, subject);
  describeJobQueueClockContract(name, subject);
  describeJobQueueEndsContract(name, subject);
});

describeOn(['elasticsearch', 'redis'], ({ elasticsearch, redis }) => {
  const subject = async (): Promise<JobQueueSubject> => {
    const connection = await openElastic(elasticsearch);
    return subjectOn(redis, {
      documents: await ElasticDocuments.open(connection, new BulkBatcher(connection)),
      close: async () => {
        await dropIndices(connection);
        await connection.close();
      },
    });
  };
  describeJobQueueContract('bullmq', subject);
  describeJobQueueTurnsContract('bullmq', subject);
});
