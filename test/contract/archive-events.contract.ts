import { anEvent, evidence, features } from '../builders/an-event';
import { type ArchiveSubject, copy, everything } from '../support/archives';

/** What an archive of events promises, whatever it is read from. */
export function describeEventArchiveContract(name: string, makeSubject: () => Promise<ArchiveSubject>): void {
  let from: ArchiveSubject;
  let to: ArchiveSubject;

  const open = async (): Promise<void> => {
    [from, to] = await Promise.all([makeSubject(), makeSubject()]);
  };
  const close = async (): Promise<void> => {
    await Promise.all([from.close(), to.close()]);
  };

  describe(`Archive: ${name}, of events`, () => {
    beforeEach(open);
    afterEach(close);

    const fill = async (): Promise<void> => {
      await from.log.append([
        anEvent({ userId: null, deviceId: 'd1', at: 1000 }),
        anEvent({ userId: null, deviceId: 'd2', at: 1500 }),
        anEvent({ deviceId: 'd1', idempotencyKeys: ['e:1', 't:1'], at: 2000, body: { pid: 'p1', text: 'a\u2028b"' } }),
        anEvent({ userId: 'bia', pendingProducts: ['later'], at: 3000 }),
        anEvent({ userId: 'cid', idempotencyKeys: ['e:2'], userHashes: ['hash-cid'], at: 4000 }),
        anEvent({
          store: 's2',
          userId: null,
          verdict: 'anonymous',
          evidence: null,
          idempotencyKeys: ['e:1'],
          at: 5000,
        }),
      ]);
      await from.log.erase({ store: 's1', userId: 'cid', devices: [], erasedUser: 'hash-cid', at: 9000 });
    };

    test('what is read and restored is the same, and the same when it is restored again', async () => {
      await fill();
      const before = await everything(from.archives.events);
      expect(before.length).toBe(5 + 4 + 1);
      await copy(from.archives.events, to.archives.events);
      expect(await everything(to.archives.events)).toEqual(before);
      await copy(from.archives.events, to.archives.events);
      expect(await everything(to.archives.events)).toEqual(before);
      for (const store of ['s1', 's2']) {
        expect(await to.log.read({ store, limit: 100 })).toEqual(await from.log.read({ store, limit: 100 }));
      }
    });

    test('an export stands alone: each event has the features of its products in it', async () => {
      await fill();
      const events = (await everything(from.archives.events)).filter((line) => line.includes('"type":"event"'));
      const counted = events.filter((line) => line.includes('"kind":"product"'));
      expect(counted.length).toBe(4);
      for (const line of counted) expect(line).toContain(JSON.stringify(features('p1')));
    });

    test('repeats stay repeats, also of an event that was erased', async () => {
      await fill();
      await copy(from.archives.events, to.archives.events);
      const outcomes = await to.log.append([
        anEvent({ idempotencyKeys: ['t:1'], at: 9500 }),
        anEvent({ userId: 'cid', idempotencyKeys: ['e:2'], at: 9500 }),
        anEvent({ userId: 'cid', userHashes: ['hash-cid'], at: 8000, receivedAt: 9500 }),
        anEvent({ idempotencyKeys: ['e:3'], at: 9500 }),
        anEvent({ store: 's2', idempotencyKeys: ['t:1'], at: 9500 }),
      ]);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['duplicate', 'duplicate', 'erased', 'stored', 'stored']);
    });

    test('what comes with store keys still supersedes what came without them', async () => {
      await fill();
      await copy(from.archives.events, to.archives.events);
      const proven = anEvent({ userId: 'dora', keyed: true, idempotencyKeys: ['t:1'], at: 9500 });
      expect(await to.log.append([proven, proven])).toMatchObject([{ outcome: 'stored' }, { outcome: 'duplicate' }]);
      const events = await to.log.read({ store: 's1', limit: 100 });
      expect(events.filter(({ at }) => at === 2000).map(({ verdict }) => verdict)).toEqual(['superseded']);
      await copy(to.archives.events, from.archives.events);
      expect(await from.log.append([proven])).toEqual([{ outcome: 'duplicate' }]);
    });

    test('the log goes on: higher numbers, unclaimed devices are claimed, waiting events completed', async () => {
      await fill();
      await copy(from.archives.events, to.archives.events);
      const last = Math.max(...(await to.log.read({ store: 's1', limit: 100 })).map(({ seq }) => seq));
      const [claim] = await to.log.append([anEvent({ userId: 'dora', deviceId: 'd2', at: 9500 })]);
      expect(claim).toMatchObject({ outcome: 'stored', claimed: 1 });
      expect((await to.log.read({ store: 's1', shopper: 'u:dora', limit: 10 })).map(({ at }) => at)).toEqual([
        1500, 9500,
      ]);
      expect((claim as { seq: number }).seq).toBeGreaterThan(last);
      const completed = await to.log.completePending('s1', ['later'], async ({ at }) => ({
        evidence: evidence(at, 'product', features('later')),
        stillPending: [],
      }));
      expect(completed).toBe(1);
      const traces = await to.log.traces({ store: 's1', userId: 'ana', userHashes: [], now: 9999, devices: true });
      expect(traces.devices).toEqual([{ deviceId: 'd1', first: 2000, last: 2000 }]);
    });

    test('its state changes with every write and with nothing else', async () => {
      await fill();
      const before = await from.archives.events.state();
      await everything(from.archives.events);
      expect(await from.archives.events.state()).toBe(before);
      await from.log.append([anEvent()]);
      expect(await from.archives.events.state()).not.toBe(before);
    });
  });
}
