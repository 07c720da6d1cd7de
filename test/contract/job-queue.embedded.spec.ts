import { EmbeddedJobQueue } from '../../src/jobs/adapters/embedded/embedded-job-queue';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeJobQueueContract } from './job-queue.contract';

/** A handler of the contract never ends. */
const STOP_WITHIN_MS = 50;

describeJobQueueContract('embedded', async () => {
  const data = await behaviourDatabase();
  const clock = new TestClock();
  const open = (): EmbeddedJobQueue => new EmbeddedJobQueue(data.database, clock, STOP_WITHIN_MS);
  const queues = [open()];
  return {
    jobs: queues[0]!,
    advance: (ms) => clock.advance(ms),
    reopen: async () => {
      const queue = open();
      queues.push(queue);
      return queue;
    },
    close: async () => {
      await Promise.all(queues.map((queue) => queue.stop()));
      await data.close();
    },
  };
});
