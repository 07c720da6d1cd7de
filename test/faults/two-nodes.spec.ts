import { promptly } from '../support/promptly';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { ServiceProcess } from '../support/service-process';
import { SlowProxy } from '../support/slow-proxy';
import { must } from '../support/store-client';

const ASKED_OFTEN = 12;
const WARNING = { LOG_LEVEL: 'warn' };

jest.setTimeout(240_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('two nodes of Elasticsearch, of which one', () => {
    let nodes: [SlowProxy, SlowProxy];
    let shop: RefusingShop;

    beforeAll(async () => {
      nodes = [await SlowProxy.start(urls.elasticsearch), await SlowProxy.start(urls.elasticsearch)];
      shop = await RefusingShop.open({ ...urls, elasticsearch: nodes.map(({ url }) => url).join(',') }, WARNING);
      await shop.patiently(async () => must(await shop.search(), 200));
    });
    afterAll(async () => {
      for (const node of nodes) node.hung = false;
      await shop?.close();
      for (const node of nodes) node.close();
    });

    let events = 0;
    const works = async (): Promise<void> => {
      must(await shop.search(shop.store, { terms: 'tenis', userId: `u${events}` }), 200);
      events += 1;
      must(await shop.view({ eventId: `event-${events}`, userId: 'bia' }), 204);
    };
    const allWorks = async (): Promise<void> => {
      for (let times = 0; times < ASKED_OFTEN; times += 1) await works();
    };
    const nodesDown = (): Promise<number> => shop.metric('elasticsearch_nodes_down');
    /** Every one of many is answered, from some time on. */
    const worksSoon = (): Promise<void> => shop.patiently(allWorks);
    const down = (count: number): Promise<void> => {
      const says = async (): Promise<void> => expect(await nodesDown()).toBe(count);
      return count > 0 ? promptly(says) : shop.patiently(says);
    };

    it('hangs: after a first refusal all is answered by the other, and the metric says so', async () => {
      nodes[1].hung = true;
      await worksSoon();
      await down(1);
      await shop.patiently(async () => must(await shop.ready(), 200));
      nodes[1].hung = false;
      await down(0);
    });

    it('hangs at the start: a process starts with the other', async () => {
      nodes[0].hung = true;
      const second = await ServiceProcess.start(shop.env);
      try {
        await shop.patiently(async () => must(await shop.search(shop.store.through(second.send)), 200));
      } finally {
        await second.kill();
        nodes[0].hung = false;
      }
    });

    it('is dead: nobody notices, and nothing is lost', async () => {
      await down(0);
      nodes[1].close();
      await worksSoon();
      await down(1);
      const exported = await shop.patiently(() => shop.store.exported('bia'));
      const ids = exported
        .filter(({ type }) => type === 'event')
        .map(({ body }) => (body as { eventId: string }).eventId);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThanOrEqual(ASKED_OFTEN);
    });

    it('is a line in the log when it goes and when it comes back', async () => {
      const { stdout } = await shop.service.stop();
      expect(stdout).toContain('A node of Elasticsearch does not answer');
      expect(stdout).toContain('answers again');
    });
  }),
);
