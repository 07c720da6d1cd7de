import { LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { aProduct } from '../builders/a-product';
import { promptly } from '../support/promptly';
import { RefusingShop } from '../support/refusing-shop';
import { describeOn } from '../support/servers';
import { runToItsEnd, ServiceProcess } from '../support/service-process';
import { type Json, must, type Reply } from '../support/store-client';

/** No version of the service counts so far. */
const NEWER = 1_000_000;

jest.setTimeout(240_000);

describe.each(['elasticsearch', 'opensearch'] as const)('what others made, on %s', (kind) => {
  describeOn([kind, 'redis'], (urls) => {
    let shop: RefusingShop;

    beforeAll(async () => {
      shop = await RefusingShop.open({ elasticsearch: urls[kind], redis: urls.redis });
      await shop.patiently(searches);
      await shop.patiently(() => views('before'));
    });
    afterAll(() => shop?.close());

    const searches = async (): Promise<void> => void must(await shop.search(), 200);
    const views = async (eventId: string): Promise<void> => void must(await shop.view({ eventId }), 204);
    const writes = async (): Promise<void> => void must(await shop.put(aProduct({ id: 'novo', name: 'Tênis' })), 202);
    const ask = (work: Parameters<typeof shop.connection.call>[0]): Promise<unknown> =>
      shop.connection.call(work, LONG_TIMEOUT);
    const definitionOf = async (index: string): Promise<Json> =>
      ((await ask((client, options) => client.indices.get({ index }, options))) as Json)[index] as Json;
    /** Says of an index that another version made it. The schema it had. */
    const mark = async (index: string, schema: number): Promise<number> => {
      const { _meta: own } = (await definitionOf(index))['mappings'] as { _meta: { schema: number } };
      const request = { index, _meta: { ...own, schema } };
      await ask((client, options) => client.indices.putMapping(request, options));
      return own.schema;
    };
    const refusedStart = async (): Promise<string> => {
      const { code, stderr } = await runToItsEnd({ ...shop.env, PORT: '0', DEMO: 'off', LOG_LEVEL: 'error' });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^vitrine did not start: .*\n$/)]);
      return stderr;
    };
    const starts = async (): Promise<void> => {
      const another = await ServiceProcess.start(shop.env);
      try {
        await shop.patiently(async () => must(await shop.search(shop.store.through(another.send)), 200));
      } finally {
        await another.kill();
      }
    };
    const thisMonth = async (): Promise<string> =>
      Object.keys(await shop.indices())
        .filter((name) => /^events-\d{4}-\d{2}$/.test(name))
        .toSorted()[0] ?? '';

    it.each(['records', 'documents', 'a month'])(
      '%s of a newer version: who runs goes on, a start ends with one line that names it, and works again afterwards',
      async (which) => {
        const index = shop.connection.index(which === 'a month' ? await thisMonth() : which);
        const schema = await mark(index, NEWER);
        await shop.patiently(searches);
        await shop.patiently(() => views(`newer-${which}`));
        await shop.patiently(writes);
        expect(await refusedStart()).toContain(
          `The index ${index} has schema ${NEWER}, and this version knows ${schema}: start the version that made it, or a newer one`,
        );
        await mark(index, schema);
        await starts();
      },
    );

    it('the index of one store that a newer version has made anew serves here, too', async () => {
      const serving = await shop.servingIndex(shop.store);
      const schema = await mark(shop.connection.index(serving), NEWER);
      await shop.patiently(searches);
      await shop.patiently(writes);
      await starts();
      expect(await shop.servingIndex(shop.store)).toBe(serving);
      await mark(shop.connection.index(serving), schema);
    });

    it('one of all stores that somebody else made in its stead: 503 and told by name, it stays as it is, and a start is refused', async () => {
      const index = shop.connection.index('showcase');
      await ask((client, options) => client.indices.delete({ index }, options));
      const theirs = { index, mappings: { properties: { n: { type: 'long' as const } } } };
      await ask((client, options) => client.indices.create(theirs, options));
      const told = ({ status, json, headers }: Reply): unknown => [status, json['error'], headers['retry-after']];
      const metrics = (): Promise<Reply> => shop.store.admin({ path: '/metrics/showcase' });
      expect(told(await metrics())).toEqual([503, 'unavailable', '1']);
      await shop.patiently(searches);
      await promptly(async () => {
        const { status, json } = await shop.ready();
        expect([status, JSON.stringify(json['reasons'])]).toEqual([
          503,
          expect.stringContaining(`The index ${index} was made by somebody else`),
        ]);
      });
      expect(await shop.metric('elasticsearch_refusals_total{kind="alien_index"}')).toBeGreaterThan(0);
      expect(await refusedStart()).toContain(`The index ${index} was made before and is gone (index_lost)`);
      expect(await definitionOf(index)).toMatchObject({ mappings: theirs.mappings });
    });
  });
});
