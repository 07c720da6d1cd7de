import { randomBytes } from 'node:crypto';
import { ElasticConnection, LONG_TIMEOUT } from '../src/storage/elastic';
import { TestServer } from '../test/servers/test-server';
import { dropIndices } from '../test/support/elastic';

/** Elasticsearch and Redis for one measured shop: those named, or some of its own. */
export class Production {
  readonly prefix = `bench${randomBytes(4).toString('hex')}`;
  private readonly secret = randomBytes(24).toString('hex');

  private constructor(
    readonly elasticsearchUrl: string,
    private readonly redisUrl: string,
    private readonly own: readonly TestServer[],
  ) {
    process.once('exit', () => void Promise.all(own.map((server) => server.stop())));
  }

  static async open(given: { elasticsearch: string | undefined; redis: string | undefined }): Promise<Production> {
    const own: TestServer[] = [];
    const urlOf = async (kind: 'elasticsearch' | 'redis'): Promise<string> => {
      const url = given[kind];
      if (url !== undefined) return url;
      const server = await TestServer.start(kind);
      own.push(server);
      return server.url;
    };
    return new Production(await urlOf('elasticsearch'), await urlOf('redis'), own);
  }

  /** What the service is told; `elasticsearchUrl`: of something in between. */
  settings(elasticsearchUrl = this.elasticsearchUrl): Record<string, string> {
    return {
      ELASTICSEARCH_URL: elasticsearchUrl,
      REDIS_URL: this.redisUrl,
      INDEX_PREFIX: this.prefix,
      ADMIN_SECRET: this.secret,
      LINK_SECRET: this.secret,
    };
  }

  connect(): Promise<ElasticConnection> {
    return ElasticConnection.open({ url: this.elasticsearchUrl, prefix: this.prefix, timeoutMs: LONG_TIMEOUT });
  }

  /** Leaves nothing on a server that others use. */
  async close(): Promise<void> {
    if (this.own.length < 2) {
      const connection = await this.connect();
      await dropIndices(connection);
      await connection.close();
    }
    await Promise.all(this.own.map((server) => server.stop()));
  }
}
