import { InProcessRateLimiter } from '../../src/stores/access/adapters/embedded/in-process-rate-limiter';
import { describeRateLimiterContract } from './rate-limiter.contract';

describeRateLimiterContract('embedded', async () => ({
  windows: new InProcessRateLimiter(),
  close: async () => undefined,
}));

test('after a clock has stepped back an hour, a limit that is used up is free again within a minute', async () => {
  const windows = new InProcessRateLimiter();
  const [now, hour] = [Date.UTC(2026, 0, 15, 12), 3_600_000];
  await windows.take('a', 1, now);
  expect((await windows.take('a', 1, now - hour)).passed).toBe(false);
  expect((await windows.take('a', 1, now - hour + 60_000)).passed).toBe(true);
});

test('a flood of keys costs no memory: only the ones used last are kept', async () => {
  const windows = new InProcessRateLimiter(2);
  for (const key of ['a', 'b', 'c']) await windows.take(key, 1, 0);
  expect((await windows.take('c', 1, 0)).passed).toBe(false);
  expect((await windows.take('a', 1, 0)).passed).toBe(true);
});
