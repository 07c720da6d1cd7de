import type { Archive, ArchiveEntry } from '../../src/storage/archive';
import type { EventLog } from '../../src/behaviour/events/event-log';
import type { CatalogRecords } from '../../src/catalog/records/catalog-records';
import type { Documents } from '../../src/documents/documents';
import type { ClickLedger } from '../../src/showcase/ledger/click-ledger';
import { aConfirmation, anInteraction, aSale, INTERACTION_DAY } from '../builders/an-interaction';
import { aProduct } from '../builders/a-product';
import { anEvent, evidence, features } from '../builders/an-event';

/** An installation: what it keeps, and the archives over the same data. */
export interface ArchiveSubject {
  log: EventLog;
  catalog: CatalogRecords;
  documents: Documents;
  ledger: ClickLedger;
  archives: Record<'events' | 'records' | 'ledger' | 'documents', Archive>;
  close(): Promise<void>;
}

/** Everything of an archive, in an order of its own. */
async function everything(archive: Archive): Promise<string[]> {
  const entries: ArchiveEntry[] = [];
  for await (const page of archive.read()) entries.push(...page);
  return entries.map((entry) => JSON.stringify(entry)).toSorted();
}

async function copy(from: Archive, to: Archive): Promise<void> {
  for await (const page of from.read()) if (page.length > 0) await to.restore(page);
}

export function describeArchiveContract(name: string, makeSubject: () => Promise<ArchiveSubject>): void {
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
      await from.log.erase({ store: 's1', userId: 'cid', erasedUser: 'hash-cid', at: 9000 });
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

  describe(`Archive: ${name}, of the ledger`, () => {
    beforeEach(open);
    afterEach(close);

    const charge = { cost: 400_000, budget: 1_000_000, dailyBudget: null };
    const fill = async (): Promise<void> => {
      const { ledger } = from;
      for (const idempotencyKey of ['a', 'b', 'a', 'c']) await ledger.record(anInteraction({ idempotencyKey, charge }));
      await ledger.record(anInteraction({ verdict: 'bot', arrival: { address: 'h-1', agent: 'a-1', request: 'r-1' } }));
      await ledger.record(anInteraction({ type: 'view', shopper: null, charge: null, arrival: { unrated: true } }));
      await ledger.record(anInteraction({ store: 'outra', day: '2026-01-01' }));
      await ledger.order(aSale({ proven: false }));
      await ledger.order(aConfirmation({ order: 'later' }));
      await ledger.remove({ store: 'outra', before: '2026-01-02' });
      // On Elasticsearch claims are taken off the account a moment after their clicks are written.
      await new Promise((done) => setTimeout(done, 600));
    };
    const totals = async ({ ledger }: ArchiveSubject): Promise<string[]> => {
      const rows = ['loja', 'outra'].map((store) => ledger.rollups({ store, from: '2026-01-01', to: '2026-01-31' }));
      return (await Promise.all(rows))
        .flat()
        .map((row) => JSON.stringify(row))
        .toSorted();
    };

    test('what is read and restored is the same, with its rollups, and the same when it is restored again', async () => {
      await fill();
      const before = await everything(from.archives.ledger);
      expect(before.length).toBe(6 + 2 + 2 + 1);
      for (let times = 0; times < 2; times += 1) {
        await copy(from.archives.ledger, to.archives.ledger);
        expect((await everything(to.archives.ledger)).map(withoutId)).toEqual(before.map(withoutId));
        expect(await totals(to)).toEqual(await totals(from));
      }
    });

    test('repeats stay repeats, and what was spent stays spent', async () => {
      await fill();
      await copy(from.archives.ledger, to.archives.ledger);
      expect(await to.ledger.record(anInteraction({ idempotencyKey: 'a', charge }))).toBe('duplicate');
      expect(await to.ledger.record(anInteraction({ idempotencyKey: 'new', charge }))).toBe('over_budget');
      const spent = await to.ledger.spent('loja', ['verao'], INTERACTION_DAY);
      expect(spent.get('verao')).toEqual({ total: 800_000, today: 800_000 });
    });

    test('a credited click stays one, with its reason, and a repeat of it a repeat', async () => {
      const { shopper, day, at, campaign, product, placement } = anInteraction();
      const clicked = { campaign, product, placement, at, day };
      const hit = {
        store: 'loja',
        type: 'click',
        verdict: 'invalid',
        ...clicked,
        shopper,
        cost: 400_000,
        address: 'h-1',
        reason: 'pace',
      };
      const line = { type: 'hit', id: 'key', issuedAt: at, hit };
      await from.archives.ledger.restore([line]);
      await copy(from.archives.ledger, to.archives.ledger);
      expect(await everything(to.archives.ledger)).toEqual(await everything(from.archives.ledger));
      expect(await totals(to)).toHaveLength(1);
      expect((await totals(to))[0]).toContain('click/invalid/pace');
      expect(await to.ledger.record(anInteraction({ idempotencyKey: 'key', issuedAt: at }))).toBe('duplicate');
    });

    test('its state changes with every write and with nothing else', async () => {
      await fill();
      const before = await from.archives.ledger.state();
      await everything(from.archives.ledger);
      expect(await from.archives.ledger.state()).toBe(before);
      await from.ledger.record(anInteraction({ verdict: 'bot' }));
      expect(await from.archives.ledger.state()).not.toBe(before);
    });
  });

  describe(`Archive: ${name}, of records`, () => {
    beforeEach(open);
    afterEach(close);

    const write = (subject: ArchiveSubject, productId: string, sent: object | null, channel: string | null = null) =>
      subject.catalog.write('s1', [{ productId, channel, sent: sent && { ...sent }, receivedAt: 1000 }]);
    const fill = async (): Promise<void> => {
      await write(from, 'p1', aProduct({ id: 'p1', salesChannels: { app: { price: 1 } } }));
      await write(from, 'p1', aProduct({ id: 'p1', price: 5 }), 'web');
      await write(from, 'p2', aProduct({ id: 'p2' }));
      await write(from, 'p2', null);
      await from.catalog.write('s2', [{ productId: 'p1', channel: null, sent: { name: 'ü' }, receivedAt: 2000 }]);
    };

    test('what is read and restored is the same, removed versions, versions and channels too', async () => {
      await fill();
      await copy(from.archives.records, to.archives.records);
      await copy(from.archives.records, to.archives.records);
      expect(await everything(to.archives.records)).toEqual(await everything(from.archives.records));
      for (const store of ['s1', 's2']) {
        expect(await to.catalog.scan(store, { limit: 10 })).toEqual(await from.catalog.scan(store, { limit: 10 }));
        expect(await to.catalog.channels(store)).toEqual(await from.catalog.channels(store));
      }
    });

    test('writes go on with higher versions, and everything restored is still to be indexed', async () => {
      await fill();
      await copy(from.archives.records, to.archives.records);
      const newest = Math.max(...(await to.catalog.scan('s1', { limit: 10 })).map(({ base }) => base?.version ?? 0));
      const { versions } = await write(to, 'p3', aProduct({ id: 'p3' }));
      expect(versions[0]).toBeGreaterThan(newest);
      const unindexed = await to.catalog.scan('s1', { newerThan: 0, limit: 10 });
      expect(unindexed.map(({ productId }) => productId)).toEqual(['p1', 'p2', 'p3']);
    });

    test('its state changes with every write and with nothing else', async () => {
      await fill();
      const before = await from.archives.records.state();
      await everything(from.archives.records);
      expect(await from.archives.records.state()).toBe(before);
      await from.catalog.write('s2', [{ productId: 'p1', channel: null, sent: null, receivedAt: 3000 }]);
      expect(await from.archives.records.state()).not.toBe(before);
    });
  });

  describe(`Archive: ${name}, of documents`, () => {
    beforeEach(open);
    afterEach(close);

    const fill = async (): Promise<void> => {
      const kinds = ['store', 'user', 'facet', 'job-open', 'job.s1', 'learning', 'changes'];
      await from.documents.put(
        kinds.map((kind) => ({ store: 's1', kind, id: 'ü/1', body: { kind, deep: [null, 1.5] } })),
      );
      await from.documents.increment({ store: 's1', kind: 'counter', id: 'facet/x' }, 7);
    };

    test('what is read and restored is the same, but for what belongs to where it is', async () => {
      await fill();
      await copy(from.archives.documents, to.archives.documents);
      await copy(from.archives.documents, to.archives.documents);
      const copied = await everything(to.archives.documents);
      expect(copied).toEqual(await everything(from.archives.documents));
      expect(copied.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
        'counter',
        'facet',
        'store',
        'user',
      ]);
      expect(await to.documents.increment({ store: 's1', kind: 'counter', id: 'facet/x' }, 1)).toBe(8);
      expect((await to.documents.get({ store: 's1', kind: 'user', id: 'ü/1' }))?.body).toEqual({
        kind: 'user',
        deep: [null, 1.5],
      });
    });

    test('its state changes with every write and with nothing else', async () => {
      await fill();
      const before = await from.archives.documents.state();
      await everything(from.archives.documents);
      expect(await from.archives.documents.state()).toBe(before);
      await from.documents.put([{ store: 's1', kind: 'user', id: 'ü/1', body: 1 }]);
      expect(await from.archives.documents.state()).not.toBe(before);
    });
  });
}

/** Interactions that count for nothing are named where they are. */
const withoutId = (line: string): string => line.replace(/"id":"s\d+",/, '');
