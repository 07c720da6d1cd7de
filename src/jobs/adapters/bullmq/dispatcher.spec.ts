import type { RedisConnection } from '../../../storage/redis/redis-connection';
import { RedisWrites } from '../../../storage/redis/redis-writes';
import { Dispatcher } from './dispatcher';

/** As it is where Redis is down: it never closes. */
class StuckWorker {
  on(): void {}
  close(): Promise<void> {
    return new Promise(() => undefined);
  }
}
jest.mock('bullmq', () => ({ Worker: StuckWorker }));

describe('the dispatcher of jobs', () => {
  it('does not wait for jobs where none runs, although BullMQ never closes', async () => {
    const waiting = () => ({ disconnect: () => undefined });
    const redis = { waiting, key: (name: string) => name, writes: new RedisWrites() };
    const dispatcher = new Dispatcher(redis as unknown as RedisConnection, 1000);
    dispatcher.work('count', 1, { take: async () => null, done: () => undefined });
    const start = performance.now();
    await dispatcher.close(10_000);
    expect(performance.now() - start).toBeLessThan(5000);
  }, 15_000);
});
