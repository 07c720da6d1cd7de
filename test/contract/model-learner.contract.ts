import type { EventLog, NewEvent } from '../../src/behaviour/events/event-log';
import type { LearnedPart, LearnSummary, ModelLearner } from '../../src/behaviour/learning/model-learner';
import type { CatalogRecords } from '../../src/catalog/records/catalog-records';
import { productStatsKey, shareKey } from '../../src/ranking/affinity';
import type { ProductStats } from '../../src/ranking/learning/learn';
import { anEvent, evidence, features } from '../builders/an-event';
import { type WatchedThreads, watchThreads } from '../support/threads';

export interface ModelLearnerSubject {
  learner: ModelLearner;
  /** Over the same data, as is `records`. */
  log: EventLog;
  records: CatalogRecords;
  close(): Promise<void>;
}

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 15);
const request = {
  store: 's1',
  now: NOW,
  trend: { short: '7d', middle: '30d', long: '365d', prior: 3 },
  forget: false,
};

interface Learned extends LearnSummary {
  entries: Map<string, unknown>;
  trend: Map<string, number | null>;
  parts: LearnedPart[];
}

/** What every ModelLearner promises. */
export function describeModelLearnerContract(adapter: string, makeSubject: () => Promise<ModelLearnerSubject>): void {
  describe(`ModelLearner: ${adapter}`, () => {
    let subject: ModelLearnerSubject;

    beforeEach(async () => {
      subject = await makeSubject();
    });
    afterEach(() => subject.close());

    const learn = async ({ signal = new AbortController().signal, forget = false } = {}): Promise<Learned> => {
      const parts: LearnedPart[] = [];
      const take = async (part: LearnedPart): Promise<void> => void parts.push(part);
      const { last } = await subject.learner.newPurchases('s1', 0);
      const summary = await subject.learner.learn({ ...request, sold: last > 0, forget }, { take, signal });
      return {
        ...summary,
        entries: new Map(parts.flatMap(({ entries }) => entries)),
        trend: new Map(parts.flatMap(({ trend }) => trend)),
        parts,
      };
    };
    const offer = async (ids: string[], fields: Record<string, unknown> = {}): Promise<void> => {
      const writes = ids.map((id) => ({ productId: id, channel: null, sent: { id, ...fields }, receivedAt: NOW }));
      const { versions } = await subject.records.write('s1', writes);
      const settled = ids.map((id, at) => ({ version: versions[at] ?? 0, features: features(id) }));
      await subject.records.settle('s1', { features: settled });
    };
    const bought = (userId: string, ids: string[], changes: Partial<NewEvent> = {}): NewEvent => {
      const at = changes.at ?? NOW - DAY;
      const items = evidence(at, 'transaction', ...ids.map((id) => features(id)));
      return anEvent({ name: 'transaction', userId, at, evidence: items, ...changes });
    };

    it('learns nothing of nothing', async () => {
      expect(await learn()).toEqual({
        users: 0,
        purchases: 0,
        products: 0,
        entries: new Map(),
        trend: new Map(),
        parts: [{ entries: [], trend: [] }],
      });
    });

    it('learns from counted transactions of this store, and from nothing else', async () => {
      await subject.log.append([
        bought('ana', ['p1', 'p2']),
        bought('bia', ['p1']),
        bought('bot', ['p1'], { verdict: 'bot', evidence: null }),
        bought('later', ['p3'], { at: NOW + DAY }),
        anEvent({ userId: 'viewer', at: NOW - DAY, evidence: evidence(NOW - DAY, 'product', features('p4')) }),
        bought('stranger', ['p9'], { store: 's2' }),
      ]);
      const { users, purchases, trend } = await learn();
      expect({ users, purchases }).toEqual({ users: 2, purchases: 3 });
      expect([...trend.keys()].toSorted()).toEqual(['p1', 'p2']);
      expect(trend.get('p1')).toBeGreaterThan(trend.get('p2') ?? 0);
    });

    describe('who may say what the store buys', () => {
      const DEVICES = 300;
      /** Without keys, from one address. */
      const claimed = (n: number, changes: Partial<NewEvent> = {}): NewEvent =>
        bought('', ['forged', 'partner'], { userId: null, deviceId: `d${n}`, addressHash: 'a1', ...changes });
      const claims = Array.from({ length: DEVICES }, (_, n) => claimed(n));
      const honest = Array.from({ length: 6 }, (_, n) => bought(`u${n}`, ['p1', 'p2'], { keyed: true }));
      const relatedOf = ({ entries }: Learned, product: string): string[] =>
        ((entries.get(productStatsKey(product)) as ProductStats | undefined)?.related ?? []).map(([id]) => id);

      it('learns nothing from orders without keys once the store sends them with keys', async () => {
        await offer(['forged', 'partner', 'untouched']);
        await subject.log.append([...claims, ...honest]);
        const learned = await learn();
        expect(learned).toMatchObject({ users: 6, purchases: 12 });
        expect(learned.trend.get('forged')).toBe(learned.trend.get('untouched'));
        expect(learned.trend.get('p1')).toBeGreaterThan(learned.trend.get('forged') ?? 0);
        expect(relatedOf(learned, 'forged')).toEqual([]);
        expect(learned.entries.get(shareKey('brand:veloz'))).toBe(1);
      });

      it('takes three buyers a day from an address before that, over all products', async () => {
        await subject.log.append([...claims, claimed(1, { addressHash: 'a2', at: NOW })]);
        const learned = await learn();
        expect(learned).toMatchObject({ users: 3, purchases: 8 });
        expect(relatedOf(learned, 'forged')).toEqual([]);
      });

      it('counts a buyer without keys once for a product and day', async () => {
        await subject.log.append(Array.from({ length: 50 }, () => claimed(1)));
        const tomorrow = { addressHash: 'a2', at: NOW };
        await subject.log.append(Array.from({ length: 50 }, () => claimed(1, tomorrow)));
        expect(await learn()).toMatchObject({ users: 1, purchases: 4 });
      });

      it('learns from orders of before it was kept how they came, and from history, as ever', async () => {
        const before = Array.from({ length: 20 }, (_, n) => bought(`u${n}`, ['p1']));
        const history = { keyed: true, at: NOW - 60 * DAY, receivedAt: NOW };
        await subject.log.append([...before, bought('zoe', ['p1'], history), claimed(1)]);
        expect(await learn()).toMatchObject({ users: 22, purchases: 23 });
      });

      it('goes back to orders without keys when those with keys have stopped for a month', async () => {
        const old = { keyed: true, at: NOW - 31 * DAY };
        await subject.log.append([bought('ana', ['p1'], old), claimed(1)]);
        expect(await learn()).toMatchObject({ users: 2, purchases: 3 });
      });
    });

    it('knows the catalog, what nobody has bought, too, and what its feed says was sold', async () => {
      await offer(['p1', 'p2']);
      await offer(['p3'], { sold: 500 });
      await subject.log.append([bought('ana', ['p1'])]);
      const { trend, entries } = await learn();
      expect([...trend.keys()].toSorted()).toEqual(['p1', 'p2', 'p3']);
      expect(trend.get('p3')).toBeGreaterThan(trend.get('p2') ?? 0);
      expect(entries.get(shareKey('brand:veloz'))).toBe(1);
    });

    it('takes the shares of a catalog that nobody has bought from, and leaves popularity to its feed', async () => {
      await offer(['p1', 'p2']);
      await offer(['p3'], { sold: 500 });
      const { trend, entries, products } = await learn();
      expect([...trend]).toEqual([]);
      expect([entries.get(shareKey('brand:veloz')), products]).toEqual([1, 3]);
    });

    it('forgets the popularity of a store that has no orders that count, where one may have been learned', async () => {
      await offer(['p1'], { sold: 500 });
      await offer(['p2']);
      const forgotten = [
        ['p1', null],
        ['p2', null],
      ];
      const byId = ({ trend }: Learned): [string, number | null][] =>
        [...trend].toSorted(([a], [b]) => (a < b ? -1 : 1));
      expect(byId(await learn({ forget: true }))).toEqual(forgotten);
      // It says that it is of a time that has not come yet.
      await subject.log.append([bought('ana', ['p1'], { at: NOW + DAY })]);
      expect(byId(await learn({ forget: true }))).toEqual(forgotten);
      expect(byId(await learn())).toEqual([]);
      await subject.log.append([bought('ana', ['p1'])]);
      expect(byId(await learn({ forget: true })).map(([, value]) => typeof value)).toEqual(['number', 'number']);
    });

    it('reads what the feed says was sold as searches do', async () => {
      await offer(['p1'], { sold: '500' });
      await offer(['p2'], { sold: 500 });
      await offer(['p3'], { sold: '1e999' });
      await offer(['p4']);
      await subject.log.append([bought('ana', ['other'])]);
      const { trend } = await learn();
      expect(trend.get('p1')).toBe(trend.get('p2'));
      expect(trend.get('p3')).toBe(trend.get('p4'));
      expect(trend.get('p1')).toBeGreaterThan(trend.get('p3') ?? 1);
    });

    it('hands over a large model in parts, the next when one was taken', async () => {
      const ids = Array.from({ length: 4500 }, (_, at) => `p${String(at).padStart(5, '0')}`);
      await subject.log.append(ids.map((id, at) => bought(`u${at % 50}`, [id])));
      const { trend, parts, purchases } = await learn();
      expect(purchases).toBe(4500);
      expect([...trend.keys()].toSorted()).toEqual(ids);
      expect(Math.max(...parts.map(({ entries, trend: some }) => entries.length + some.length))).toBeLessThanOrEqual(
        2000,
      );
      expect(parts.length).toBeGreaterThan(2);
    });

    it('fails where a part can not be taken, and stops when it is told to', async () => {
      await offer(['p1']);
      const { signal } = new AbortController();
      const take = (): Promise<void> => Promise.reject(new Error('No space left'));
      await expect(subject.learner.learn({ ...request, sold: false }, { take, signal })).rejects.toThrow(
        'No space left',
      );
      await expect(learn({ signal: AbortSignal.abort() })).rejects.toThrow('stopped');
    });

    describe('its thread', () => {
      let threads: WatchedThreads;

      beforeEach(async () => {
        threads = watchThreads();
        await offer(['p1']);
        await subject.log.append([bought('ana', ['p1', 'p2'])]);
      });
      afterEach(() => threads.restore());

      it('learns again and again, as one of its own does', async () => {
        const first = await learn();
        for (let times = 0; times < 3; times += 1) expect(await learn()).toEqual(first);
        await subject.log.append([bought('bia', ['p2'])]);
        expect((await learn()).users).toBe(2);
        await offer(Array.from({ length: 1000 }, (_, product) => `more-${product}`));
        await learn();
        expect([threads.count('learn.thread'), threads.living('learn.thread')]).toEqual([1, 1]);
      });

      it('is not kept with the memory of a large store', async () => {
        const many = Array.from({ length: 2000 }, (_, part) => `of-a-large-store-${part}`);
        for (let part = 0; part < 10; part += 1) await offer(many.map((id) => `${id}-${part}`));
        const first = await learn();
        expect([first.products, threads.living('learn.thread')]).toEqual([20_002, 0]);
        expect((await learn()).entries).toEqual(first.entries);
        expect(threads.count('learn.thread')).toBe(2);
      });

      it('is another one while it learns, and when it is gone, was stopped or failed', async () => {
        const [first, second] = await Promise.all([learn(), learn()]);
        expect(second).toEqual(first);
        expect(threads.count('learn.thread')).toBe(2);
        await threads.kill('learn.thread');
        await learn();
        await expect(learn({ signal: AbortSignal.abort() })).rejects.toThrow('stopped');
        expect(await learn()).toEqual(first);
        const { signal } = new AbortController();
        const take = (): Promise<void> => Promise.reject(new Error('No space left'));
        await expect(subject.learner.learn({ ...request, sold: true }, { take, signal })).rejects.toThrow(
          'No space left',
        );
        expect(await learn()).toEqual(first);
        expect(threads.count('learn.thread')).toBeGreaterThanOrEqual(4);
      });
    });

    it('counts the purchases that came since', async () => {
      expect(await subject.learner.newPurchases('s1', 0)).toEqual({ count: 0, last: 0 });
      const [first] = await subject.log.append([bought('ana', ['p1']), bought('bia', ['p1']), anEvent()]);
      const seq = first?.outcome === 'stored' ? first.seq : 0;
      const all = await subject.learner.newPurchases('s1', 0);
      expect(all.count).toBe(2);
      expect(await subject.learner.newPurchases('s1', seq)).toEqual({ count: 1, last: all.last });
      expect(await subject.learner.newPurchases('s1', all.last)).toEqual({ count: 0, last: all.last });
      expect(await subject.learner.newPurchases('s2', 0)).toEqual({ count: 0, last: 0 });
    });

    it('tells of each store that sold something what it sold last', async () => {
      await subject.log.append([bought('ana', ['p1']), bought('bia', ['p1'])]);
      const { last } = await subject.learner.newPurchases('s1', 0);
      expect(await subject.learner.newest(['s1', 's2'])).toEqual(new Map([['s1', last]]));
    });

    it('counts up to a thousand', async () => {
      await subject.log.append(Array.from({ length: 1100 }, (_, at) => bought(`u${at}`, ['p1'])));
      expect((await subject.learner.newPurchases('s1', 0)).count).toBe(1000);
    });
  });
}
