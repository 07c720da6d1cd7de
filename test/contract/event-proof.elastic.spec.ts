import { documentOf, locationOf } from '../../src/behaviour/events/adapters/elastic/event-document';
import { EventIndex } from '../../src/behaviour/events/adapters/elastic/event-index';
import { KeyIndex } from '../../src/behaviour/events/adapters/elastic/key-index';
import type { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { namespacedKeys } from '../../src/behaviour/events/event-log';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { anEvent } from '../builders/an-event';
import { openElasticLog } from '../support/elastic-log';
import { describeOn } from '../support/servers';

describeOn('elasticsearch', ({ elasticsearch }) => {
  describe('a process that died before it looked for the other', () => {
    let connection: ElasticConnection;
    let log: ElasticEventLog;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ connection, log, close } = await openElasticLog(elasticsearch));
    });
    afterEach(() => close());

    const proven = anEvent({ keyed: true, idempotencyKeys: ['t:1'] });
    const claimed = anEvent({ userId: 'eve', idempotencyKeys: ['t:1'] });

    /** What came with keys is there, and a claim that counts beside it. */
    async function leaveBoth(): Promise<void> {
      await log.append([proven]);
      const bulk = new BulkBatcher(connection);
      const events = new EventIndex(connection, bulk);
      const keys = new KeyIndex(connection, bulk, ReadBatcher.of(connection));
      const left = { ...claimed, idempotencyKeys: namespacedKeys(claimed) };
      const [name = ''] = left.idempotencyKeys;
      const location = locationOf(left, 7);
      await events.write([events.create(location, documentOf(left, 7))]);
      await keys.write([keys.put({ kind: 'key', store: 's1', name }, { event: location, at: left.at })]);
    }

    test.each([
      ['with keys', proven],
      ['without', claimed],
    ])('is made up for by a repeat that comes %s', async (_how, repeat) => {
      await leaveBoth();
      const verdicts = async (): Promise<string[]> =>
        (await log.read({ store: 's1', limit: 10 })).map(({ userId, verdict }) => `${userId} ${verdict}`).toSorted();
      expect(await verdicts()).toEqual(['ana counted', 'eve counted']);
      expect(await log.append([repeat])).toMatchObject([{ outcome: 'duplicate' }]);
      expect(await verdicts()).toEqual(['ana counted', 'eve superseded']);
    });
  });
});
