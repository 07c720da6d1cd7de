import { behaviourDatabase, type BehaviourDatabase } from '../../../../test/support/behaviour-database';
import { SharedDocuments } from '../../../../test/support/shared-documents';
import { JobRecords } from './job-records';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 4, 1);

describe('a period', () => {
  let data: BehaviourDatabase;
  beforeEach(async () => {
    data = await behaviourDatabase();
  });
  afterEach(() => data.close());

  it('is looked for where it may have begun, by whoever began the last one and by others', async () => {
    const documents = new SharedDocuments(data.database);
    const [own, other] = [new JobRecords(documents), new JobRecords(documents)];
    const due = (records: JobRecords, now: number): boolean => records.mayBeDue('hourly', HOUR, now);
    expect(due(own, NOW)).toBe(true);
    expect(await own.addPeriodic('hourly', HOUR, NOW)).not.toBeNull();
    for (const records of [own, other]) {
      expect(await records.addPeriodic('hourly', HOUR, NOW + 1)).toBeNull();
      expect(due(records, NOW + HOUR - 1)).toBe(false);
      expect(due(records, NOW + HOUR)).toBe(true);
      // The clock was set back.
      expect(due(records, NOW - HOUR)).toBe(true);
      expect(records.mayBeDue('other', HOUR, NOW)).toBe(true);
    }
  });

  it('that is as long as the time between two ticks begins with each, also with one that is a little early', async () => {
    const records = new JobRecords(new SharedDocuments(data.database));
    const minute = 60_000;
    let now = NOW;
    for (const late of [0, -12, 9, -30, 4]) {
      expect(records.mayBeDue('each minute', minute, now + late)).toBe(true);
      const record = await records.addPeriodic('each minute', minute, now + late);
      expect(record).not.toBeNull();
      const done = { type: 'take' as const, owner: 'me', now: now + late, leaseUntil: now + minute };
      await records.change(record?.job.id ?? '', done);
      await records.change(record?.job.id ?? '', { type: 'complete', owner: 'me', now: now + late, result: null });
      expect(await records.addPeriodic('each minute', minute, now + minute / 2)).toBeNull();
      now += minute;
    }
  });
});
