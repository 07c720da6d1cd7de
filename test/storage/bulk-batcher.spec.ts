import { ApiError } from '../../src/shared/api-error';
import { BulkBatcher, bulkLines, type BulkOperation } from '../../src/storage/elastic/bulk-batcher';
import type { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { TestServer } from '../servers/test-server';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';

const definition = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
  mappings: { _meta: { schema: 1 }, dynamic: 'strict' as const, properties: { n: { type: 'long' as const } } },
};

describe('the lines of a _bulk', () => {
  it.each<[string, BulkOperation, object[]]>([
    [
      'index, over an expected state',
      { type: 'index', index: 'i', id: 'a', routing: 's', expected: { seqNo: 3, primaryTerm: 1 }, document: '{"n":1}' },
      [{ index: { _index: 'i', _id: 'a', routing: 's', if_seq_no: 3, if_primary_term: 1 } }, { n: 1 }],
    ],
    ['create', { type: 'create', index: 'i', id: 'a', document: '{}' }, [{ create: { _index: 'i', _id: 'a' } }, {}]],
    [
      'index, with a version of its own',
      { type: 'index', index: 'i', id: 'a', external: { version: 7 }, document: '{}' },
      [{ index: { _index: 'i', _id: 'a', version: 7, version_type: 'external' } }, {}],
    ],
    [
      'index, also over the same version',
      { type: 'index', index: 'i', id: 'a', external: { version: 7, orEqual: true }, document: '{}' },
      [{ index: { _index: 'i', _id: 'a', version: 7, version_type: 'external_gte' } }, {}],
    ],
    ['delete', { type: 'delete', index: 'i', id: 'a' }, [{ delete: { _index: 'i', _id: 'a' } }]],
  ])('%s', (_name, operation, lines) => {
    const text = bulkLines(operation);
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(lines);
  });
});

test('a write to an index that has to be there names its alias, and a deletion makes none', () => {
  const actionOf = (type: BulkOperation['type']): unknown =>
    JSON.parse(bulkLines({ type, index: 'i', id: 'a' }, 'i.there')) as unknown;
  expect(actionOf('create')).toEqual({ create: { _index: 'i.there', require_alias: true, _id: 'a' } });
  expect(actionOf('delete')).toEqual({ delete: { _index: 'i.there', _id: 'a' } });
});

describeOn('elasticsearch', ({ elasticsearch }) => {
  let connection: ElasticConnection;
  let index: string;
  beforeAll(async () => {
    connection = await openElastic(elasticsearch);
    index = connection.index('bulk');
    await connection.ensureIndex('bulk', definition);
  });
  afterAll(async () => {
    await dropIndices(connection);
    await connection.close();
  });

  const create = (id: string, n: number): BulkOperation => ({
    type: 'create',
    index,
    id,
    document: JSON.stringify({ n }),
  });
  const stored = async (): Promise<number> => {
    await connection.call((client, options) => client.indices.refresh({ index }, options));
    return (await connection.call((client, options) => client.count({ index }, options))).count;
  };
  /** Requests the server has taken so far. */
  const requests = async (): Promise<number> => {
    const path = '/_nodes/stats/indices/bulk';
    const answer = await connection.call((client, options) =>
      client.transport.request<{ nodes: Record<string, { indices: { bulk: { total_operations: number } } }> }>(
        { method: 'GET', path },
        options,
      ),
    );
    return Object.values(answer.nodes).reduce((sum, { indices }) => sum + indices.bulk.total_operations, 0);
  };

  it('batches what many callers write, and gives each the items of its own operations', async () => {
    const batcher = new BulkBatcher(connection);
    await batcher.write([create('taken', 0)]);
    const before = await requests();
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        batcher.write([create(`a${n}`, n), create(n === 7 ? 'taken' : `b${n}`, n)]),
      ),
    );
    expect(await requests()).toBeLessThan(before + 30);
    expect(await stored()).toBe(600);
    for (const [n, items] of answers.entries()) {
      expect(items.map(({ status }) => status)).toEqual([201, n === 7 ? 409 : 201]);
    }
    expect(answers[7]?.[1]).toMatchObject({ errorType: 'version_conflict_engine_exception' });
    expect(answers[8]?.[0]).toMatchObject({ version: 1, primaryTerm: 1, seqNo: expect.any(Number) as number });
  });

  it('one bad document fails alone', async () => {
    const batcher = new BulkBatcher(connection);
    const bad: BulkOperation = { type: 'index', index, id: 'bad', document: '{"n":"ninety"}' };
    const [good, worse] = await Promise.all([batcher.write([create('good', 1)]), batcher.write([bad])]);
    expect(good[0]?.status).toBe(201);
    expect(worse[0]).toMatchObject({ status: 400, errorType: 'document_parsing_exception' });
  });

  it('what the server refuses as a whole fails alone, and what shared its request is written', async () => {
    const batcher = new BulkBatcher(connection);
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 9 }, (_, n) => batcher.write([create(`beside${n}`, n)])),
      batcher.write([create('x'.repeat(600), 1)]),
      ...Array.from({ length: 9 }, (_, n) => batcher.write([create(`behind${n}`, n)])),
    ]);
    expect(outcomes.map(({ status }) => status).join(' ')).toBe(
      [...Array(9).fill('fulfilled'), 'rejected', ...Array(9).fill('fulfilled')].join(' '),
    );
    expect(String((outcomes[9] as PromiseRejectedResult).reason)).toContain('action_request_validation_exception');
  });

  it('an index that is not there to be written to keeps nobody waiting who writes to another', async () => {
    const away = connection.index('away');
    const nowhere = { 'index.routing.allocation.require._name': 'no-such-node' };
    const request = { index: away, settings: nowhere, wait_for_active_shards: 0, timeout: '1s' };
    await connection.call((client, options) => client.indices.create(request, options));
    // A shard that is not there is waited for half of that.
    const batcher = new BulkBatcher(connection, { timeoutMs: 12_000 });
    let answered = 0;
    const toNowhere = Array.from({ length: 5 }, (_, n) =>
      batcher
        .write([{ ...create(`away${n}`, n), index: away }])
        .catch((error: unknown) => error)
        .finally(() => (answered += 1)),
    );
    for (let n = 0; n < 3; n += 1) expect((await batcher.write([create(`here${n}`, n)]))[0]?.status).toBe(201);
    expect(answered).toBe(0);
    expect(await Promise.all(toNowhere)).toMatchObject(toNowhere.map(() => ({ code: 'unavailable' })));
  });

  it('refuses what would not fit into memory, and takes it when the queue is empty', async () => {
    const batcher = new BulkBatcher(connection, { capacity: 1000, requestSize: 400 });
    const tries = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => batcher.write([create(`c${n}`, n)])));
    const refused = tries.filter((one) => one.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(50);
    expect(refused[0]?.reason).toMatchObject({ code: 'unavailable' });
    const huge: BulkOperation = { type: 'create', index, id: 'huge', document: `{"n":1${' '.repeat(2000)}}` };
    expect((await batcher.write([huge]))[0]?.status).toBe(201);
  });

  it('sends no request where there is nothing to write', async () => {
    expect(await new BulkBatcher(connection).write([])).toEqual([]);
  });

  it('loses nothing it acknowledged when the server is killed in the middle, and writes on when it is back', async () => {
    const server = await TestServer.start('elasticsearch');
    const own = await openElastic(server.url);
    const batcher = new BulkBatcher(own, { timeoutMs: 2000 });
    await own.ensureIndex('bulk', definition);
    const acknowledged: string[] = [];
    let refused = 0;
    let next = 0;
    const stopped = new AbortController();
    const write = async (): Promise<void> => {
      while (!stopped.signal.aborted) {
        const id = String((next += 1));
        const operation = { ...create(id, next), index: own.index('bulk') };
        const done = await batcher.write([operation]).catch((error: unknown) => error);
        if (Array.isArray(done)) acknowledged.push(id);
        else {
          refused += 1;
          expect(done).toBeInstanceOf(ApiError);
          await new Promise((wait) => setTimeout(wait, 50));
        }
      }
    };
    const untilAcknowledged = async (count: number): Promise<void> => {
      while (acknowledged.length < count) await new Promise((wait) => setTimeout(wait, 20));
    };
    try {
      const writers = Array.from({ length: 8 }, write);
      await untilAcknowledged(100);
      await server.kill();
      const before = acknowledged.length;
      await server.startAgain();
      await untilAcknowledged(before + 100);
      stopped.abort();
      await Promise.all(writers);
      expect(refused).toBeGreaterThan(0);
      const ids = acknowledged;
      const found = await own.call(
        (client, options) => client.mget({ index: own.index('bulk'), ids }, options),
        10_000,
      );
      expect(found.docs.filter((doc) => !('found' in doc) || !doc.found)).toEqual([]);
    } finally {
      stopped.abort();
      await own.close();
      await server.stop();
    }
  });
});
