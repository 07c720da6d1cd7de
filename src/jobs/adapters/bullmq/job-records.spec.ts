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
});
