import { InProcessDeduplicator } from '../../src/behaviour/events/adapters/embedded/in-process-deduplicator';
import { describeDeduplicatorContract } from './deduplicator.contract';

describeDeduplicatorContract('embedded', async () => ({
  deduplicator: new InProcessDeduplicator(),
  close: async () => undefined,
}));

test('after a clock has stepped back an hour, what came an hour ago is no repeat', async () => {
  let [elapsed, worked] = [1, 0];
  const deduplicator = new InProcessDeduplicator(() => elapsed);
  const once = (): Promise<void> =>
    deduplicator.once('ana', 'view', { now: Date.UTC(2026, 0, 15), work: async () => void (worked += 1) });
  await once();
  elapsed += 5000;
  await once();
  expect(worked).toBe(1);
  elapsed += 3_600_000;
  await once();
  expect(worked).toBe(2);
});
