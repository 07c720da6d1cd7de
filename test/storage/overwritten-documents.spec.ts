import { setTimeout as wait } from 'node:timers/promises';
import { BulkBatcher, type BulkOperation } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { OverwrittenDocuments } from '../../src/storage/elastic/overwritten-documents';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const DEFINITION = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '200ms' },
  mappings: { _meta: { schema: 1 }, dynamic: 'strict' as const, properties: { n: { type: 'long' as const } } },
};
const DOCUMENTS = 200;
const MAY_STAY = DOCUMENTS / 4;
/** A shard learns within half a minute that no copy needs what was overwritten. */
const GIVEN_UP_WITHIN_MS = 90_000;

describeOn('elasticsearch', ({ elasticsearch }) => {
  let connection: ElasticConnection;
  let index: string;
  beforeAll(async () => {
    connection = await openElastic(elasticsearch);
    index = connection.index('overwritten');
    await connection.ensureIndex('overwritten', DEFINITION);
  });
  afterAll(async () => {
    await dropIndices(connection);
    await connection.close();
  });

  const deleted = async (): Promise<number> => {
    const { _all: all } = await connection.call((client, options) =>
      client.indices.stats({ index, metric: 'docs' }, options),
    );
    return all.primaries?.docs?.deleted ?? 0;
  };
  const all = Array.from({ length: DOCUMENTS }, (_, id) => id);
  const rewrite = (type: BulkOperation['type'], ids: readonly number[] = all): Promise<unknown> =>
    new BulkBatcher(connection).write(
      ids.map((id) => ({
        type,
        index,
        id: String(id),
        ...(type === 'delete' ? {} : { document: JSON.stringify({ n: id }) }),
      })),
    );

  test('an index gives up what was overwritten where that is more than a quarter of what is there', async () => {
    const refresh = (): Promise<unknown> =>
      connection.call((client, options) => client.indices.refresh({ index }, options));
    await rewrite('index');
    await refresh();
    // The others stay: a segment without any goes by itself.
    await rewrite(
      'index',
      all.filter((id) => id % 2 === 0),
    );
    await refresh();
    expect(await deleted()).toBe(DOCUMENTS / 2);
    const upkeep = new OverwrittenDocuments(connection, 500);
    const until = performance.now() + GIVEN_UP_WITHIN_MS;
    do {
      upkeep.note(index, 1000);
      await wait(1000);
    } while ((await deleted()) > MAY_STAY && performance.now() < until);
    upkeep.close();
    expect(await deleted()).toBeLessThanOrEqual(MAY_STAY);
    const { count } = await connection.call((client, options) => client.count({ index }, options));
    expect(count).toBe(DOCUMENTS);
  });

  test('writes tell of the documents that they write over or delete, and of no others', async () => {
    const note = jest.spyOn(connection.overwritten, 'note');
    try {
      await rewrite('create');
      expect(note).not.toHaveBeenCalled();
      await rewrite('index');
      await rewrite('delete');
      expect(note.mock.calls).toEqual([
        [index, DOCUMENTS],
        [index, DOCUMENTS],
      ]);
      await rewrite('delete');
      await rewrite('create');
      expect(note).toHaveBeenCalledTimes(2);
    } finally {
      note.mockRestore();
    }
  });
});
