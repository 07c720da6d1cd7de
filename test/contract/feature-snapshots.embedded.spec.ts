import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import type { NewEvent } from '../../src/behaviour/events/event-log';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import { shopperOf } from '../../src/behaviour/shoppers/shopper';
import { openDatabase, Statements } from '../../src/storage/sqlite/sqlite';
import { behaviourDatabase, TestClock } from '../support/behaviour-database';
import { describeFeatureSnapshotsContract } from './feature-snapshots.contract';

/** As version 1 of the table had it. */
function insert(path: string, event: NewEvent, seq: number): void {
  const sql = new Statements(openDatabase(path));
  const columns = 'seq, store, shopper, counted, name, at, received, verdict, user, device, evidence, body';
  const { store, name, at, receivedAt, verdict, userId, deviceId, evidence, body } = event;
  const values = [seq, store, shopperOf(event), 1, name, at, receivedAt, verdict, userId, deviceId];
  const texts = [JSON.stringify(evidence), JSON.stringify(body)];
  sql.run(`INSERT INTO event (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values, ...texts);
  sql.db.close();
}

describeFeatureSnapshotsContract('embedded', async () => {
  const data = await behaviourDatabase();
  const { database } = data;
  return {
    log: new EmbeddedEventLog(database),
    profiles: new EmbeddedProfileStore(database, new TestClock()),
    // A log of its own over the same connections, which knows nothing of what the other has written.
    reopen: async () => new EmbeddedEventLog(database),
    snapshots: async (store) =>
      Number(database.reader.one('SELECT count(*) FROM event_snapshot WHERE store = ?', store)?.[0]),
    older: async (event, seq) => insert(database.path, event, seq),
    close: () => data.close(),
  };
});
