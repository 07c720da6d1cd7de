import { InProcessRateWindows } from '../../src/stores/adapters/embedded/in-process-rate-windows';
import { describeRateWindowsContract } from './rate-windows.contract';

describeRateWindowsContract('embedded', async () => ({
  windows: new InProcessRateWindows(),
  close: async () => undefined,
}));

test('a flood of keys costs no memory: the ones used last are held', async () => {
  const windows = new InProcessRateWindows(2);
  for (const key of ['a', 'b', 'c']) await windows.take(key, 1, 0);
  expect((await windows.take('c', 1, 0)).passed).toBe(false);
  expect((await windows.take('a', 1, 0)).passed).toBe(true);
});
