import { newRecord } from '../../job-states';
import type { JobRecords } from './job-records';
import { RunningJob } from './running-job';

const LEASE_MS = 200;

describe('a job that runs', () => {
  it('is told that its lease is over although its record can not be read', async () => {
    let now = 0;
    const clock = { now: () => now };
    const record = newRecord('j', { kind: 'long', store: 's1', payload: null }, clock.now());
    const records = {
      read: () => new Promise<null>(() => undefined),
      change: async () => null,
      leave: async () => undefined,
    } as unknown as JobRecords;
    const job = new RunningJob({ ...record, leaseUntil: clock.now() + LEASE_MS }, records, clock, LEASE_MS);
    const run = job.run(
      async ({ signal }) => {
        await new Promise((resolve) => setTimeout(resolve, LEASE_MS / 2));
        now += LEASE_MS + 1;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return 'told';
      },
      async () => undefined,
    );
    expect(await run).toBeNull();
  }, 3000);
});
