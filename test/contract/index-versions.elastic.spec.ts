import { isOfVersion, IndexVersions, stateAggregation } from '../../src/engine/adapters/elastic/mapping/index-versions';
import { type Location, within } from '../../src/engine/adapters/elastic/locations/location';
import { type ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const servers = { elasticsearch: 'Elasticsearch', opensearch: 'OpenSearch' } as const;

for (const kind of ['elasticsearch', 'opensearch'] as const) {
  describeOn(kind, ({ [kind]: url }) => {
    describe(`what an answer of ${servers[kind]} says of a version`, () => {
      let connection: ElasticConnection;
      let made = 0;

      beforeAll(async () => {
        connection = await openElastic(url);
      });
      afterAll(async () => {
        await dropIndices(connection);
        await connection.close();
      });

      async function newIndex(): Promise<string> {
        const index = connection.index(`state-${++made}`);
        const properties = { scope: { type: 'keyword' as const } };
        const body = { index, settings: { number_of_shards: 1 }, mappings: { properties } };
        await connection.call((client, options) => client.indices.create(body, options), LONG_TIMEOUT);
        return index;
      }
      const put = (index: string, id: string, scope = 'mine') =>
        connection.call(
          (client, options) => client.index({ index, id, document: { scope }, refresh: true }, options),
          LONG_TIMEOUT,
        );
      const remove = (index: string, id: string) =>
        connection.call((client, options) => client.delete({ index, id, refresh: true }, options), LONG_TIMEOUT);

      const versionOf = (location: Location) => new IndexVersions(connection, 'copy').current({ store: 's', location });
      /** Of a request that finds nothing: all documents of the place count, whatever it finds. */
      async function isStill(location: Location, version: string): Promise<boolean> {
        const query = { ids: { values: [] } };
        const body = within(location, { query, aggs: { state: stateAggregation(location, version) } });
        const { aggregations } = await connection.search({ index: location.index, size: 0, ...body });
        return isOfVersion(version, aggregations?.['state']);
      }

      test.each([
        ['a store has for itself', null],
        ['stores share', 'mine'],
      ])(
        'of an index that %s: it is of the version until a document is written, written again or removed',
        async (_name, scope) => {
          const index = await newIndex();
          const location: Location = { index, scope };
          for (const id of ['a', 'b', 'c']) await put(index, id);
          const changes = [
            () => put(index, 'd'),
            () => put(index, 'a'),
            // The one that was written last.
            () => put(index, 'a'),
            () => remove(index, 'b'),
            () => remove(index, 'a'),
          ];
          const before: string[] = [];
          for (const change of changes) {
            const version = await versionOf(location);
            expect(await isStill(location, version)).toBe(true);
            for (const other of before) expect(await isStill(location, other)).toBe(false);
            before.push(version);
            await change();
            expect(await isStill(location, version)).toBe(false);
          }
        },
      );

      test('what another store writes to an index that both share changes nothing', async () => {
        const index = await newIndex();
        const location: Location = { index, scope: 'mine' };
        await put(index, 'a');
        const version = await versionOf(location);
        await put(index, 'b', 'other');
        expect(await isStill(location, version)).toBe(true);
      });

      test('an answer of an earlier state, or of another index with as many documents, is of another version', async () => {
        const [index, other] = [await newIndex(), await newIndex()];
        const location: Location = { index, scope: null };
        await put(index, 'a');
        await put(other, 'a');
        const version = await versionOf(location);
        expect(await isStill({ index: other, scope: null }, version)).toBe(false);
        // As a copy that has not seen the last write answers: its highest number is lower.
        await put(other, 'a');
        const later = await versionOf({ index: other, scope: null });
        expect(await isStill(location, later.replace(other, index))).toBe(false);
      });
    });
  });
}
