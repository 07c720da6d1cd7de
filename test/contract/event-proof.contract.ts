import type { EventLog, NewEvent, StoredEvent } from '../../src/behaviour/events/event-log';
import { deviceKey, type ShopperKey, userKey } from '../../src/behaviour/shoppers/shopper';
import { anEvent, evidence, features } from '../builders/an-event';
import type { EventLogSubject } from './event-log.contract';

const DAY = 86_400_000;
const halfLife = { transaction: 180 * DAY, cart: 30 * DAY, view: 14 * DAY };

/** What every EventLog promises of events that come with store keys, and of those that claim to be the same. */
export function describeEventProofContract(name: string, makeSubject: () => Promise<EventLogSubject>): void {
  describe(`EventLog: ${name}, proof beats claim`, () => {
    let subject: EventLogSubject;
    let log: EventLog;

    beforeEach(async () => {
      subject = await makeSubject();
      ({ log } = subject);
    });
    afterEach(() => subject.close());

    const verdicts = async (): Promise<Record<string, string[]>> => {
      const events = await log.read({ store: 's1', limit: 1000 });
      const shoppers = [...new Set(events.map(({ shopper }) => String(shopper)))];
      const of = (shopper: string): StoredEvent[] => events.filter((event) => String(event.shopper) === shopper);
      return Object.fromEntries(shoppers.map((shopper) => [shopper, of(shopper).map(({ verdict }) => verdict)]));
    };
    const bought = (changes: Partial<NewEvent> = {}): NewEvent =>
      anEvent({
        name: 'transaction',
        idempotencyKeys: ['t:1'],
        evidence: evidence(5, 'transaction', features('p1')),
        ...changes,
      });
    const claimed = (changes: Partial<NewEvent> = {}): NewEvent =>
      bought({ userId: null, deviceId: 'stranger', addressHash: 'a1', ...changes });
    const proven = (changes: Partial<NewEvent> = {}): NewEvent => bought({ keyed: true, ...changes });
    /** In one append, or in one after the other. */
    const ways: [string, (events: NewEvent[]) => Promise<string[]>][] = [
      ['at once', async (events) => (await log.append(events)).map(({ outcome }) => outcome)],
      [
        'one after the other',
        async (events) => {
          const outcomes: string[] = [];
          for (const event of events) outcomes.push(...(await log.append([event])).map(({ outcome }) => outcome));
          return outcomes;
        },
      ],
    ];
    const aggregated = async (shopper: ShopperKey): Promise<string[]> => {
      const request = { store: 's1', shopper };
      await subject.profiles.aggregate({ ...request, until: 2e6, halfLife, fromScratch: false });
      const [profile] = await subject.profiles.read([request]);
      return Object.keys(profile?.vector?.cells ?? {}).filter((feature) => feature.startsWith('product:'));
    };

    describe.each(ways)('%s', (_way, append) => {
      test('what came without keys never keeps what comes with them from counting', async () => {
        expect(await append([claimed(), proven()])).toEqual(['stored', 'stored']);
        expect(await verdicts()).toEqual({ 'd:stranger': ['superseded'], 'u:ana': ['counted'] });
      });

      test('what comes without keys after what came with them is a repeat', async () => {
        expect(await append([proven(), claimed()])).toEqual(['stored', 'duplicate']);
        expect(await verdicts()).toEqual({ 'u:ana': ['counted'] });
      });

      test('of many who claim an order the first counts, until it comes with keys', async () => {
        const strangers = Array.from({ length: 5 }, (_, n) => claimed({ deviceId: `d${n}`, addressHash: `a${n}` }));
        const outcomes = await append(strangers);
        expect(outcomes).toEqual(['stored', 'duplicate', 'duplicate', 'duplicate', 'duplicate']);
        expect(await append([proven(), proven()])).toEqual(['stored', 'duplicate']);
        expect(await verdicts()).toEqual({ 'd:d0': ['superseded'], 'u:ana': ['counted'] });
      });

      test('the same holds for the id of any event, and for any of several keys', async () => {
        const ids = { idempotencyKeys: ['e:1'] };
        expect(
          await append([claimed({ name: 'product', ...ids }), proven({ idempotencyKeys: ['e:1', 't:2'] })]),
        ).toEqual(['stored', 'stored']);
        expect(await append([claimed({ name: 'product', ...ids }), claimed({ idempotencyKeys: ['t:2'] })])).toEqual([
          'duplicate',
          'duplicate',
        ]);
        expect(await verdicts()).toEqual({ 'd:stranger': ['superseded'], 'u:ana': ['counted'] });
      });

      test('stores are apart', async () => {
        await append([claimed(), proven({ store: 's2' })]);
        expect(await verdicts()).toEqual({ 'd:stranger': ['counted'] });
      });
    });

    test('a superseded event is kept without evidence, and leaves the vector that held it', async () => {
      const view = { userId: null, deviceId: 'stranger', evidence: evidence(4, 'product', features('p2')) };
      await log.append([anEvent(view), claimed()]);
      expect(await aggregated(deviceKey('stranger'))).toEqual(['product:p2', 'product:p1']);
      const [result] = await log.append([proven()]);
      expect(result).toMatchObject({ outcome: 'stored', superseded: [{ store: 's1', shopper: 'd:stranger' }] });
      expect(await aggregated(deviceKey('stranger'))).toEqual(['product:p2']);
      const events = await log.read({ store: 's1', shopper: deviceKey('stranger'), limit: 10 });
      const superseded = events.find(({ verdict }) => verdict === 'superseded');
      expect(superseded).toMatchObject({ evidence: null, pendingProducts: [], name: 'transaction', addressHash: 'a1' });
      expect(await log.read({ store: 's1', shopper: deviceKey('stranger'), counted: true, limit: 10 })).toHaveLength(1);
    });

    test('it leaves recent events that no vector holds yet', async () => {
      await log.append([claimed({ userId: 'ana', deviceId: null })]);
      await log.append([proven({ userId: 'bia' })]);
      const [profile] = await subject.profiles.read([{ store: 's1', shopper: userKey('ana') }]);
      expect(profile?.recentEvents ?? []).toEqual([]);
    });

    test('it is found when it was claimed or completed meanwhile, and waits for nothing any more', async () => {
      await log.append([claimed({ pendingProducts: ['late', 'later'] })]);
      await log.append([anEvent({ userId: 'eva', deviceId: 'stranger' })]);
      await log.completePending('s1', ['late'], async ({ at }) => ({
        evidence: evidence(at, 'transaction', features('late')),
        stillPending: ['later'],
      }));
      await log.append([proven()]);
      expect(await verdicts()).toEqual({ 'u:eva': ['counted', 'superseded'], 'u:ana': ['counted'] });
      const complete = jest.fn();
      expect(await log.completePending('s1', ['later'], complete)).toBe(0);
      expect(complete).not.toHaveBeenCalled();
    });

    test('what does not count anyway keeps its verdict', async () => {
      await log.append([claimed({ verdict: 'bot', evidence: null })]);
      await log.append([proven()]);
      expect(await verdicts()).toEqual({ 'd:stranger': ['bot'], 'u:ana': ['counted'] });
    });

    test('exactly one counts of many that arrive at the same time', async () => {
      const events = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? claimed({ deviceId: `d${n}` }) : proven()));
      const results = (await Promise.all(events.map((event) => log.append([event])))).flat();
      expect(results.filter(({ outcome }, n) => n % 2 === 1 && outcome === 'stored')).toHaveLength(1);
      const counted = await log.read({ store: 's1', counted: true, limit: 100 });
      expect(counted.map(({ shopper }) => shopper)).toEqual(['u:ana']);
    });

    test('an erased claim is no reason to refuse what comes with keys', async () => {
      await log.append([claimed({ userId: 'eve', deviceId: null })]);
      await log.erase({ store: 's1', userId: 'eve', devices: [], erasedUser: 'hash', at: 2_000_000 });
      expect(await log.append([claimed(), proven()])).toMatchObject([{ outcome: 'duplicate' }, { outcome: 'stored' }]);
    });
  });
}
