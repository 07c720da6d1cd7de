import { InProcessRateLimiter } from '../../src/stores/access/adapters/embedded/in-process-rate-limiter';
import { describeRateLimiterContract } from './rate-limiter.contract';

describeRateLimiterContract('embedded', async () => ({
  windows: new InProcessRateLimiter(),
  close: async () => undefined,
}));

test('a flood of keys costs no memory: only the ones used last are kept', async () => {
  const windows = new InProcessRateLimiter(2);
  for (const key of ['a', 'b', 'c']) await windows.take(key, 1, 0);
  expect((await windows.take('c', 1, 0)).passed).toBe(false);
  expect((await windows.take('a', 1, 0)).passed).toBe(true);
});
