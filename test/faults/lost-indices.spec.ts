import { indexDefinition } from '../../src/storage/elastic/index-definition';
import { LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { aProduct } from '../builders/a-product';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { runToItsEnd, ServiceProcess } from '../support/service-process';
import { aCampaign, ShowcaseShop } from '../support/showcase-shop';
import { type Json, must, type Reply } from '../support/store-client';

jest.setTimeout(240_000);

describeOn(['elasticsearch', 'redis'], (urls) =>
  describe('an index of all stores that is gone is never an empty one', () => {
    let shop: RefusingShop;
    let showcase: ShowcaseShop;

    beforeAll(async () => {
      shop = await RefusingShop.open(urls);
      showcase = new ShowcaseShop(shop.store);
      await shop.patiently(searches);
      await shop.patiently(async () => must(await shop.view({ eventId: 'kept' }), 204));
      await shop.patiently(() => showcase.campaign('c', aCampaign(['veloz-01'])));
    });
    afterAll(() => shop?.close());

    const told = ({ status, json, headers }: Reply): unknown => [status, json['error'], headers['retry-after']];
    const refused = [503, 'unavailable', '1'];
    const there = async (name: string): Promise<boolean> => Object.keys(await shop.indices()).includes(name);
    /** Takes an index out of the way as a deletion does, and gives it back as a restored snapshot does: closed, copied, without its alias. */
    const lose = async (name: string): Promise<() => Promise<void>> => {
      const { connection } = shop;
      const index = connection.index(name);
      const copy = connection.index(`kept-${name}`);
      const block = (names: string, write: boolean | null): Promise<unknown> =>
        connection.call(
          (client, options) =>
            client.indices.putSettings({ index: names, settings: { 'index.blocks.write': write } }, options),
          LONG_TIMEOUT,
        );
      const clone = async (from: string, to: string): Promise<void> => {
        await block(from, true);
        await connection.call(
          (client, options) => client.indices.clone({ index: from, target: to, wait_for_active_shards: 1 }, options),
          LONG_TIMEOUT,
        );
        await connection.call((client, options) => client.indices.delete({ index: from }, options), LONG_TIMEOUT);
        await block(to, null);
      };
      await clone(index, copy);
      return () => clone(copy, index);
    };
    /** Of each index that remembers: which of those that all stores need have been made. */
    const remembered = async (): Promise<Record<string, unknown>> => {
      const { connection } = shop;
      const found = await connection.call(
        (client, options) => client.indices.getMapping({ index: connection.index('*') }, options),
        LONG_TIMEOUT,
      );
      const metas = Object.entries(found).map(([index, { mappings }]) => [index, mappings._meta?.['installed']]);
      return Object.fromEntries(metas.filter(([, installed]) => installed !== undefined)) as Record<string, unknown>;
    };
    const searches = async (): Promise<void> => void must(await shop.search(), 200);
    const isReady = async (): Promise<void> => void must(await shop.ready(), 200);
    const calls: Record<string, () => Promise<Reply>> = {
      documents: () => shop.store.admin({ method: 'PATCH', path: '', body: { name: 'outra' } }),
      records: () => shop.put(aProduct({ id: 'novo', name: 'Tênis novo' })),
      'event-keys': () => shop.view({ eventId: 'new', userId: 'bia' }),
      showcase: () => shop.store.admin({ path: '/metrics/showcase' }),
    };

    it.each(Object.keys(calls))(
      '%s: 503 where it is needed, told by name, and as before when it is restored',
      async (name) => {
        const call = calls[name]!;
        const restore = await lose(name);
        expect(told(await call())).toEqual(refused);
        const ready = await shop.ready();
        expect([ready.status, (ready.json['dependencies'] as Json)['storage']]).toEqual([503, 'down']);
        expect(JSON.stringify(ready.json['reasons'])).toContain(shop.connection.index(name));
        expect(await shop.metric('elasticsearch_refusals_total{kind="index_lost"}')).toBeGreaterThan(0);
        // What is known of a store is still known, and searches go on.
        await shop.patiently(searches);
        expect(await there(name)).toBe(false);
        await restore();
        await shop.patiently(isReady);
        await shop.patiently(async () => expect((await call()).status).toBeLessThan(300));
      },
    );

    it('one whose shard is nowhere: the same, and it passes', async () => {
      const { connection } = shop;
      const restore = await lose('event-keys');
      const index = connection.index('event-keys');
      const { settings, mappings } = indexDefinition('event-keys');
      const nowhere = { ...settings, 'index.routing.allocation.require._name': 'nowhere' };
      const red = { index, settings: nowhere, mappings, wait_for_active_shards: 0 };
      await connection.call((client, options) => client.indices.create(red, options), LONG_TIMEOUT);
      expect(told(await shop.view({ eventId: 'red', userId: 'bia' }))).toEqual(refused);
      const ready = await shop.ready();
      expect([ready.status, JSON.stringify(ready.json['reasons'])]).toEqual([503, expect.stringContaining(index)]);
      expect(await shop.metric('elasticsearch_refusals_total{kind="index_unreadable"}')).toBeGreaterThan(0);
      await shop.patiently(searches);
      await connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      await restore();
      await shop.patiently(isReady);
      await shop.patiently(async () => must(await shop.view({ eventId: 'red', userId: 'bia' }), 204));
    });

    it('a month of the log: the next event makes it anew with its definition, and it is told', async () => {
      const month = Object.keys(await shop.indices()).find((name) => /^events-\d{4}-\d{2}$/.test(name)) ?? '';
      const index = shop.connection.index(month);
      await shop.connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      await shop.patiently(async () => must(await shop.view({ eventId: 'after' }), 204));
      const found = await shop.connection.call(
        (client, options) => client.indices.get({ index }, options),
        LONG_TIMEOUT,
      );
      expect(found[index]?.mappings?._meta?.['schema']).toBeGreaterThan(0);
    });

    describe('a process that is started meanwhile', () => {
      const refusedStart = async (name: string): Promise<void> => {
        const { code, stderr } = await runToItsEnd({ ...shop.env, PORT: '0', DEMO: 'off', LOG_LEVEL: 'error' });
        const index = shop.connection.index(name);
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^vitrine did not start: .*\n$/)]);
        expect(stderr).toContain(
          `The index ${index} was made before and is gone (index_lost): restore it from a snapshot`,
        );
        expect(await there(name)).toBe(false);
      };

      it.each(['documents', 'records', 'event-keys', 'showcase', 'learned'])(
        'without %s: ends with one line that names it, makes none, and starts when it is restored',
        async (name) => {
          await shop.patiently(async () => expect(Object.values(await remembered())).not.toEqual([]));
          const restore = await lose(name);
          await refusedStart(name);
          await restore();
          await shop.patiently(isReady);
          const another = await ServiceProcess.start(shop.env);
          await another.kill();
          await shop.patiently(searches);
        },
      );

      it('one that was given up and made by hand, empty, by its definition: starts', async () => {
        const restore = await lose('learned');
        await refusedStart('learned');
        const index = shop.connection.index('learned');
        const { connection } = shop;
        await connection.call(
          (client, options) => client.indices.create({ index, ...indexDefinition('learned') }, options),
          LONG_TIMEOUT,
        );
        const another = await ServiceProcess.start(shop.env);
        await another.kill();
        await connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
        await restore();
        await shop.patiently(isReady);
      });
    });

    describe('all of them are gone at once, and months alone are left', () => {
      const shared = ['documents', 'event-keys', 'import-files', 'learned', 'records', 'showcase'];
      const left = async (): Promise<string[]> => Object.keys(await shop.indices());
      const named = (text: string): string[] => shared.filter((name) => text.includes(shop.connection.index(name)));

      beforeAll(async () => {
        const { connection } = shop;
        await shop.patiently(async () => {
          const months = Object.entries(await remembered()).filter(([index]) => /-events-\d{4}-\d{2}$/.test(index));
          expect(months.map(([, installed]) => installed)).toContainEqual(expect.arrayContaining(shared));
        });
        const all = (await left()).filter((name) => !/-\d{4}-\d{2}$/.test(name));
        const index = all.map((name) => connection.index(name));
        await connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      });

      it('a service that runs names them all, answers 503, and makes none', async () => {
        expect(told(await calls['documents']!())).toEqual(refused);
        expect(told(await shop.view({ eventId: 'lost', userId: 'bia' }))).toEqual(refused);
        const ready = await shop.ready();
        expect([ready.status, (ready.json['dependencies'] as Json)['storage']]).toEqual([503, 'down']);
        const reasons = JSON.stringify(ready.json['reasons']);
        expect(named(reasons)).toEqual(shared);
        expect(reasons).toContain('restore from a snapshot, as docs/operations.md says');
        expect((await left()).filter((name) => shared.includes(name))).toEqual([]);
      });

      it('one that is started takes it for no first start: it ends with one line that names them all, and makes none', async () => {
        const { code, stderr } = await runToItsEnd({ ...shop.env, PORT: '0', DEMO: 'off', LOG_LEVEL: 'error' });
        expect([code, stderr]).toEqual([1, expect.stringMatching(/^vitrine did not start: .*\n$/)]);
        expect(stderr).toContain('were made before and are gone (index_lost): restore them from a snapshot');
        expect(named(stderr)).toEqual(shared);
        expect((await left()).filter((name) => shared.includes(name))).toEqual([]);
      });

      it('nor where months remember nothing, as those of an older version', async () => {
        const { connection } = shop;
        for (const [index, installed] of Object.entries(await remembered())) {
          expect(installed).toEqual(expect.arrayContaining(shared));
          const { schema } = indexDefinition('events').mappings._meta;
          const request = { index, _meta: { schema } };
          await connection.call((client, options) => client.indices.putMapping(request, options), LONG_TIMEOUT);
        }
        expect(await remembered()).toEqual({});
        const { code, stderr } = await runToItsEnd({ ...shop.env, PORT: '0', DEMO: 'off', LOG_LEVEL: 'error' });
        expect([code, stderr]).toEqual([1, expect.stringContaining('made before and is gone (index_lost)')]);
        expect((await left()).filter((name) => shared.includes(name))).toEqual([]);
      });
    });

    it('the log has a line with what to do', async () => {
      const { stdout } = await shop.service.stop();
      const lines = stdout.split('\n').filter((line) => line.includes('refuses requests (index_lost'));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines[0]).toContain('restore it from a snapshot');
    });
  }),
);
