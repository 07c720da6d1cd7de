import { randomBytes } from 'node:crypto';
import { TestServer } from '../test/servers/test-server';

/** What the service keeps everything in, of this run alone. */
export interface BenchStorage {
  /** Settings the service is started with. */
  env: Record<string, string>;
  /** Null: the embedded database. */
  elasticsearchUrl: string | null;
  stop(): Promise<void>;
}

export const embedded: BenchStorage = { env: {}, elasticsearchUrl: null, stop: () => Promise.resolve() };

/** Real servers on this machine, which share its cores with the service and the load. Throws where they can't be had. */
export async function startProduction(): Promise<BenchStorage> {
  const elastic = await TestServer.start('elasticsearch', 'long');
  const redis = await TestServer.start('redis').catch(async (error: unknown) => {
    await elastic.stop();
    throw error;
  });
  // As docker-compose.yml has it.
  const NODE_OPTIONS = '--max-semi-space-size=32 --v8-pool-size=1';
  const secret = (): string => randomBytes(32).toString('hex');
  return {
    env: {
      NODE_OPTIONS,
      ELASTICSEARCH_URL: elastic.url,
      REDIS_URL: redis.url,
      ADMIN_SECRET: secret(),
      LINK_SECRET: secret(),
    },
    elasticsearchUrl: elastic.url,
    stop: async () => {
      await Promise.all([elastic.stop(), redis.stop()]);
    },
  };
}
