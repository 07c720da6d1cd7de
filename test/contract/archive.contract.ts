import { aConfirmation, anInteraction, aSale, INTERACTION_DAY } from '../builders/an-interaction';
import { aProduct } from '../builders/a-product';
import { type ArchiveSubject, copy, everything } from '../support/archives';
import { describeEventArchiveContract } from './archive-events.contract';

export function describeArchiveContract(name: string, makeSubject: () => Promise<ArchiveSubject>): void {
  describeEventArchiveContract(name, makeSubject);

  let from: ArchiveSubject;
  let to: ArchiveSubject;

  const open = async (): Promise<void> => {
    [from, to] = await Promise.all([makeSubject(), makeSubject()]);
  };
  const close = async (): Promise<void> => {
    await Promise.all([from.close(), to.close()]);
  };

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
