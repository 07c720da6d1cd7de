import type { EventLog, NewEvent } from '../../src/behaviour/events/event-log';
import { aggregateEvents } from '../../src/ranking/vectors/aggregate';
import type { Profile, ProfileRequest, ProfileStore } from '../../src/behaviour/profiles/profile-store';
import { type BehaviourVector, emptyVector } from '../../src/ranking/vectors/vector';
import { userKey } from '../../src/behaviour/shoppers/shopper';
import { anEvent, evidence, features } from '../builders/an-event';
import { isCollected } from '../support/is-collected';

export interface ProfileStoreSubject {
  profiles: ProfileStore;
  /** The log the profiles are aggregated from. */
  log: EventLog;
  close(): Promise<void>;
}

const DAY = 86_400_000;
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };
const KINDS = ['product', 'cart', 'transaction', 'click'] as const;

export function describeProfileStoreContract(name: string, makeSubject: () => Promise<ProfileStoreSubject>): void {
  describe(`ProfileStore: ${name}`, () => {
    let subject: ProfileStoreSubject;
    let profiles: ProfileStore;
    const ana: ProfileRequest = { store: 's1', shopper: userKey('ana') };

    beforeEach(async () => {
      subject = await makeSubject();
      ({ profiles } = subject);
    });
    afterEach(() => subject.close());

    /** Events of every kind, hours apart, some out of order. */
    const history = (count: number, userId = 'ana'): NewEvent[] =>
      Array.from({ length: count }, (_, index) => {
        const at = 1e12 + ((index * 7) % count) * 3_600_000;
        const kind = KINDS[index % KINDS.length]!;
        const own = evidence(at, kind, features(`p${index % 9}`, `brand${index % 4}`));
        return anEvent({ userId, at, receivedAt: 1e12 + index * 1000, evidence: own });
      });
    const read = async (request = ana): Promise<Profile | null> => (await profiles.read([request]))[0] ?? null;
    /** What a search sees, as text: equal only if every bit is. */
    const seen = async (request = ana): Promise<string> => {
      const profile = await read(request);
      return JSON.stringify(aggregateEvents(profile?.vector ?? emptyVector(halfLife), profile?.recentEvents ?? []));
    };
    const aggregate = (until: number, fromScratch = false, request = ana) =>
      profiles.aggregate({ ...request, until, halfLife, fromScratch });

    test('knows nothing of a stranger', async () => {
      expect(await profiles.read([ana, { store: 's2', shopper: userKey('ana') }])).toEqual([null, null]);
    });

    test('of vectors that were looked at only the last of each shopper stays in memory, and none of who was removed', async () => {
      const looked = async (): Promise<WeakRef<BehaviourVector>> =>
        new WeakRef((await read())?.vector ?? emptyVector(halfLife));
      await subject.log.append(history(6));
      await aggregate(1e12 + 3000);
      const first = await looked();
      await aggregate(1e12 + 6000);
      const last = await looked();
      expect(await isCollected(first)).toBe(true);
      expect(last.deref()?.halfLife).toEqual(halfLife);
      await profiles.remove(ana);
      expect(await isCollected(last)).toBe(true);
    });

    test('shows an event as soon as its append has resolved', async () => {
      await subject.log.append([anEvent()]);
      expect(await read()).toMatchObject({ vector: null, watermark: 0, updatedAt: null });
      expect((await read())?.recentEvents).toMatchObject([{ at: 1_000_000, kind: 'product' }]);
    });

    test('reads several shoppers in the order asked, and keeps stores apart', async () => {
      await subject.log.append([anEvent({ userId: 'bia' }), anEvent({ store: 's2' })]);
      const found = await profiles.read([
        ana,
        { store: 's1', shopper: userKey('bia') },
        { store: 's2', shopper: ana.shopper },
      ]);
      expect(found.map((profile) => profile?.recentEvents.length ?? null)).toEqual([null, 1, 1]);
    });

    test('leaves what does not count out of the recent events', async () => {
      await subject.log.append([
        anEvent({ verdict: 'bot', evidence: null }),
        anEvent({ verdict: 'no_evidence', evidence: null }),
      ]);
      expect(await read()).toBeNull();
    });

    test('aggregates the events received before a time, and keeps the rest as recent events', async () => {
      await subject.log.append(history(10));
      expect(await aggregate(1e12 + 6000)).toBe(6);
      const profile = await read();
      expect(profile?.recentEvents).toHaveLength(4);
      expect(profile?.recentEvents[0]?.seq).toBeGreaterThan(profile!.watermark);
      expect(profile?.updatedAt).not.toBeNull();
      expect(await aggregate(1e12 + 6000)).toBe(0);
    });

    test('never moves what is read, bit for bit, however the log is aggregated', async () => {
      await subject.log.append(history(40));
      const before = await seen();
      for (const until of [5000, 6000, 23_000, 40_000]) {
        await aggregate(1e12 + until);
        expect(await seen()).toBe(before);
      }
      expect((await read())?.recentEvents).toEqual([]);
    });

    test('names a shopper with many recent events before the time, and aggregating some early moves nothing', async () => {
      const carts = Array.from({ length: 40 }, (_, index) => {
        const at = 1e12 + index * 60_000;
        const items = Array.from({ length: 50 }, (_item, item) =>
          features(`p${(index * 7 + item) % 90}`, `b${item % 5}`),
        );
        return anEvent({ at, receivedAt: 1e12 + index * 1000, evidence: evidence(at, 'cart', ...items) });
      });
      await subject.log.append([anEvent({ userId: 'bia', receivedAt: 1e12 })]);
      await subject.log.append(carts);
      const before = await seen();
      const early = { before: 1e12, limit: 10 };
      expect(await profiles.dirty(early)).toEqual([ana]);
      for (const until of [7000, 8000, 39_000]) {
        expect(await aggregate(1e12 + until)).toBeGreaterThan(0);
        expect(await seen()).toBe(before);
      }
      expect(await profiles.dirty(early)).toEqual([]);
      expect((await read())?.recentEvents).toHaveLength(1);
    });

    test('gives back the same however often it is read, and what was added since', async () => {
      await subject.log.append(history(20));
      expect(await seen()).toBe(await seen());
      await subject.log.append(history(25).slice(20));
      const whole = await seen();
      await aggregate(1e12 + 12_000);
      expect(await seen()).toBe(whole);
      expect((await read())?.recentEvents).toHaveLength(13);
    });

    test('gives the same vector from scratch, bit for bit', async () => {
      await subject.log.append(history(40));
      await aggregate(1e12 + 17_000);
      await aggregate(1e12 + 30_000);
      const before = await seen();
      expect(await aggregate(1e12 + 30_000, true)).toBe(30);
      expect(await seen()).toBe(before);
      expect((await read())?.recentEvents).toHaveLength(10);
    });

    test('gives the same vector from scratch where there are too many events for one step', async () => {
      await subject.log.append(history(1300));
      const before = await seen();
      await aggregate(1e12 + 9e6);
      expect(await seen()).toBe(before);
      expect(await aggregate(1e12 + 9e6, true)).toBe(1300);
      expect(await seen()).toBe(before);
    });

    test('never lets a rebuild fall behind the vector that serves', async () => {
      await subject.log.append(history(10));
      await aggregate(1e12 + 10_000);
      const { watermark } = (await read())!;
      await aggregate(1e12, true);
      expect(await read()).toMatchObject({ watermark, recentEvents: [] });
    });

    test('aggregates anew with other half-lives only from scratch', async () => {
      await subject.log.append(history(10));
      await aggregate(1e12 + 5000);
      const other = { ...halfLife, view: DAY };
      await profiles.aggregate({ ...ana, until: 1e12 + 10_000, halfLife: other, fromScratch: false });
      expect((await read())?.vector?.halfLife).toEqual(halfLife);
      await profiles.aggregate({ ...ana, until: 1e12 + 10_000, halfLife: other, fromScratch: true });
      const { vector } = (await read()) as { vector: BehaviourVector };
      expect(vector.halfLife).toEqual(other);
    });

    test('names the shoppers with events to aggregate, the longest waiting first, until they are aggregated', async () => {
      await subject.log.append([
        anEvent({ userId: 'bia', receivedAt: 50 }),
        anEvent({ receivedAt: 20 }),
        anEvent({ receivedAt: 60 }),
      ]);
      const bia = { store: 's1', shopper: userKey('bia') };
      expect(await profiles.dirty({ before: 100, limit: 10 })).toEqual([ana, bia]);
      expect(await profiles.dirty({ before: 100, limit: 1 })).toEqual([ana]);
      expect(await profiles.dirty({ before: 50, limit: 10 })).toEqual([ana]);
      await aggregate(50);
      expect(await profiles.dirty({ before: 55, limit: 10 })).toEqual([bia]);
      await aggregate(100);
      await aggregate(100, false, bia);
      expect(await profiles.dirty({ before: 1e15, limit: 10 })).toEqual([]);
    });

    test('lists the shoppers of a store a page at a time', async () => {
      await subject.log.append(['c', 'a', 'b', 'a'].map((userId) => anEvent({ userId })));
      await subject.log.append([anEvent({ userId: null, deviceId: 'z' }), anEvent({ store: 's2', userId: 'other' })]);
      expect(await profiles.shoppers({ store: 's1', limit: 3 })).toEqual(['d:z', 'u:a', 'u:b']);
      expect(await profiles.shoppers({ store: 's1', after: 'u:b', limit: 3 })).toEqual(['u:c']);
    });

    test('forgets a vector, not the events it came from', async () => {
      await subject.log.append(history(10));
      const before = await seen();
      await aggregate(1e12 + 10_000);
      expect(await profiles.remove(ana)).toBe(true);
      expect(await profiles.remove(ana)).toBe(false);
      expect(await seen()).toBe(before);
      expect(await profiles.dirty({ before: 1e15, limit: 10 })).toEqual([ana]);
    });

    test('removes the vectors of a store and leaves the others', async () => {
      await subject.log.append([anEvent(), anEvent({ store: 's2' })]);
      await aggregate(1e12);
      await aggregate(1e12, false, { store: 's2', shopper: ana.shopper });
      expect(await profiles.removeStore('s1')).toBe(1);
      expect((await read())?.vector).toBeNull();
      expect((await read({ store: 's2', shopper: ana.shopper }))?.vector).not.toBeNull();
    });
  });
}
