import type { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { EventRemoval } from '../../src/behaviour/events/adapters/elastic/event-removal';
import { KEYS } from '../../src/behaviour/events/adapters/elastic/key-index';
import { CLICK } from '../../src/behaviour/events/event-log';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { anEvent } from '../builders/an-event';
import { Dice } from '../support/dice';
import { openElasticLog } from '../support/elastic-log';
import { describeOn } from '../support/servers';

const MOST_ROUNDS = 200;
const LONGEST_DELAY_MS = 40;
const PATIENT_MS = 120_000;

describeOn('elasticsearch', ({ elasticsearch }) => {
  describe('clicks of a user who is erased', () => {
    let connection: ElasticConnection;
    let log: ElasticEventLog;
    let close: () => Promise<void>;

    beforeEach(async () => {
      ({ connection, log, close } = await openElasticLog(elasticsearch));
    });
    afterEach(async () => {
      jest.restoreAllMocks();
      await close();
    });

    const erase = (at: number) => log.erase({ store: 's1', userId: 'ana', devices: [], erasedUser: 'hash', at });

    async function keysLeft(): Promise<number> {
      const index = connection.index(KEYS);
      await connection.refresh(index);
      const found = await connection.search({ index, size: 0, query: { term: { kind: 'key' } } });
      return (found.hits.total as { value: number }).value;
    }

    test(
      'leave no document of their keys, also where the erasure came while they were written',
      async () => {
        const dice = new Dice(5);
        const takenBack = jest.spyOn(EventRemoval.prototype, 'takeBack');
        const isTakenBack = (): boolean => takenBack.mock.calls.some(([writes]) => writes.length > 0);
        for (let round = 0; round < MOST_ROUNDS && !isTakenBack(); round += 1) {
          const at = 1_000_000 + 10 * round;
          const click = anEvent({ name: CLICK, at, userHashes: ['hash'], idempotencyKeys: [`s:${round}`] });
          const written = log.append([click]);
          await new Promise((wait) => setTimeout(wait, dice.below(LONGEST_DELAY_MS)));
          await Promise.all([written, erase(at + 1)]);
        }
        expect(isTakenBack()).toBe(true);
        expect(await log.read({ store: 's1', limit: 10 })).toEqual([]);
        expect(await keysLeft()).toBe(0);
      },
      PATIENT_MS,
    );
  });
});
