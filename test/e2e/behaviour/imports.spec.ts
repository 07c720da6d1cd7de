import { LearnedStats } from '../../../src/behaviour/learning/learned-stats';
import { LearningService } from '../../../src/behaviour/learning/learning.service';
import { TrendSink } from '../../../src/behaviour/learning/trend-sink';
import { productStatsKey, shareKey } from '../../../src/ranking/affinity';
import { StoresService } from '../../../src/stores/stores.service';
import { type Json, must } from '../../support/store-client';
import { type Shop, startShop } from './shop';
import { describeModes } from '../../support/modes';

describeModes((mode) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await startShop('imports', mode);
  });
  afterAll(() => shop.close());

  const NDJSON = { 'content-type': 'application/x-ndjson' };

  async function imported(lines: readonly (Json | string)[]): Promise<Json> {
    const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const reply = await shop.store.admin({ method: 'POST', path: '/events/imports', headers: NDJSON, body });
    const job = await shop.store.completed(String(must(reply, 202)['jobId']));
    return job['result'] as Json;
  }

  /** Forty buyers over two years: those with an even number take even shoes, which go together. */
  function history(): Json[] {
    const start = Date.UTC(2024, 0, 1);
    return Array.from({ length: 1200 }, (_, index) => {
      const user = index % 40;
      const pid = `p${(user % 2) + 2 * ((Math.floor(index / 40) * 7 + user) % 20)}`;
      const timestamp = start + index * 14_400_000;
      return {
        name: 'transaction',
        id: `h${index}`,
        userId: `buyer-${user}`,
        timestamp,
        items: [{ pid, quantity: 1 }],
      };
    });
  }

  describe('event imports', () => {
    test('takes history of any age, and counts repeats once', async () => {
      const lines = history();
      expect(await imported(lines)).toEqual({ accepted: 1200, unchanged: 0, removed: 0, rejected: 0, errors: [] });
      expect(await imported([...lines.slice(0, 100), lines[0]!])).toMatchObject({ accepted: 0, unchanged: 101 });
      const { weights } = (await shop.store.vector('users', 'buyer-0')) as {
        weights: { sources: { last: string }[] }[];
      };
      expect(weights[0]?.sources[0]?.last).toMatch(/^202[45]-/);
    });

    test('names the line of each mistake and takes the others', async () => {
      const good = (id: string): Json => ({
        name: 'product',
        pid: 'p1',
        userId: id,
        timestamp: '2025-05-01T10:00:00Z',
      });
      const result = await imported([
        good('l1'),
        '{ "name": ',
        '',
        { ...good('l4'), name: 'nothing' },
        { name: 'product', pid: 'p1', userId: 'l5' },
        { ...good('l6'), timestamp: '2099-01-01' },
        { ...good('l7'), pid: undefined },
        '[1]',
        JSON.stringify({ ...good('l9'), pad: 'x'.repeat(70_000) }),
        good('l10'),
      ]);
      expect(result).toMatchObject({ accepted: 2, rejected: 7 });
      const errors = result['errors'] as { line: number; error: string }[];
      expect(errors.map(({ line, error }) => [line, error])).toEqual([
        [2, 'invalid_json'],
        [4, 'invalid_parameter'],
        [5, 'invalid_body'],
        [6, 'invalid_body'],
        [7, 'invalid_body'],
        [8, 'invalid_body'],
        [9, 'body_too_large'],
      ]);
    });

    test('takes the same stranger twice, but an event of theirs with an id once', async () => {
      const stranger = { name: 'product', pid: 'p1', timestamp: '2025-05-01T10:00:00Z' };
      expect(await imported([stranger, stranger])).toMatchObject({ accepted: 2 });
      const known = { ...stranger, eventId: 'i-1' };
      expect(await imported([known, known])).toMatchObject({ accepted: 1, unchanged: 1 });
    });

    test('takes nothing but NDJSON, from ops alone', async () => {
      const call = { method: 'POST', path: '/events/imports', body: { name: 'home' } };
      expect((await shop.store.admin(call)).status).toBe(415);
      const token = shop.whole.token('relevance');
      const reply = await shop.whole.send({
        method: 'POST',
        path: '/admin/stores/imports/events/imports',
        headers: { ...NDJSON, authorization: `Bearer ${token}` },
        body: '{}',
      });
      expect(reply.status).toBe(403);
    });
  });

  describe('learning', () => {
    const storeId = (): string => shop.whole.app.get(StoresService).byApiKey('imports')!.id;

    test('learns shares, related products and trend from the history', async () => {
      const learning = shop.whole.app.get(LearningService);
      const sink = jest.spyOn(shop.whole.app.get(TrendSink), 'setTrend');
      expect(await learning.run(storeId(), { force: true })).toMatchObject({
        learned: true,
        users: 40,
        purchases: 1200,
      });
      const stats = shop.whole.app.get(LearnedStats);
      const found = await stats.read(storeId(), [shareKey('brand:marca 1'), productStatsKey('p0')]);
      expect(found.get(shareKey('brand:marca 1'))).toBeCloseTo(0.25, 1);
      const { related } = found.get(productStatsKey('p0')) as { related: [string, number][] };
      expect(related.length).toBeGreaterThan(0);
      expect(related.every(([id]) => Number(id.slice(1)) % 2 === 0)).toBe(true);
      const trend = new Map(sink.mock.calls.flatMap(([, part]) => part));
      sink.mockRestore();
      expect(trend.size).toBe(40);
      expect(Math.min(...Array.from(trend.values(), (value) => value ?? 0))).toBeGreaterThan(0);
    });

    test('learns again only where there is something new, or somebody insists', async () => {
      const learning = shop.whole.app.get(LearningService);
      await learning.run(storeId());
      expect(await learning.run(storeId())).toEqual({ learned: false });
      await shop.store.event('transaction', { userId: 'buyer-1', id: 'new', items: [{ pid: 'p1' }] });
      expect(await learning.run(storeId())).toMatchObject({ learned: true, purchases: 1201 });
      expect(await learning.run(storeId(), { force: true })).toMatchObject({ learned: true, purchases: 1201 });
    });

    test('learns as of the time of the clock, and from what was bought before', async () => {
      const { clock } = shop.whole;
      const now = clock.time;
      clock.time = Date.UTC(2024, 3, 1);
      const { purchases } = await shop.whole.app.get(LearningService).run(storeId(), { force: true });
      clock.time = now;
      expect(purchases).toBeGreaterThan(400);
      expect(purchases).toBeLessThan(600);
    });
  });
});
