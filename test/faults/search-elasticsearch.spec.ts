import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineProducts } from '../builders/an-engine-document';
import { SystemClock } from '../../src/shared/clock';
import { defaultTemplate } from '../../src/ranking/template/template';
import { ApiError } from '../../src/shared/api-error';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { TestServer } from '../servers/test-server';
import { EngineBench } from '../support/engine-bench';
import { describeOn } from '../support/servers';

/** Within which a shopper is told to try again: each of the two requests of a search has 800 ms, and the first one ends it. */
const TOLD_WITHIN = 1000;
/** What a busy machine may add. */
const SLACK = 4000;

describeOn('elasticsearch', () => {
  describe('a search while Elasticsearch does not answer', () => {
    let server: TestServer;
    let connection: ElasticConnection;
    let bench: EngineBench;

    beforeAll(async () => {
      server = await TestServer.start('elasticsearch');
      connection = await ElasticConnection.open({ url: server.url, prefix: 'faults', startWithinMs: 30_000 });
      bench = new EngineBench(new ElasticSearchEngine(connection, new SystemClock()));
      await bench.write([{ productId: 'a', name: 'mesa' }]);
      await untilFound();
    });
    afterAll(async () => {
      await connection.close();
      await server.stop();
    });

    const untilFound = async (): Promise<void> => {
      for (let tries = 0; tries < 600; tries++) {
        const found = await bench.find('mesa').catch((): string[] => []);
        if (found.includes('a')) return;
        await sleep(100);
      }
      throw new Error('It is not found again');
    };
    /** The error of a search for a word, and how long it took. */
    const refused = async (): Promise<{ error: unknown; tookMs: number }> => {
      const begun = performance.now();
      const error = await bench.find('mesa').catch((cause: unknown) => cause);
      return { error, tookMs: performance.now() - begun };
    };

    it.each([
      ['paused', () => server.pause(), () => server.resume()],
      ['killed', () => server.kill(), () => server.startAgain()],
    ])('is refused within a second where it is %s, and answered again without a restart', async (_how, stop, goOn) => {
      await stop();
      // What was known of the words serves no longer.
      await sleep(600);
      const { error, tookMs } = await refused();
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
      expect(tookMs).toBeLessThan(TOLD_WITHIN + SLACK);
      await goOn();
      await untilFound();
      await bench.writeProducts(engineProducts([{ productId: 'b', name: 'cama', version: 2 }]));
      expect(await bench.find('cama')).toEqual(['b']);
    });
  });
});

/** Of a server whose shard finds, and then fails to fetch: how many there are and none of them, unless all or nothing is asked for. */
function failsToFetch(url: string, body: string): object {
  if (url === '/') return { version: { number: '3.0.0', distribution: 'opensearch' } };
  if (!url.includes('_msearch')) return {};
  const headers = body.split('\n').filter((line, number) => number % 2 === 0 && line !== '');
  const answers = headers.map((header) =>
    header.includes('"allow_partial_search_results":false')
      ? { status: 503, error: { type: 'search_phase_execution_exception' } }
      : { status: 200, hits: { total: { value: 5 }, hits: [] } },
  );
  return { responses: answers };
}

describe('a search of which a shard finds, and fails to fetch', () => {
  const server = createServer(async (asked, answer) => {
    const body = await text(asked);
    answer.setHeader('content-type', 'application/json');
    answer.end(JSON.stringify(failsToFetch(asked.url ?? '/', body)));
  });
  let connection: ElasticConnection;

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    connection = await ElasticConnection.open({ url: `http://127.0.0.1:${port}`, prefix: 'faults' });
  });
  afterAll(async () => {
    await connection.close();
    server.close();
  });

  it('is refused, and not answered with a number of products and none of them', async () => {
    const engine = new ElasticSearchEngine(connection, new SystemClock());
    const bench = new EngineBench(engine);
    const search = engine.search({
      plan: bench.plan({ size: 5 }),
      template: defaultTemplate,
      boosts: null,
      explain: false,
    });
    await expect(search).rejects.toMatchObject({ code: 'unavailable', options: { retryAfter: 1 } });
  });
});
