import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { KeyIndex } from '../../src/behaviour/events/adapters/elastic/key-index';
import { ProcessNumber } from '../../src/behaviour/events/adapters/elastic/process-number';
import { Clock } from '../../src/shared/clock';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const HOUR = 3_600_000;

class MovedClock extends Clock {
  time = Date.UTC(2026, 0, 15, 12);

  override now(): number {
    return this.time;
  }
}

describeOn('elasticsearch', ({ elasticsearch }) => {
  test('what a process writes that starts after the clock has stepped back is newer than what was written before', async () => {
    const connection = await openElastic(elasticsearch);
    const clock = new MovedClock();
    try {
      // Makes the index of keys.
      await ElasticEventLog.open(connection, clock);
      const keys = new KeyIndex(connection, new BulkBatcher(connection), ReadBatcher.of(connection));
      const next = async (numbers: ProcessNumber): Promise<number> => (await numbers.sequence())();
      const before = await next(new ProcessNumber(keys, clock));
      clock.time -= HOUR;
      const started = new ProcessNumber(keys, clock);
      const after = await next(started);
      expect(after).toBeGreaterThan(before);
      expect(await next(started)).toBeGreaterThan(after);
      clock.time += 2 * HOUR;
      expect(await next(new ProcessNumber(keys, clock))).toBeGreaterThan(after);
    } finally {
      await dropIndices(connection);
      await connection.close();
    }
  });

  test('each process learns how many write, those that have gone for a while not among them', async () => {
    const connection = await openElastic(elasticsearch);
    const clock = new MovedClock();
    try {
      await ElasticEventLog.open(connection, clock);
      const keys = new KeyIndex(connection, new BulkBatcher(connection), ReadBatcher.of(connection));
      const seen: number[] = [];
      const start = () => new ProcessNumber(keys, clock, (processes) => seen.push(processes));
      const first = start();
      for (const one of [first, start(), start()]) await one.sequence();
      clock.time += HOUR;
      await first.sequence();
      expect(seen).toEqual([1, 2, 3, 1]);
    } finally {
      await dropIndices(connection);
      await connection.close();
    }
  });
});
