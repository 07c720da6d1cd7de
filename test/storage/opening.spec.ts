import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../../src/shared/api-error';
import { ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import type { IndexDefinition } from '../../src/storage/elastic/index-definition';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { aliasFor } from '../../src/storage/elastic/shared-indices';
import { eventually } from '../support/acknowledged';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const DEFINITION: IndexDefinition = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
  mappings: { _meta: { schema: 1 }, dynamic: 'strict', properties: { name: { type: 'keyword' } } },
};
/** For an index that is opening. */
const WAIT_MS = 3000;
const SHORT_MS = 800;
const NODE = 'index.routing.allocation.require._name';

describe.each(['elasticsearch', 'opensearch'] as const)('an index of %s that is just being opened', (kind) => {
  describeOn(kind, (urls) => {
    let connection: ElasticConnection;
    beforeAll(async () => {
      connection = await openElastic(urls[kind], { timeoutMs: SHORT_MS });
    });
    afterAll(async () => {
      await dropIndices(connection);
      await connection.close();
    });

    async function failsWithoutWaiting(ask: () => Promise<unknown>): Promise<void> {
      const since = performance.now();
      await expect(ask()).rejects.toThrow(ApiError);
      expect(performance.now() - since).toBeLessThan(WAIT_MS - 500);
    }

    /** Makes an index that no node may hold, and answers what lets a node have it. */
    async function unopened(name: string): Promise<() => Promise<unknown>> {
      // The connection knows it as one that was there.
      await connection.ensureIndex(name, DEFINITION);
      const index = connection.index(name);
      await connection.call((client, options) => client.indices.delete({ index }, options), LONG_TIMEOUT);
      const nowhere = { ...DEFINITION, aliases: { [aliasFor(index)]: {} }, wait_for_active_shards: 0 };
      const settings = { ...nowhere.settings, [NODE]: 'nobody' };
      await connection.call(
        (client, options) => client.indices.create({ index, ...nowhere, settings }, options),
        LONG_TIMEOUT,
      );
      return () =>
        connection.call(
          (client, options) => client.indices.putSettings({ index, settings: { [NODE]: null } }, options),
          LONG_TIMEOUT,
        );
    }

    it('is waited for by a long search, and not by a short one', async () => {
      const open = await unopened('searched');
      const index = connection.index('searched');
      await failsWithoutWaiting(() => connection.search({ index }));
      const [found] = await Promise.all([connection.search({ index }, LONG_TIMEOUT), wait(300).then(open)]);
      expect(found.hits.hits).toEqual([]);
    });

    it('is waited for by a long read of documents by id, and not by a short one', async () => {
      const open = await unopened('read');
      const index = connection.index('read');
      const short = ReadBatcher.of(connection, connection.timeoutMs);
      await failsWithoutWaiting(() => short.read(index, ['a']));
      const [found] = await Promise.all([ReadBatcher.of(connection).read(index, ['a']), wait(300).then(open)]);
      expect(found).toEqual([null]);
    });

    it('is lost where it was waited for in vain: no other read waits for it, until it is read again', async () => {
      const open = await unopened('lost');
      const index = connection.index('lost');
      const read = () => ReadBatcher.of(connection).read(index, ['a']);
      const since = performance.now();
      await expect(read()).rejects.toThrow(ApiError);
      expect(performance.now() - since).toBeGreaterThan(WAIT_MS - 500);
      await failsWithoutWaiting(read);
      await open();
      const again = () => read().catch(() => null);
      await eventually(async () => (await again()) !== null);
    });
  });
});
