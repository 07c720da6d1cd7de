import { EmbeddedDocuments } from '../../src/documents/adapters/embedded/embedded-documents';
import { EmbeddedJobQueue } from '../../src/jobs/adapters/embedded/embedded-job-queue';
import { JobSchedules } from '../../src/jobs/job-schedules';
import { within } from '../../src/shared/async/within';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeJobQueueClockContract } from './job-queue-clock.contract';
import { describeJobQueueTurnsContract } from './job-queue-turns.contract';
import { describeJobQueueEndsContract } from './job-queue-ends.contract';
import { describeJobQueueContract, type JobQueueSubject } from './job-queue.contract';

/** What a stop has to write is written, on however busy a machine. */
const STOP_WITHIN_MS = 5000;
/** A handler of the contract never ends. */
const CLOSED_WITHIN_MS = 50;

const subject = async (): Promise<JobQueueSubject> => {
  const data = await behaviourDatabase();
  const clock = new TestClock();
  const schedules = new JobSchedules(new EmbeddedDocuments(data.database));
  const open = (): EmbeddedJobQueue => new EmbeddedJobQueue(data.database, clock, schedules, STOP_WITHIN_MS);
  const queues = [open()];
  return {
    jobs: queues[0]!,
    schedules,
    advance: (ms) => clock.advance(ms),
    reopen: async () => {
      const queue = open();
      queues.push(queue);
      return queue;
    },
    close: async () => {
      const stopped = Promise.all(queues.map((queue) => queue.stop()));
      await within(CLOSED_WITHIN_MS, stopped).catch(() => undefined);
      await data.close();
    },
  };
};

describeJobQueueContract('embedded', subject);
describeJobQueueTurnsContract('embedded', subject);
describeJobQueueClockContract('embedded', subject);
describeJobQueueEndsContract('embedded', subject);
