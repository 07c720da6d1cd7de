import { InProcessClickWindows } from '../../src/showcase/links/adapters/embedded/in-process-click-windows';
import { describeClickWindowsContract } from './click-windows.contract';

describeClickWindowsContract('embedded', async () => ({
  windows: new InProcessClickWindows(),
  close: async () => undefined,
}));

test('a clock that steps back an hour brings the same minutes again, but not what was counted in them', async () => {
  const [hour, now] = [3_600_000, Date.UTC(2026, 0, 15, 12, 30)];
  let elapsed = 1;
  const windows = new InProcessClickWindows(1000, () => elapsed);
  const limits = { perMinute: 1, usersPerHour: 1, share: 1, floor: 1000, rated: 1000 };
  const click = (at: number, shopper: string): Promise<{ admitted: boolean }> => {
    const counted = { store: 's', address: 'a', shopper, campaign: 'c', product: 'p', now: at };
    return windows.admit(counted, limits);
  };
  expect((await click(now - hour, 'u:ana')).admitted).toBe(true);
  expect((await click(now - hour, 'u:ana')).admitted).toBe(false);
  elapsed += hour + 1;
  // An hour later the clock steps back by one.
  expect((await click(now - hour, 'u:bia')).admitted).toBe(true);
  expect((await click(now - hour, 'u:bia')).admitted).toBe(false);
});
