import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError } from '../../src/shared/api-error';
import { assertTaken, BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { ElasticError, refusalOf } from '../../src/storage/elastic/elastic-error';
import { assertWritable } from '../../src/storage/elastic/index-blocks';
import { ReadBatcher } from '../../src/storage/elastic/read-batcher';
import { type Refused, Refusals } from '../../src/storage/elastic/refusals';
import { toApiError } from '../../src/http/error-body';
import { TestServer } from '../servers/test-server';
import { describeOn } from '../support/servers';

const DEFINITION = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: { _meta: { schema: 1 }, dynamic: 'strict' as const, properties: { name: { type: 'keyword' as const } } },
};
const NOW = Date.UTC(2026, 0, 15);

describe.each(['elasticsearch', 'opensearch'] as const)('what %s refuses', (kind) => {
  describeOn(kind, () => {
    let server: TestServer;
    let connection: ElasticConnection;
    const told: Refused[] = [];

    beforeAll(async () => {
      server = await TestServer.start(kind);
      connection = await ElasticConnection.open({
        url: server.url,
        prefix: 't',
        timeoutMs: LONG_TIMEOUT,
        startWithinMs: LONG_TIMEOUT,
      });
      connection.refusals.onRefusal((one) => void told.push(one));
      await connection.ensureIndex('documents', DEFINITION);
      await connection.ensureIndex('events-2020-01', DEFINITION);
      const ofOneStore = { index: connection.index('products-loja'), ...DEFINITION };
      await connection.call((client, options) => client.indices.create(ofOneStore, options));
    });
    afterAll(async () => {
      await connection?.close();
      await server?.stop();
    });

    const set = (name: string, settings: Record<string, boolean | null>): Promise<unknown> =>
      connection.call((client, options) =>
        client.indices.putSettings({ index: connection.index(name), settings }, options),
      );
    const ofCluster = (persistent: Record<string, unknown>): Promise<unknown> =>
      connection.call((client, options) => client.cluster.putSettings({ persistent }, options));
    const write = async (): Promise<void> => {
      const document = JSON.stringify({ name: 'cpf-of-maria' });
      const operation = { type: 'index' as const, index: connection.index('documents'), id: 'secret-id', document };
      assertTaken(await new BulkBatcher(connection).write([operation]));
    };
    const read = (): Promise<unknown> => ReadBatcher.of(connection).read(connection.index('documents'), ['secret-id']);
    const search = (): Promise<unknown> =>
      connection.search({ index: connection.index('documents'), aggs: { n: { terms: { field: 'name' } } } });
    const isWritable = (): Promise<boolean> =>
      assertWritable(connection, NOW).then(
        () => true,
        () => false,
      );

    /** The kind of the refusal, which every caller is told as 503, to be tried again. */
    async function refused(work: Promise<unknown>): Promise<string | undefined> {
      const error: unknown = await work.then(
        () => null,
        (cause: unknown) => cause,
      );
      expect(toApiError(error)).toMatchObject({ status: 503, code: 'unavailable', options: { retryAfter: 1 } });
      expect(refusalOf(error)).toBeInstanceOf(ElasticError);
      expect(String(refusalOf(error))).not.toMatch(/cpf-of-maria|secret-id/);
      return refusalOf(error)?.refusal;
    }

    it.each([
      ['disk_full', { 'index.blocks.read_only_allow_delete': true }],
      ['read_only', { 'index.blocks.write': true }],
      ['read_only', { 'index.blocks.read_only': true }],
    ])('%s by %j: writes are refused, reads go on, and it passes', async (why, block) => {
      await write();
      expect(await isWritable()).toBe(true);
      await set('documents', block);
      expect(await refused(write())).toBe(why);
      expect(await isWritable()).toBe(false);
      await expect(read()).resolves.toMatchObject([{ source: { name: 'cpf-of-maria' } }]);
      const [name = ''] = Object.keys(block);
      await set('documents', { [name]: null });
      await write();
      expect(await isWritable()).toBe(true);
    });

    it('a month that is over, and the index of one store, concern not all', async () => {
      await set('events-2020-01', { 'index.blocks.write': true });
      await set('products-loja', { 'index.blocks.write': true });
      expect(await isWritable()).toBe(true);
    });

    it('index_closed: by id, by search and by write', async () => {
      const index = connection.index('documents');
      await connection.call((client, options) => client.indices.close({ index }, options));
      for (const work of [read, search, write]) expect(await refused(work())).toBe('index_closed');
      expect(await isWritable()).toBe(false);
      await connection.call((client, options) => client.indices.open({ index }, options));
      await connection.call((client, options) => client.cluster.health({ index, wait_for_status: 'yellow' }, options));
      await write();
    });

    it('shard_limit: an index that can’t be made', async () => {
      await ofCluster({ 'cluster.max_shards_per_node': 1 });
      expect(await refused(connection.ensureIndex('another', DEFINITION))).toBe('shard_limit');
      await ofCluster({ 'cluster.max_shards_per_node': null });
      await connection.ensureIndex('another', DEFINITION);
    });

    it('overloaded: its memory is full', async () => {
      await ofCluster({ 'indices.breaker.request.limit': '1b' });
      expect(await refused(search())).toBe('overloaded');
      await ofCluster({ 'indices.breaker.request.limit': null });
      await search();
    });

    it('other: a request it does not understand', async () => {
      const query = { range: { name: { 'cpf-of-maria': 1 } } } as never;
      expect(await refused(connection.search({ index: connection.index('documents'), query }))).toBe('other');
    });

    it('each kind is told once, and counted', () => {
      const kinds = told.map((one) => one.kind);
      expect(new Set(kinds).size).toBe(kinds.length);
      const all = ['disk_full', 'read_only', 'index_closed', 'shard_limit', 'overloaded', 'other'];
      expect(kinds).toEqual(expect.arrayContaining(all));
      expect(connection.refusals.count('read_only')).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(told)).not.toMatch(/cpf-of-maria|secret-id/);
    });
  });
});

describe('what a server before the cluster refuses', () => {
  it.each([
    [401, 'no_rights'],
    [403, 'no_rights'],
    [413, 'too_large'],
    [429, 'overloaded'],
    [400, 'other'],
    [500, 'other'],
    [503, undefined],
    [404, undefined],
  ])('%i: %s, and no fault of the caller', async (status, why) => {
    let answer = 200;
    const proxy = createServer((_request, response) => {
      const body = { version: { number: '3.1.0', distribution: 'opensearch' } };
      response.writeHead(answer, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const connection = await ElasticConnection.open({ url: `http://127.0.0.1:${port}`, prefix: 't' });
    answer = status;
    const error: unknown = await connection.search({}).catch((cause: unknown) => cause);
    expect(toApiError(error)).toMatchObject({ status: 503, code: 'unavailable' });
    expect(refusalOf(error)?.refusal).toBe(why);
    await connection.close();
    proxy.close();
    proxy.closeAllConnections();
  });
});

describe('refusals', () => {
  it('are told at once, then once a minute with how many there were', () => {
    const told: [string, number][] = [];
    const refusals = new Refusals();
    refusals.onRefusal(({ kind, count }) => void told.push([kind, count]));
    for (const now of [0, 1, 59_999, 60_000, 60_001]) refusals.note('disk_full', 'a write', now);
    refusals.note('other', 'a search', 2);
    expect(told).toEqual([
      ['disk_full', 1],
      ['disk_full', 3],
      ['other', 1],
    ]);
    expect(refusals.count('disk_full')).toBe(5);
    expect(toApiError(new ApiError('conflict', 'kept')).code).toBe('conflict');
  });
});
