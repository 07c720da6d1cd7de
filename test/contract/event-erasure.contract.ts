import { CLICK, type EventLog, ERASED_REMEMBERED_MS, type StoredEvent } from '../../src/behaviour/events/event-log';
import { deviceKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { anEvent, evidence } from '../builders/an-event';
import type { EventLogSubject } from './event-log.contract';

/** What every EventLog promises of users who are erased. */
export function describeEventErasureContract(name: string, makeSubject: () => Promise<EventLogSubject>): void {
  describe(`EventLog: ${name}, erasing`, () => {
    let subject: EventLogSubject;
    let log: EventLog;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ log } = subject);
    });
    afterEach(() => subject.close());

    const all = (): Promise<StoredEvent[]> => log.read({ store: 's1', limit: 1000 });
    const erase = (at: number, devices: string[] = []) =>
      log.erase({ store: 's1', userId: 'ana', devices, erasedUser: 'hash', at });
    const late = (changes: Parameters<typeof anEvent>[0]) =>
      log.append([anEvent({ userHashes: ['hash'], ...changes })]);

    test('erases what a user did and claimed, and counts it', async () => {
      await log.append([anEvent({ userId: null, deviceId: 'phone' }), anEvent({ deviceId: 'phone' }), anEvent()]);
      await log.append([anEvent({ userId: 'bia' })]);
      expect(await erase(2_000_000)).toEqual({ events: 3, links: 1 });
      expect((await all()).map(({ userId }) => userId)).toEqual(['bia']);
      expect(await subject.profiles.read([{ store: 's1', shopper: userKey('ana') }])).toEqual([null]);
      expect(await erase(2_000_000)).toEqual({ events: 0, links: 0 });
    });

    test('erases what devices of the user did and nobody has claimed, and leaves what others have', async () => {
      const onPhone = (changes: Parameters<typeof anEvent>[0]) => anEvent({ deviceId: 'phone', ...changes });
      await log.append([
        onPhone({}),
        onPhone({ userId: 'bia' }),
        onPhone({ userId: null, idempotencyKeys: ['e:1'] }),
        onPhone({ userId: null, verdict: 'bot', evidence: null }),
        anEvent({ userId: null, deviceId: 'other' }),
      ]);
      expect(await erase(2_000_000, ['phone', 'never seen'])).toEqual({ events: 3, links: 1 });
      expect((await all()).map(({ shopper }) => shopper)).toEqual(['u:bia', 'd:other']);
      const phone = { store: 's1', shopper: deviceKey('phone') };
      expect(await subject.profiles.read([phone])).toEqual([null]);
      const again = onPhone({ userId: null, idempotencyKeys: ['e:1'] });
      expect(await log.append([again])).toEqual([{ outcome: 'duplicate' }]);
    });

    test('drops late events of an erased user, by the time the client gave or a key already seen', async () => {
      await log.append([anEvent({ idempotencyKeys: ['e:1'] })]);
      await erase(2_000_000);
      expect(await late({ at: 1_500_000, receivedAt: 3_000_000 })).toEqual([{ outcome: 'erased' }]);
      expect(await late({ at: 3_000_000, clientTime: 10 })).toEqual([{ outcome: 'erased' }]);
      expect(await late({ at: 3_000_000, idempotencyKeys: ['e:1'] })).toEqual([{ outcome: 'duplicate' }]);
      expect(await all()).toEqual([]);
    });

    test('leaves no key of a click, which is new when it comes after the erasure', async () => {
      const click = { name: CLICK, keyed: false, idempotencyKeys: ['s:1'] };
      const onPhone = { ...click, userId: null, deviceId: 'phone', idempotencyKeys: ['s:2'] };
      const ofBia = { ...click, userId: 'bia', idempotencyKeys: ['s:3'] };
      const first = [click, onPhone, ofBia].map((one) => anEvent(one));
      await log.append(first);
      expect(await log.append(first)).toEqual([1, 2, 3].map(() => ({ outcome: 'duplicate' })));
      await erase(2_000_000, ['phone']);
      const again = [click, onPhone, ofBia].map((one) => anEvent({ at: 3_000_000, userHashes: ['hash'], ...one }));
      expect((await log.append(again)).map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'duplicate']);
      expect((await log.append(again)).map(({ outcome }) => outcome)).toEqual(['duplicate', 'duplicate', 'duplicate']);
    });

    test('leaves nothing of a click that came while its user was erased: the next one counts', async () => {
      const click = (key: string, at: number) =>
        anEvent({ name: CLICK, at, userHashes: ['hash'], idempotencyKeys: [`s:${key}`] });
      for (let round = 0; round < 10; round++) {
        const keys = Array.from({ length: 5 }, (_, number) => `${round} ${number}`);
        const at = 1_000_000 + 10 * round;
        const [results] = await Promise.all([log.append(keys.map((key) => click(key, at))), erase(at + 1)]);
        // What was there first has gone with the others: it was erased as it came or right after.
        expect(results.map(({ outcome }) => outcome)).not.toContain('duplicate');
        expect(await all()).toEqual([]);
        const again = await log.append(keys.map((key) => click(key, at + 2)));
        expect(again.map(({ outcome }) => outcome)).toEqual(keys.map(() => 'stored'));
        await erase(at + 3);
      }
    });

    test('lets an erased user start afresh, and other users be', async () => {
      await erase(2_000_000);
      expect(await late({ at: 2_000_000 })).toMatchObject([{ outcome: 'stored' }]);
      const ofAnother = anEvent({ userId: 'bia', userHashes: ['other'], at: 1 });
      expect(await log.append([ofAnother])).toMatchObject([{ outcome: 'stored' }]);
    });

    test('remembers the erasure for 90 days', async () => {
      await erase(2_000_000);
      const traces = (now: number) =>
        log.traces({ store: 's1', userId: 'ana', userHashes: ['hash'], now, devices: false });
      expect((await traces(2_000_000 + ERASED_REMEMBERED_MS - 1)).erasedAt).toBe(2_000_000);
      expect((await traces(2_000_000 + ERASED_REMEMBERED_MS)).erasedAt).toBeNull();
      await log.erase({ store: 's2', userId: 'ana', devices: [], erasedUser: 'hash', at: 2_000_000 });
      const remembered = async (store: string): Promise<boolean> => {
        const query = { store, userId: 'ana', userHashes: ['hash'], now: 2_000_001, devices: false };
        return (await log.traces(query)).erasedAt !== null;
      };
      await log.forgetErasures(2_000_000 + ERASED_REMEMBERED_MS - 1);
      expect([await remembered('s1'), await remembered('s2')]).toEqual([true, true]);
      await log.forgetErasures(2_000_000 + ERASED_REMEMBERED_MS);
      expect([await remembered('s1'), await remembered('s2')]).toEqual([false, false]);
    });

    test('forgets that an erased event waited for a product', async () => {
      await log.append([anEvent({ evidence: evidence(5, 'product'), pendingProducts: ['p1'] })]);
      await erase(2_000_000);
      const complete = jest.fn();
      expect(await log.completePending('s1', ['p1'], complete)).toBe(0);
      expect(complete).not.toHaveBeenCalled();
    });
  });
}
