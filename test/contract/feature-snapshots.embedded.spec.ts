import { EmbeddedEventLog } from '../../src/behaviour/events/adapters/embedded/embedded-event-log';
import type { NewEvent } from '../../src/behaviour/events/event-log';
import { EmbeddedSnapshots, saveSnapshots } from '../../src/behaviour/events/adapters/embedded/embedded-snapshots';
import { EmbeddedProfileStore } from '../../src/behaviour/profiles/adapters/embedded/embedded-profile-store';
import { withoutPrice } from '../../src/behaviour/events/adapters/stored-evidence';
import { shopperOf } from '../../src/behaviour/shoppers/shopper';
import { eventsTables, featureSnapshots, packedSnapshots } from '../../src/storage/sqlite/migrations/events';
import { openDatabase, Statements } from '../../src/storage/sqlite/sqlite';
import { anEvent, features } from '../builders/an-event';
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
  const others: Statements[] = [];
  return {
    log: new EmbeddedEventLog(database),
    profiles: new EmbeddedProfileStore(database, new TestClock()),
    // Over a connection of its own, which knows nothing of what the other has written.
    reopen: async () => {
      const reader = new Statements(openDatabase(database.path, { readonly: true }));
      others.push(reader);
      return new EmbeddedEventLog(Object.create(database, { reader: { value: reader } }) as typeof database);
    },
    snapshots: async (store) =>
      Number(database.reader.one('SELECT count(*) FROM event_snapshot WHERE store = ?', store)?.[0]),
    older: async (event, seq) => insert(database.path, event, seq),
    close: () => {
      for (const { db } of others) db.close();
      return data.close();
    },
  };
});

test('a snapshot that was just written is in memory for whoever reads the event', async () => {
  const data = await behaviourDatabase();
  try {
    const { reader } = data.database;
    const read = jest.spyOn(reader, 'all');
    const log = new EmbeddedEventLog(data.database);
    const product = { ...features('p1'), p: 90.5 };
    await log.append([anEvent({ evidence: { at: 1, kind: 'cart', items: [{ product, quantity: 2 }] } })]);
    const [event] = await log.read({ store: 's1', limit: 1 });
    expect(event?.evidence?.items).toEqual([{ product, quantity: 2 }]);
    expect(read.mock.calls.filter(([sql]) => sql.includes('event_snapshot'))).toEqual([]);
  } finally {
    await data.close();
  }
});

test('snapshots that an earlier version stored as text are read, beside those that are written packed', () => {
  const sql = new Statements(openDatabase(':memory:'));
  for (const script of [eventsTables, featureSnapshots]) sql.exec(script);
  const [older, newer] = [features('p1'), features('p2', 'Calçados')].map(withoutPrice);
  if (!older || !newer) throw new Error('No features');
  sql.run('INSERT INTO event_snapshot VALUES (?, ?, ?, ?)', 's1', 'older', 7, JSON.stringify(older));
  sql.exec(packedSnapshots);
  saveSnapshots(sql, [{ store: 's1', name: 'newer', touched: 9, features: JSON.stringify(newer) }]);
  const evidence = JSON.stringify({ at: 1, kind: 'cart', items: ['older', ['newer', 2]] });
  const [read] = EmbeddedSnapshots.of(sql).evidence([{ store: 's1', evidence }]);
  expect(read?.items).toEqual([{ product: older }, { product: newer, quantity: 2 }]);
  const stored = sql.all('SELECT name, touched, typeof(features) FROM event_snapshot ORDER BY name');
  expect(stored).toEqual([
    ['newer', 9, 'blob'],
    ['older', 7, 'text'],
  ]);
});
