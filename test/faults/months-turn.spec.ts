import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { indexDefinition } from '../../src/storage/elastic/index-definition';
import { VELOZ } from '../builders/a-shop';
import { TestServer } from '../servers/test-server';
import { promptly } from '../support/promptly';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { ServiceProcess, stepClock, stepped } from '../support/service-process';
import { aCampaign, type Card, ShowcaseShop, type Widget } from '../support/showcase-shop';
import { type Json, must, type Reply } from '../support/store-client';

const HOUR = 3_600_000;
const FAMILIES = ['events', 'clicks', 'searches'];
/** Shoppers are there so long before the turn and after it. Milliseconds. */
const BEFORE_MS = 3000;
const AFTER_MS = 6000;
/** A service looks at its clock again within this time. Milliseconds. */
const SEEN_AFTER_MS = 200;
/** What is promised, and what a busy machine may add. */
const ANSWERED_WITHIN_MS = 1000 + 4000;

jest.setTimeout(300_000);

/** So many months after this one, as a time and as the end of an index's name; UTC. */
function monthAhead(months: number): { begins: number; name: string } {
  const now = new Date();
  const begins = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months);
  return { begins, name: new Date(begins).toISOString().slice(0, 7) };
}

describe.each(['elasticsearch', 'opensearch'] as const)('a month that ends while shoppers are there, on %s', (kind) => {
  describeOn([kind, 'redis'], ({ redis }) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-clock-'));
    const clock = join(folder, 'ahead');
    let server: TestServer;
    let shop: RefusingShop;
    let serial = 0;

    beforeAll(async () => {
      server = await TestServer.start(kind);
      shop = await RefusingShop.open({ elasticsearch: server.url, redis });
      // As clusters are by default.
      await cluster({ 'action.auto_create_index': true });
      await shop.patiently(() => new ShowcaseShop(shop.store).campaign('c', aCampaign(VELOZ, { budget: 1_000_000 })));
      // One that remembers the time before would take this one for dead, whose clock is ahead.
      await shop.service.stop();
      await setClock(monthAhead(1).begins - HOUR);
      shop.service = await ServiceProcess.start({ ...shop.env, LOG_LEVEL: 'warn', ...stepped(clock) });
      shop.store = shop.store.through(shop.service.send);
      await shop.patiently(async () => must(await shop.search(), 200));
    });
    afterAll(async () => {
      await shop?.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    const setClock = async (time: number): Promise<void> => {
      stepClock(clock, time - Date.now());
      await wait(SEEN_AFTER_MS);
    };
    const cluster = (persistent: Json): Promise<unknown> =>
      shop.connection.call((client, options) => client.cluster.putSettings({ persistent }, options), LONG_TIMEOUT);
    const ofMonth = async (month: string): Promise<string[]> =>
      Object.keys(await shop.indices()).filter((name) => name.endsWith(`-${month}`));
    const wanted = (month: string): string[] => FAMILIES.map((family) => `${family}-${month}`).toSorted();

    const searched = (): Promise<Reply> => shop.search(shop.store, { terms: 'tenis', userId: `u${(serial += 1)}` });
    const viewed = (eventId: string): Promise<Reply> => shop.view({ eventId, userId: `u${(serial += 1)}` });
    const showcase = (): Promise<Reply> =>
      shop.store.send({ path: '/v2/showcases', query: { placement: 'home' }, headers: shop.store.headers });
    const clicked = ({ link }: Card): Promise<Reply> => new ShowcaseShop(shop.store).follow(`${link}&redirect=0`);
    const cardOf = (reply: Reply): Card | undefined =>
      (must(reply, 200)['data'] as unknown as Widget[]).flatMap(({ data }) => data)[0];

    /** Shoppers until so long after the turn. The eventIds that were acknowledged, and what was answered otherwise than well. */
    async function shoppersUntil(over: number): Promise<{ acknowledged: string[]; refused: Reply[] }> {
      const acknowledged: string[] = [];
      const refused: Reply[] = [];
      const well = (reply: Reply): boolean => {
        const isWell = [200, 204].includes(reply.status);
        if (!isWell) refused.push(reply);
        return isWell;
      };
      const shopper = async (): Promise<void> => {
        while (performance.now() < over) {
          well(await searched());
          const eventId = `turn-${(serial += 1)}`;
          if (well(await viewed(eventId))) acknowledged.push(eventId);
          const shown = await showcase();
          const card = well(shown) ? cardOf(shown) : undefined;
          if (card) well(await clicked(card));
          await wait(20);
        }
      };
      await Promise.all([shopper(), shopper()]);
      return { acknowledged, refused };
    }

    async function documents(name: string): Promise<Json[]> {
      const index = shop.connection.index(name);
      await shop.connection.refresh(index);
      const { hits } = await shop.connection.search<Json>({ index, size: 10_000 }, LONG_TIMEOUT);
      return hits.hits.flatMap(({ _source }): Json[] => (_source ? [_source] : []));
    }
    /** Of all events in the log, as their shoppers sent them. */
    const eventIds = async (): Promise<unknown[]> =>
      (await documents('events-*')).map(({ body }) => (JSON.parse(String(body)) as Json)['eventId']);

    /** What was acknowledged is in the log, each once; and the month is as it was defined. */
    async function isRight(month: string, acknowledged: readonly string[]): Promise<void> {
      const kept = await eventIds();
      expect(new Set(kept).size).toBe(kept.length);
      expect(acknowledged.filter((eventId) => !kept.includes(eventId))).toEqual([]);
      expect((await documents(`events-${month}`)).length).toBeGreaterThan(0);
      expect((await documents(`clicks-${month}`)).length).toBeGreaterThan(0);
      for (const family of FAMILIES) {
        const index = shop.connection.index(`${family}-${month}`);
        const found = await shop.connection.call((client, options) => client.indices.getMapping({ index }, options));
        const { _meta, dynamic } = indexDefinition(family).mappings;
        expect(found[index]?.mappings).toMatchObject({ _meta, dynamic });
      }
    }

    async function turn(month: { begins: number; name: string }): Promise<void> {
      await setClock(month.begins - BEFORE_MS);
      const { acknowledged, refused } = await shoppersUntil(performance.now() + BEFORE_MS + AFTER_MS);
      expect(acknowledged.length).toBeGreaterThan(4);
      // On a busy machine the cluster may be late for some; nothing else is in the way of any.
      const told = refused.map(({ status, json, headers }) => [status, json['error'], headers['retry-after']]);
      expect(told).toEqual(refused.map(() => [503, expect.stringMatching(/^(unavailable|overloaded)$/), '1']));
      await shop.patiently(async () => must(await viewed(`after-${month.name}`), 204));
      await isRight(month.name, acknowledged);
    }

    it('has its indices made ahead, and all that comes around the turn is taken', async () => {
      const next = monthAhead(1);
      await shop.patiently(async () => expect((await ofMonth(next.name)).toSorted()).toEqual(wanted(next.name)));
      await turn(next);
    });

    it('nor does it matter where none was made ahead and the templates are gone: the first shoppers make them, as they are defined', async () => {
      const next = monthAhead(2);
      expect(await ofMonth(next.name)).toEqual([]);
      for (const family of FAMILIES) {
        const name = shop.connection.index(family);
        await shop.connection.call((client, options) => client.indices.deleteIndexTemplate({ name }, options));
      }
      await turn(next);
    });

    it('where no index can be made (shard limit), events are 503, searches go on, it is told, and it passes by itself', async () => {
      const next = monthAhead(3);
      await cluster({ 'cluster.max_shards_per_node': 1 });
      await setClock(next.begins + 1000);
      const since = performance.now();
      const refused = await viewed('no-room');
      expect(performance.now() - since).toBeLessThan(ANSWERED_WITHIN_MS);
      expect([refused.status, refused.json['error'], refused.headers['retry-after']]).toEqual([
        503,
        'unavailable',
        '1',
      ]);
      await shop.patiently(async () => must(await searched(), 200));
      await promptly(async () => {
        const { status, json } = await shop.ready();
        const { dependencies, reasons } = json as { dependencies: Json; reasons?: Json };
        expect([status, dependencies['storage'], reasons?.['storage']]).toEqual([
          503,
          'down',
          expect.stringContaining('(shard_limit): no index can be made'),
        ]);
      });
      expect([await shop.metric('elasticsearch_up'), await shop.metric('elasticsearch_writable')]).toEqual([1, 0]);
      expect(await shop.metric('elasticsearch_refusals_total{kind="shard_limit"}')).toBeGreaterThan(0);
      await cluster({ 'cluster.max_shards_per_node': null });
      await shop.patiently(async () => must(await shop.ready(), 200));
      expect((await ofMonth(next.name)).toSorted()).toEqual(wanted(next.name));
      await shop.patiently(async () => must(await viewed('no-room'), 204));
      expect((await eventIds()).filter((eventId) => eventId === 'no-room')).toHaveLength(1);
    });

    it('the log has one line for the shard limit, with what to do, and nothing else', async () => {
      const { stdout } = await shop.service.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('Elasticsearch refuses requests'));
      expect(lines).toEqual([expect.stringContaining('raise cluster.max_shards_per_node')]);
    });
  });
});
