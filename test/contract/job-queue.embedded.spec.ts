import { EmbeddedJobQueue } from '../../src/jobs/adapters/embedded/embedded-job-queue';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeJobQueueContract } from './job-queue.contract';

describeJobQueueContract('embedded', async () => {
  const data = await behaviourDatabase();
  const clock = new TestClock();
  const queues = [new EmbeddedJobQueue(data.database, clock)];
  return {
    jobs: queues[0]!,
    advance: (ms) => clock.advance(ms),
    reopen: async () => {
      const queue = new EmbeddedJobQueue(data.database, clock);
      queues.push(queue);
      return queue;
    },
    close: async () => {
      // What never ends is left to the closing of the database.
      await Promise.all(
        queues.map((queue) => Promise.race([queue.stop(), new Promise((done) => setTimeout(done, 50))])),
      );
      await data.close();
    },
  };
});
