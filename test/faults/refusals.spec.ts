import { aProduct } from '../builders/a-product';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { type Json, must, type Reply } from '../support/store-client';

jest.setTimeout(180_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('what Elasticsearch refuses is nobody’s fault who called', () => {
    let shop: RefusingShop;

    beforeAll(async () => {
      shop = await RefusingShop.open(urls);
      await shop.patiently(accepted);
      // Facets get their ids when they are first shown.
      await shop.patiently(found);
    });
    afterAll(() => shop?.close());

    const told = ({ status, json, headers }: Reply): unknown => [status, json['error'], headers['retry-after']];
    const accepted = async (): Promise<void> => {
      const { status } = await shop.view({ eventId: 'back' });
      if (status !== 204) throw new Error(`${status}`);
    };
    const found = async (): Promise<void> => {
      const { status } = await shop.search();
      if (status !== 200) throw new Error(`${status}`);
    };
    const count = (kind: string): Promise<number> => shop.metric(`elasticsearch_refusals_total{kind="${kind}"}`);

    it.each([
      ['disk_full', 'index.blocks.read_only_allow_delete'],
      ['read_only', 'index.blocks.write'],
    ])('%s: writes are 503, reads go on, readiness and metrics say so, and it passes', async (kind, block) => {
      const before = await count(kind);
      await shop.set('*', { [block]: true });
      const eventId = `refused-${kind}`;
      const product = aProduct({ id: `new-${kind}`, name: 'Tênis novo' });
      const replies = [
        await shop.view({ eventId, userId: 'bia' }),
        await shop.put(product),
        await shop.store.send({
          method: 'POST',
          path: '/v7/products',
          headers: shop.store.headers,
          body: { products: [product] },
        }),
        await shop.store.admin({ method: 'PATCH', path: '', body: { name: 'outra' } }),
      ];
      expect(replies.map(told)).toEqual(replies.map(() => [503, 'unavailable', '1']));
      await shop.patiently(found);
      const ready = await shop.ready();
      expect([ready.status, (ready.json['dependencies'] as Json)['storage']]).toEqual([503, 'down']);
      expect(await count(kind)).toBeGreaterThan(before);
      expect([await shop.metric('elasticsearch_up'), await shop.metric('elasticsearch_writable')]).toEqual([1, 0]);
      await shop.set('*', { [block]: null });
      expect((await shop.ready()).status).toBe(200);
      await shop.patiently(async () => must(await shop.view({ eventId, userId: 'bia' }), 204));
      await shop.patiently(async () => must(await shop.put(product), 202));
      const events = await shop.store.exported('bia');
      expect(events.filter(({ body }) => (body as Json | undefined)?.['eventId'] === eventId)).toHaveLength(1);
    });

    it('the log has one line for each kind, with what to do, and nothing that was sent', async () => {
      const { stdout } = await shop.service.stop();
      for (const kind of ['disk_full', 'read_only']) {
        const lines = stdout.split('\n').filter((line) => line.includes(`Elasticsearch refuses requests (${kind}`));
        expect(lines).toHaveLength(1);
      }
      expect(stdout).toMatch(/free space or add nodes/);
      expect(stdout).not.toMatch(/refused-disk_full|bia|new-disk_full/);
      const ofRequests = stdout.split('\n').filter((line) => line.includes('"requestId"'));
      expect(ofRequests.filter((line) => line.includes('ElasticError'))).toEqual([]);
    });
  }),
);
