import type { EventLog, StoredEvent } from '../../src/behaviour/events/event-log';
import type { ProfileStore } from '../../src/behaviour/profiles/profile-store';
import { deviceKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { anEvent, evidence, features } from '../builders/an-event';

export interface EventLogSubject {
  log: EventLog;
  /** Over the same data. */
  profiles: ProfileStore;
  /** The log over the same data, as after a restart. */
  reopen(): Promise<EventLog>;
  close(): Promise<void>;
}

const DAY = 86_400_000;
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };

export function describeEventLogContract(name: string, makeSubject: () => Promise<EventLogSubject>): void {
  describe(`EventLog: ${name}`, () => {
    let subject: EventLogSubject;
    let log: EventLog;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ log } = subject);
    });
    afterEach(() => subject.close());

    const all = (store = 's1'): Promise<StoredEvent[]> => log.read({ store, limit: 1000 });
    const of = (shopper: ReturnType<typeof userKey> | ReturnType<typeof deviceKey>): Promise<StoredEvent[]> =>
      log.read({ store: 's1', shopper, limit: 1000 });

    const expire = async (before: number): Promise<number> => {
      const dirty = await subject.profiles.dirty({ before: 1e15, limit: 100 });
      return log.expire({ store: 's1', before, lacking: dirty.map(({ shopper }) => shopper) });
    };

    describe('append and read', () => {
      test('gives back what was appended, in order, also after a restart', async () => {
        const body = { pid: 'p1', custom: { deep: ['ü', 1.5, null] } };
        await log.append([
          anEvent({ body }),
          anEvent({ name: 'home', verdict: 'no_evidence', evidence: null, body: {} }),
        ]);
        const events = await (await subject.reopen()).read({ store: 's1', limit: 10 });
        expect(events).toHaveLength(2);
        const { idempotencyKeys: _keys, userHashes: _hashes, clientTime: _time, ...sent } = anEvent({ body });
        expect(events[0]).toEqual({ ...sent, seq: events[0]?.seq, shopper: 'u:ana' });
        expect(events[1]).toMatchObject({ name: 'home', verdict: 'no_evidence', evidence: null });
        expect(events[1]!.seq).toBeGreaterThan(events[0]!.seq);
      });

      test('keeps who sent an event', async () => {
        await log.append([anEvent({ keyed: true }), anEvent({ addressHash: 'a1' })]);
        const events = await log.read({ store: 's1', limit: 10 });
        expect(events.map(({ keyed, addressHash }) => ({ keyed, addressHash }))).toEqual([
          { keyed: true, addressHash: null },
          { keyed: false, addressHash: 'a1' },
        ]);
      });

      test('reads on from a sequence number, a page at a time', async () => {
        await log.append(['a', 'b', 'c'].map((pid) => anEvent({ body: { pid } })));
        const first = await log.read({ store: 's1', limit: 2 });
        expect(first.map(({ body }) => body['pid'])).toEqual(['a', 'b']);
        const rest = await log.read({ store: 's1', after: first[1]!.seq, limit: 2 });
        expect(rest.map(({ body }) => body['pid'])).toEqual(['c']);
      });

      test('keeps stores, users and devices of the same id apart', async () => {
        await log.append([
          anEvent({ userId: 'x' }),
          anEvent({ userId: null, deviceId: 'x' }),
          anEvent({ store: 's2', userId: 'x' }),
          anEvent({ userId: null, verdict: 'anonymous', evidence: null }),
        ]);
        expect(await of(userKey('x'))).toHaveLength(1);
        expect(await of(deviceKey('x'))).toHaveLength(1);
        expect(await all('s2')).toHaveLength(1);
        expect((await all()).map(({ shopper }) => shopper)).toEqual(['u:x', 'd:x', null]);
      });

      test('leaves out what does not count where that is asked', async () => {
        await log.append([anEvent(), anEvent({ verdict: 'bot', evidence: null })]);
        expect(await log.read({ store: 's1', counted: true, limit: 10 })).toHaveLength(1);
      });
    });

    describe('once only', () => {
      test('writes an event once for ever, under any of its keys', async () => {
        const [first, again] = await log.append([
          anEvent({ idempotencyKeys: ['e:1'] }),
          anEvent({ idempotencyKeys: ['e:1'] }),
        ]);
        expect(first).toMatchObject({ outcome: 'stored', claimed: 0 });
        expect(again).toEqual({ outcome: 'duplicate' });
        expect(await log.append([anEvent({ idempotencyKeys: ['e:2', 'e:1'] })])).toEqual([{ outcome: 'duplicate' }]);
        // A refused event takes none of its keys.
        expect(await log.append([anEvent({ idempotencyKeys: ['e:2'] })])).toMatchObject([{ outcome: 'stored' }]);
        const elsewhere = anEvent({ store: 's2', idempotencyKeys: ['e:1'] });
        expect(await log.append([elsewhere])).toMatchObject([{ outcome: 'stored' }]);
        expect(await all()).toHaveLength(2);
      });

      test('takes one of many that arrive at once', async () => {
        const results = await Promise.all(
          Array.from({ length: 20 }, () => log.append([anEvent({ idempotencyKeys: ['t:1'] })])),
        );
        expect(results.filter(([result]) => result?.outcome === 'stored')).toHaveLength(1);
        expect(await all()).toHaveLength(1);
      });
    });

    describe('devices', () => {
      const viewed = (pid: string, changes: Parameters<typeof anEvent>[0] = {}) =>
        anEvent({ body: { pid }, userId: null, deviceId: 'phone', ...changes });

      test('moves what a device did to the user who shows up on it, in order', async () => {
        await log.append([viewed('a'), viewed('b')]);
        const [result] = await log.append([viewed('c', { userId: 'ana' })]);
        expect(result).toMatchObject({ outcome: 'stored', claimed: 2 });
        expect((await of(userKey('ana'))).map(({ body }) => body['pid'])).toEqual(['a', 'b', 'c']);
        expect(await of(deviceKey('phone'))).toEqual([]);
      });

      test('gives the next user of a device only what no user has claimed', async () => {
        await log.append([viewed('a'), viewed('b', { userId: 'ana' }), viewed('c'), viewed('d', { userId: 'bia' })]);
        expect((await of(userKey('ana'))).map(({ body }) => body['pid'])).toEqual(['a', 'b']);
        expect((await of(userKey('bia'))).map(({ body }) => body['pid'])).toEqual(['c', 'd']);
      });

      test('leaves the device its events where a bot names the user, or the event is a repeat', async () => {
        await log.append([viewed('a', { idempotencyKeys: ['e:1'] })]);
        await log.append([viewed('b', { userId: 'ana', verdict: 'bot', evidence: null })]);
        await log.append([viewed('a', { userId: 'ana', idempotencyKeys: ['e:1'] })]);
        expect((await of(deviceKey('phone'))).map(({ body }) => body['pid'])).toEqual(['a']);
      });

      test('leaves the device without a vector, and gives the user the whole of it', async () => {
        await log.append([viewed('a', { evidence: evidence(1, 'product', features('a')) })]);
        const phone = { store: 's1', shopper: deviceKey('phone') };
        await subject.profiles.aggregate({ ...phone, until: 2e6, halfLife, fromScratch: false });
        await log.append([viewed('b', { userId: 'ana', evidence: evidence(2, 'product', features('b')) })]);
        const [device, user] = await subject.profiles.read([phone, { store: 's1', shopper: userKey('ana') }]);
        expect(device).toBeNull();
        expect(user?.recentEvents.map(({ items }) => items[0]?.product.id)).toEqual(['a', 'b']);
      });
    });

    describe('products that come later', () => {
      const empty = evidence(5, 'transaction');
      const waiting = (...pendingProducts: string[]) => anEvent({ evidence: empty, pendingProducts });
      const arrived = (...ids: string[]) => ({
        evidence: evidence(5, 'transaction', ...ids.map((id) => features(id))),
        stillPending: [] as string[],
      });

      test('completes the events that wait for a product, and only those', async () => {
        await log.append([waiting('p1'), waiting('p2')]);
        const last = (await all()).at(-1)!.seq;
        const seen: string[][] = [];
        const count = await log.completePending('s1', ['p1', 'p9'], async (event) => {
          seen.push(event.pendingProducts);
          return arrived('p1');
        });
        expect(count).toBe(1);
        expect(seen).toEqual([['p1']]);
        const events = await all();
        const completed = events.find(({ evidence: own }) => own?.items.length === 1);
        expect(completed).toMatchObject({ pendingProducts: [], verdict: 'counted' });
        expect(completed!.seq).toBeGreaterThan(last);
        expect(await log.completePending('s1', ['p1'], async () => arrived('p1'))).toBe(0);
        expect(events).toHaveLength(2);
      });

      test('goes on waiting for what is still missing', async () => {
        await log.append([waiting('p1', 'p2')]);
        await log.completePending('s1', ['p1'], async () => ({ ...arrived('p1'), stillPending: ['p2'] }));
        expect((await all())[0]?.pendingProducts).toEqual(['p2']);
        expect(await log.completePending('s1', ['p2'], async () => arrived('p1', 'p2'))).toBe(1);
        expect((await all())[0]).toMatchObject({ pendingProducts: [] });
        expect((await all())[0]?.evidence?.items).toHaveLength(2);
      });

      test('leaves an event alone that a late look finds as it was', async () => {
        await log.append([waiting('p1')]);
        expect(await log.completePending('s1', ['p1'], async () => ({ evidence: empty, stillPending: ['p1'] }))).toBe(
          0,
        );
        expect(await log.completePending('s1', ['p1'], async () => arrived('p1'))).toBe(1);
      });

      test('still finds an event that was claimed while it waited', async () => {
        await log.append([anEvent({ userId: null, deviceId: 'phone', evidence: empty, pendingProducts: ['p1'] })]);
        await log.append([anEvent({ deviceId: 'phone' })]);
        expect(await log.completePending('s1', ['p1'], async () => arrived('p1'))).toBe(1);
        expect((await of(userKey('ana'))).map(({ evidence: own }) => own?.kind)).toEqual(['product', 'transaction']);
      });

      test('counts an event once that a job aggregated while part of it was missing', async () => {
        const known = evidence(5, 'transaction', features('p1'));
        await log.append([anEvent({ evidence: known, pendingProducts: ['p2'] })]);
        const request = { store: 's1', shopper: userKey('ana') };
        await subject.profiles.aggregate({ ...request, until: 2e6, halfLife, fromScratch: false });
        await log.completePending('s1', ['p2'], async () => arrived('p1', 'p2'));
        await subject.profiles.aggregate({ ...request, until: 2e6, halfLife, fromScratch: false });
        const [profile] = await subject.profiles.read([request]);
        expect(profile?.vector?.cells['product:p1']?.[3]).toBe(1);
        expect(profile?.vector?.cells['product:p2']?.[3]).toBe(1);
      });
    });

    test('names the devices a user was seen on', async () => {
      await log.append([anEvent({ deviceId: 'phone', at: 10 }), anEvent({ deviceId: 'phone', at: 30 })]);
      const query = { store: 's1', userId: 'ana', userHashes: [], now: 100 };
      expect((await log.traces({ ...query, devices: true })).devices).toEqual([
        { deviceId: 'phone', first: 10, last: 30 },
      ]);
      expect((await log.traces({ ...query, devices: false })).devices).toEqual([]);
    });

    test('expires old events, unless a vector still lacks them', async () => {
      await log.append([
        anEvent({ at: 10 }),
        anEvent({ at: 20, verdict: 'bot', evidence: null }),
        anEvent({ at: 3000 }),
      ]);
      expect(await expire(1000)).toBe(1);
      const shopper = userKey('ana');
      await subject.profiles.aggregate({ store: 's1', shopper, until: 5000, halfLife, fromScratch: false });
      expect(await expire(1000)).toBe(1);
      expect((await all()).map(({ at }) => at)).toEqual([3000]);
    });

    test('a repeat of what has expired is still one', async () => {
      const old = anEvent({ at: 10, clientTime: 10, idempotencyKeys: ['c:1'] });
      const times = { at: 20, clientTime: 20 };
      const other = anEvent({ ...times, idempotencyKeys: ['e:2', 't:2'], verdict: 'bot', evidence: null });
      await log.append([old, other]);
      const shopper = userKey('ana');
      await subject.profiles.aggregate({ store: 's1', shopper, until: 5000, halfLife, fromScratch: false });
      expect(await expire(1000)).toBe(2);
      expect(await log.append([old])).toEqual([{ outcome: 'duplicate' }]);
      expect(await log.append([other])).toEqual([{ outcome: 'duplicate' }]);
      expect(await all()).toEqual([]);
    });

    test('removes a store and leaves the others', async () => {
      await log.append([anEvent({ idempotencyKeys: ['e:1'] }), anEvent(), anEvent({ store: 's2' })]);
      expect(await log.removeStore('s1')).toBe(2);
      expect(await all()).toEqual([]);
      expect(await all('s2')).toHaveLength(1);
      expect(await log.append([anEvent({ idempotencyKeys: ['e:1'] })])).toMatchObject([{ outcome: 'stored' }]);
    });
  });
}
