import type { EventLog, NewEvent } from '../../src/behaviour/events/event-log';
import type { ProfileStore } from '../../src/behaviour/profiles/profile-store';
import { deviceKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { aggregateEvents } from '../../src/ranking/vectors/aggregate';
import { emptyVector } from '../../src/ranking/vectors/vector';
import { anEvent, evidence, features } from '../builders/an-event';

export interface SnapshotsSubject {
  log: EventLog;
  profiles: ProfileStore;
  /** The log over the same data, as after a restart. */
  reopen(): Promise<EventLog>;
  /** How many feature snapshots of a store are stored. */
  snapshots(store: string): Promise<number>;
  /** Stores an event as earlier versions did, with the features of its products in it. */
  older(event: NewEvent, seq: number): Promise<void>;
  close(): Promise<void>;
}

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 15);
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };

export function describeFeatureSnapshotsContract(name: string, makeSubject: () => Promise<SnapshotsSubject>): void {
  describe(`Feature snapshots: ${name}`, () => {
    let subject: SnapshotsSubject;
    let log: EventLog;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ log } = subject);
    });
    afterEach(() => subject.close());

    const cart = (at: number, ids: string[], changes: Partial<NewEvent> = {}): NewEvent =>
      anEvent({ at, evidence: evidence(at, 'cart', ...ids.map((id) => features(id))), ...changes });
    const productsOf = async (from: EventLog = log): Promise<string[][]> => {
      const events = await from.read({ store: 's1', limit: 1000 });
      return events.map(({ evidence: own }) => (own?.items ?? []).map(({ product }) => product.id));
    };
    const expire = async (before: number): Promise<void> => {
      const dirty = await subject.profiles.dirty({ before: 1e15, limit: 100 });
      const lacking = dirty.filter(({ store }) => store === 's1').map(({ shopper }) => shopper);
      await log.expire({ store: 's1', before, lacking });
    };
    const aggregate = (shopper = userKey('ana')) =>
      subject.profiles.aggregate({ store: 's1', shopper, until: 1e15, halfLife, fromScratch: false });

    test('features are stored once, however many events and items name them', async () => {
      await log.append([cart(NOW, ['a', 'b']), cart(NOW + 1, ['a', 'b', 'c'])]);
      await log.append([cart(NOW + 2, ['c', 'a'], { userId: 'bia' })]);
      expect(await subject.snapshots('s1')).toBe(3);
      expect(await productsOf()).toEqual([
        ['a', 'b'],
        ['a', 'b', 'c'],
        ['c', 'a'],
      ]);
    });

    test('an event has the features of its moment, and the quantities, also after a restart', async () => {
      const before = features('p1', 'antes');
      const after = features('p1', 'depois');
      const items = [{ product: before, quantity: 3 }, { product: features('p2') }];
      await log.append([anEvent({ evidence: { at: 1, kind: 'cart', items } })]);
      await log.append([anEvent({ evidence: evidence(2, 'product', after) })]);
      const events = await (await subject.reopen()).read({ store: 's1', limit: 10 });
      expect(events.map(({ evidence: own }) => own?.items)).toEqual([items, [{ product: after }]]);
    });

    test('another price makes no snapshot, and each event has its own', async () => {
      const at = (p: number) => ({ ...features('p1'), p });
      const none = features('p1');
      delete (none as { p?: number }).p;
      const sold = [at(100), at(90.5), none];
      for (const [number, product] of sold.entries()) {
        const evidenceOf = {
          at: number,
          kind: 'cart' as const,
          items: [{ product, quantity: 2 }, { product: features('p2') }],
        };
        await log.append([anEvent({ at: number, evidence: evidenceOf })]);
      }
      expect(await subject.snapshots('s1')).toBe(2);
      for (const from of [log, await subject.reopen()]) {
        const events = await from.read({ store: 's1', limit: 10 });
        const items = events.map(({ evidence: own }) => own?.items);
        expect(items).toEqual(sold.map((product) => [{ product, quantity: 2 }, { product: features('p2') }]));
      }
    });

    test('another process that has never seen a product reads an event that names it', async () => {
      await log.append([cart(NOW, ['a', 'b'])]);
      const other = await subject.reopen();
      await other.append([cart(NOW + 1, ['b', 'c'])]);
      expect(await productsOf(other)).toEqual([
        ['a', 'b'],
        ['b', 'c'],
      ]);
      expect(await subject.snapshots('s1')).toBe(3);
    });

    test('a snapshot goes with the last event that needs it, and never before', async () => {
      await log.append([cart(NOW, ['old', 'used'])]);
      await log.append([cart(NOW + 20 * DAY, ['used', 'new'])]);
      await aggregate();
      await expire(NOW + 10 * DAY);
      expect(await productsOf()).toEqual([['used', 'new']]);
      expect(await productsOf(await subject.reopen())).toEqual([['used', 'new']]);
      expect(await subject.snapshots('s1')).toBe(2);
      // One that is named again after it was removed is written again.
      await log.append([cart(NOW + 41 * DAY, ['old'])]);
      expect(await productsOf(await subject.reopen())).toEqual([['used', 'new'], ['old']]);
    });

    test('an event that is kept since a vector lacks it keeps its snapshots', async () => {
      await log.append([cart(NOW, ['old'])]);
      await expire(NOW + 100 * DAY);
      expect(await productsOf(await subject.reopen())).toEqual([['old']]);
    });

    test('an event of long ago that came lately keeps its snapshots as long as it stays', async () => {
      await log.append([cart(NOW, ['a'], { receivedAt: NOW + 300 * DAY })]);
      await expire(NOW - DAY);
      expect(await productsOf(await subject.reopen())).toEqual([['a']]);
    });

    test('an event that was claimed or completed long after it came keeps its snapshots', async () => {
      const onPhone = { userId: null, deviceId: 'phone' };
      await log.append([cart(NOW, ['a'], { ...onPhone, pendingProducts: ['late'] })]);
      await log.append([cart(NOW + 50 * DAY, ['b'], { deviceId: 'phone' })]);
      const whole = evidence(NOW, 'cart', features('a'), features('late'));
      await log.completePending('s1', ['late'], async () => ({ evidence: whole, stillPending: [] }));
      await expire(NOW - DAY);
      expect(await productsOf(await subject.reopen())).toEqual([['b'], ['a', 'late']]);
    });

    test('a store takes its snapshots with it, and leaves those of others', async () => {
      await log.append([cart(NOW, ['a']), cart(NOW, ['a'], { store: 's2' })]);
      await log.removeStore('s1');
      expect(await subject.snapshots('s1')).toBe(0);
      const [left] = await (await subject.reopen()).read({ store: 's2', limit: 1 });
      expect(left?.evidence?.items).toHaveLength(1);
    });

    test('events of earlier versions, with the features in them, are read, claimed and aggregated like any other', async () => {
      const onPhone = { userId: null, deviceId: 'phone' };
      await subject.older(cart(NOW, ['a', 'b'], onPhone), 1);
      expect(await productsOf()).toEqual([['a', 'b']]);
      const [claim] = await log.append([cart(NOW + 1, ['b', 'c'], { deviceId: 'phone' })]);
      expect(claim?.outcome).toBe('stored');
      const events = await log.read({ store: 's1', shopper: userKey('ana'), counted: true, limit: 10 });
      const all = events.flatMap(({ seq, evidence: own }) => (own ? [{ seq, ...own }] : []));
      await aggregate();
      await aggregate(deviceKey('phone'));
      const [profile] = await subject.profiles.read([{ store: 's1', shopper: userKey('ana') }]);
      const vector = aggregateEvents(profile?.vector ?? emptyVector(halfLife), profile?.recentEvents ?? []);
      expect(JSON.stringify(vector)).toBe(JSON.stringify(aggregateEvents(emptyVector(halfLife), all)));
      expect(vector.cells['product:c']).toBeDefined();
    });
  });
}
