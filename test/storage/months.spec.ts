import { ElasticEventLog } from '../../src/behaviour/events/adapters/elastic/elastic-event-log';
import { ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { retry } from '../../src/shared/async/retry';
import { indexDefinition } from '../../src/storage/elastic/index-definition';
import { refusalOf } from '../../src/storage/elastic/elastic-error';
import { anEvent } from '../builders/an-event';
import { TestServer } from '../servers/test-server';
import { describeOn } from '../support/servers';
import { StandingClock } from '../support/whole-app';

const NOW = Date.UTC(2026, 11, 31, 23, 59);
const { mappings } = indexDefinition('events');

describe.each(['elasticsearch', 'opensearch'] as const)('the indices of months on %s', (kind) => {
  describeOn(kind, () => {
    let server: TestServer;
    let connection: ElasticConnection;
    let log: ElasticEventLog;

    beforeAll(async () => {
      server = await TestServer.start(kind);
      connection = await ElasticConnection.open({
        url: server.url,
        prefix: 't',
        timeoutMs: LONG_TIMEOUT,
        startWithinMs: LONG_TIMEOUT,
      });
      log = await ElasticEventLog.open(connection, new StandingClock());
      // As clusters are by default.
      const persistent = { 'action.auto_create_index': true };
      await connection.call((client, options) => client.cluster.putSettings({ persistent }, options));
    });
    afterAll(async () => {
      await connection?.close();
      await server?.stop();
    });

    const mappingOf = async (name: string): Promise<unknown> => {
      const index = connection.index(name);
      const found = await connection.call((client, options) =>
        client.indices.getMapping({ index, ignore_unavailable: true }, options),
      );
      return found[index]?.mappings;
    };
    const ours = { _meta: { schema: mappings._meta.schema }, dynamic: mappings.dynamic };

    it('are there before the month begins, over a year’s turn too', async () => {
      await connection.prepareMonths(NOW);
      expect(await mappingOf('events-2026-12')).toMatchObject(ours);
      expect(await mappingOf('events-2027-01')).toMatchObject(ours);
      expect(await mappingOf('events-2027-02')).toBeUndefined();
      await connection.prepareMonths(NOW + 60_000);
      expect(await mappingOf('events-2027-02')).toMatchObject(ours);
    });

    it('have their definition where the template was deleted, and the template comes back', async () => {
      const name = connection.index('events');
      await connection.call((client, options) => client.indices.deleteIndexTemplate({ name }, options));
      await log.append([anEvent({ at: Date.UTC(2024, 4, 5) })]);
      expect(await mappingOf('events-2024-05')).toMatchObject(ours);
      await connection.prepareMonths(NOW);
      const there = await connection.call((client, options) => client.indices.getIndexTemplate({ name }, options));
      expect(there.index_templates).toHaveLength(1);
    });

    it('are made again where one is deleted while events come', async () => {
      const index = connection.index('events-2024-05');
      await connection.call((client, options) => client.indices.delete({ index }, options));
      await log.append([anEvent({ at: Date.UTC(2024, 4, 6) })]);
      expect(await mappingOf('events-2024-05')).toMatchObject(ours);
    });

    it('are not alone: an index of all stores that is gone is made by no write, is no empty one, and serves when it is restored', async () => {
      const definition = indexDefinition('documents');
      const index = connection.index('documents');
      const remove = (): Promise<unknown> =>
        connection.call((client, options) => client.indices.delete({ index }, options));
      await connection.ensureIndex('documents', definition);
      await remove();
      const key = { store: '*', kind: 'k', id: 'a' };
      const documents = new BulkBatcher(connection);
      const write = (): Promise<unknown> =>
        documents.write([
          { type: 'index', index, id: 'a', document: JSON.stringify({ ...key, version: 1, body: '{}' }) },
        ]);
      const read = (): Promise<unknown> => ReadBatcher.of(connection).read(index, ['a']);
      for (const work of [write, read, () => connection.search({ index }), () => connection.refresh(index)]) {
        const error: unknown = await work().catch((cause: unknown) => cause);
        expect(refusalOf(error)).toMatchObject({ refusal: 'index_lost', message: `The index ${index} is gone` });
      }
      const pattern = `${connection.index('*')}`;
      await expect(connection.shared.assertThere(pattern)).rejects.toThrow(`The index ${index} is gone`);
      expect(await mappingOf('documents')).toBeUndefined();
      // As a snapshot may be restored: without what points to it.
      await connection.call((client, options) => client.indices.create({ index, ...definition }, options));
      await retry(write, { again: () => true, forMs: LONG_TIMEOUT, pauseMs: 50 });
      expect(await read()).toMatchObject([{ source: key }]);
      await connection.shared.assertThere(pattern);
    });

    it('are refused by name where somebody else made one, compatible or not', async () => {
      for (const [month, properties] of [
        ['2023-01', mappings.properties],
        ['2023-02', { seq: { type: 'text' } }],
      ] as const) {
        const index = connection.index(`events-${month}`);
        const name = connection.index('events');
        await connection.call((client, options) => client.indices.deleteIndexTemplate({ name }, options));
        const request = { index, mappings: { properties: properties as never } };
        await connection.call((client, options) => client.indices.create(request, options));
        const error: unknown = await log
          .append([anEvent({ at: Date.parse(`${month}-05`) })])
          .catch((cause: unknown) => cause);
        expect(error).toMatchObject({ code: 'unavailable' });
        expect(refusalOf(error)).toMatchObject({ refusal: 'alien_index', message: `The index ${index}` });
        await expect(ElasticEventLog.open(connection, new StandingClock())).rejects.toThrow(
          `The index ${index} was made by somebody else`,
        );
        await connection.call((client, options) => client.indices.delete({ index }, options));
        await log.append([anEvent({ at: Date.parse(`${month}-05`) })]);
        expect(await mappingOf(`events-${month}`)).toMatchObject(ours);
        await connection.prepareMonths(NOW);
      }
    });
  });
});
