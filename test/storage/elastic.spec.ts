import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { SettingsError } from '../../src/config/settings';
import { loggerOptions } from '../../src/http/logger';
import { ApiError } from '../../src/shared/api-error';
import { assertTaken, BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ElasticConnection, errorType, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import type { IndexDefinition } from '../../src/storage/elastic/index-definition';
import { removalRequest } from '../../src/storage/elastic/remove-documents';
import { TestServer } from '../servers/test-server';
import { dropIndices, openElastic } from '../support/elastic';
import { describeOn } from '../support/servers';
import { unlessStarved } from '../support/unless-starved';

const definition = (schema: number, properties: IndexDefinition['mappings']['properties']): IndexDefinition => ({
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
  mappings: { _meta: { schema }, dynamic: 'strict', properties: properties ?? {} },
});

describe.each(['elasticsearch', 'opensearch'] as const)('the connection to %s', (kind) => {
  describeOn(kind, (urls) => {
    let connection: ElasticConnection;
    beforeAll(async () => {
      connection = await openElastic(urls[kind]);
    });
    afterAll(async () => {
      await dropIndices(connection);
      await connection.close();
    });

    it('recognises the server, writes and reads', async () => {
      expect(connection.distribution).toBe(kind);
      await connection.ensureIndex('plain', definition(1, { name: { type: 'keyword' } }));
      const index = connection.index('plain');
      const document = { name: 'a' };
      await connection.call((client, options) => client.index({ index, id: '1', document }, options));
      const read = await connection.call((client, options) => client.get({ index, id: '1' }, options));
      expect(read._source).toEqual(document);
    });

    it('hands other errors on to the caller', async () => {
      const missing = connection.call((client, options) =>
        client.get({ index: connection.index('no'), id: '1' }, options),
      );
      expect(errorType(await missing.catch((error: unknown) => error))).toBe('index_not_found_exception');
    });

    it('tells of a failure nothing that was sent or answered, to logs and jobs too', async () => {
      const TYPED = 'cpf-of-maria';
      await connection.ensureIndex('numbers', definition(1, { n: { type: 'long' } }));
      const index = connection.index('numbers');
      const bulk = new BulkBatcher(connection);
      const document = JSON.stringify({ n: TYPED });
      const lines: string[] = [];
      const options = loggerOptions('error');
      const logger = pino(options, { write: (line: string): void => void lines.push(line) });
      const failed = await Promise.allSettled<unknown>([
        connection.call((client, call) => client.index({ index, id: `user-${TYPED}`, document: { n: TYPED } }, call)),
        connection.search({ index, query: { range: { n: { gte: TYPED } } } }),
        connection.search({ index, query: { [TYPED]: {} } as never }),
        bulk.write([{ type: 'index', index, id: 'x', document }]).then(assertTaken),
        connection.call((client, call) => client.search({ index, query: { term: { n: TYPED } } }, call), 0),
      ]);
      for (const one of failed) {
        const error: unknown = one.status === 'rejected' ? one.reason : null;
        expect(error).toBeInstanceOf(Error);
        logger.error({ err: error }, String(error));
        const wrapped = new ApiError('internal_error', 'wrapped', { cause: error });
        logger.error({ err: wrapped }, wrapped.message);
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(TYPED);
      }
      expect(lines).toHaveLength(2 * failed.length);
      expect(lines.join('')).not.toContain(TYPED);
      expect(lines.join('')).toMatch(/400 [a-z_]+_exception/);
    });

    it('creates an index once and adds to it what a newer version adds, on replicas of both versions', async () => {
      const older = definition(1, { a: { type: 'keyword' } });
      const newer = definition(2, { a: { type: 'keyword' }, b: { type: 'long' } });
      await Promise.all([connection.ensureIndex('grown', older), connection.ensureIndex('grown', older)]);
      await connection.ensureIndex('grown', newer);
      const mapping = await connection.call((client, options) =>
        client.indices.getMapping({ index: connection.index('grown') }, options),
      );
      expect(mapping[connection.index('grown')]?.mappings).toMatchObject({
        _meta: { schema: 2 },
        properties: { b: { type: 'long' } },
      });
      await expect(connection.ensureIndex('grown', older)).rejects.toThrow(/has schema 2, and this version knows 1/);
      await expect(connection.ensureIndex('grown', definition(3, { a: { type: 'long' } }))).rejects.toThrow(
        SettingsError,
      );
    });
  });
});

describeOn('elasticsearch', () => {
  it('answers "unavailable" within a second while the cluster is stopped or gone, and goes on when it is back', async () => {
    const server = await TestServer.start('elasticsearch');
    const connection = await ElasticConnection.open({ url: server.url, prefix: 't' });
    const ask = () => connection.call((client, options) => client.info({}, options));
    const untilAnswered = async (): Promise<void> => {
      while (!(await ask().catch(() => null))) await wait(20);
    };
    const refused = () =>
      unlessStarved(async () => {
        const since = performance.now();
        const error = await ask().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
        expect(performance.now() - since).toBeLessThan(1000);
      });
    try {
      await untilAnswered();
      server.pause();
      await refused();
      await Promise.all(Array.from({ length: 5 }, refused));
      server.resume();
      await untilAnswered();
      await server.kill();
      await refused();
      await server.startAgain();
      await untilAnswered();
    } finally {
      await connection.close();
      await server.stop();
    }
  });
});

describe('the removal of what a query finds', () => {
  it('is asked for in parts', () => {
    const query = { bool: { filter: [{ term: { store: 's' } }] } };
    expect(removalRequest('i', query)).toEqual({
      index: 'i',
      query,
      max_docs: 10_000,
      conflicts: 'proceed',
      refresh: true,
    });
  });
});

describe('an address that can’t be worked with stops the start with one line', () => {
  let server: Server;
  let answer = { status: 200, body: '{}' };
  let authorization: string | undefined;
  let url: string;
  beforeAll(async () => {
    server = createServer(({ headers }, response) => {
      ({ authorization } = headers);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://vitrine:pass-word@127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => server.close());

  it.each([
    [401, '{}', /the user or the password, is wrong or missing/],
    [403, '{}', /no right/],
    [500, '{}', /it answered 500/],
    [200, '{"version":{"number":"7.10.2"}}', /elasticsearch 7\.10\.2: vitrine needs Elasticsearch 9 or OpenSearch 3/],
    [200, '{"version":{"number":"2.19.0","distribution":"opensearch"}}', /opensearch 2\.19\.0/],
    [200, '{"hello":"world"}', /something else/],
  ])('status %d with %s', async (status, body, message) => {
    answer = { status, body };
    const error = await ElasticConnection.open({ url, prefix: 't' }).catch((thrown: unknown) => thrown as Error);
    expect(error).toBeInstanceOf(SettingsError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain('ELASTICSEARCH_URL http://127.0.0.1');
    expect((error as Error).message).not.toMatch(/pass-word|\n/);
  });

  it('a user who may read but not create', async () => {
    answer = { status: 200, body: '{"version":{"number":"3.1.0","distribution":"opensearch"}}' };
    const connection = await ElasticConnection.open({ url, prefix: 't' });
    answer = { status: 403, body: '{"error":{"type":"security_exception"}}' };
    await expect(connection.ensureIndex('documents', definition(1, {}))).rejects.toThrow(
      /^ELASTICSEARCH_URL: the user has no right to create the index t-documents$/,
    );
    await connection.close();
  });

  it('waits for a cluster that is slow to start', async () => {
    answer = { status: 503, body: '{}' };
    setTimeout(
      () => (answer = { status: 200, body: '{"version":{"number":"3.1.0","distribution":"opensearch"}}' }),
      250,
    );
    const connection = await ElasticConnection.open({ url, prefix: 't' });
    expect(connection.distribution).toBe('opensearch');
    expect(authorization).toBe(`Basic ${Buffer.from('vitrine:pass-word').toString('base64')}`);
    await connection.close();
  });

  it('asks a node that is gone no more, and nobody notices', async () => {
    answer = { status: 200, body: '{"version":{"number":"3.1.0","distribution":"opensearch"}}' };
    const connection = await ElasticConnection.open({ url: `http://127.0.0.1:9,${url}`, prefix: 't' });
    expect(connection.nodes.down).toBe(1);
    for (let asked = 0; asked < 20; asked += 1) {
      await connection.call((client, options) => client.info({}, options), LONG_TIMEOUT);
    }
    await connection.close();
  });

  it('a request that is slow is the end of no node', async () => {
    answer = { status: 200, body: '{"version":{"number":"3.1.0","distribution":"opensearch"}}' };
    const nodes = await Promise.all([aNode(), aNode()]);
    const connection = await ElasticConnection.open({ url: nodes.map((node) => node.url).join(','), prefix: 't' });
    const ask = (path: string, timeoutMs: number) =>
      connection.call((client, options) => client.transport.request({ method: 'GET', path }, options), timeoutMs);
    for (let asked = 0; asked < 4; asked += 1) await expect(ask('/slow', 50)).rejects.toMatchObject(tryAgain);
    for (const node of nodes) node.asked = 0;
    for (let asked = 0; asked < 20; asked += 1) await ask('/', LONG_TIMEOUT);
    expect(nodes.filter((node) => node.asked === 0)).toEqual([]);
    await connection.close();
    for (const node of nodes) node.close();
  });

  it('a node that takes connections and answers nothing gets fewer requests', async () => {
    const [silent, well] = await Promise.all([aNode(), aNode()]);
    const connection = await ElasticConnection.open({ url: `${silent.url},${well.url}`, prefix: 't' });
    const ask = () => connection.call((client, options) => client.info({}, options), 300).catch(() => null);
    silent.silent = true;
    await unlessStarved(async () => {
      while (connection.nodes.down === 0) {
        await Promise.all([ask(), ask()]);
        await wait(50);
      }
      [silent.asked, well.asked] = [0, 0];
      await Promise.all(Array.from({ length: 40 }, ask));
      expect(silent.asked).toBeLessThan(well.asked);
    });
    await connection.close();
    silent.close();
    well.close();
  });

  it('an address where nobody answers', async () => {
    const nobody = { url: 'http://127.0.0.1:9', prefix: 't', startWithinMs: 300 };
    await expect(ElasticConnection.open(nobody)).rejects.toThrow(
      /^ELASTICSEARCH_URL http:\/\/127\.0\.0\.1:9: it does not answer/,
    );
  });
});

const tryAgain = { code: 'unavailable', options: { retryAfter: 1 } };

/** A server that says it is OpenSearch, and takes its time for `/slow`, or for all it is asked. */
async function aNode() {
  const version = '{"version":{"number":"3.1.0","distribution":"opensearch"}}';
  const node = { url: '', asked: 0, silent: false, close: (): void => undefined };
  const own = createServer(({ url, method }, response) => {
    if (method === 'GET') node.asked += 1;
    if (node.silent || url === '/slow') return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(version);
  }).listen(0, '127.0.0.1');
  await once(own, 'listening');
  const address = own.address();
  node.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  node.close = () => {
    own.close();
    own.closeAllConnections();
  };
  return node;
}
