import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedDatabase } from '../../src/storage/sqlite/embedded-database';
import { ElasticConnection, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';
import { commandModules } from '../../src/storage/sqlite/command-modules';
import { Storage } from '../../src/storage/storage';
import { dropIndices } from './elastic';
import { redisText, rowsOf } from './stored';
import { describeOn } from './servers';

/** Milliseconds for Redis, and for an answer of the embedded service: what is asked here is whether the service is right, on however busy a machine. */
const PATIENT_MS = 5000;

/** What one service of a test keeps everything in, apart from all others. */
export interface Place {
  mode: 'embedded' | 'production';
  /** The settings that say so. */
  env: Record<string, string>;
  /** Opened once more; whoever opens it closes it. `inASecond`: an answer of the embedded service has no more time than in service. */
  open(options?: { inASecond?: boolean }): Promise<Storage>;
  /** All that is stored, as text: to look for what must not be there. */
  everything(): Promise<string>;
  /** Every row, document and value that is stored, a line each, without what is left of others on disk. */
  rows(): Promise<string>;
  remove(): Promise<void>;
}

/** A way to run the service: `await place()` is an empty place for one. */
export interface Mode {
  name: Place['mode'];
  place(): Place;
}

export const embeddedMode: Mode = {
  name: 'embedded',
  place: () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'));
    return {
      mode: 'embedded',
      env: { DATA_DIR: folder },
      open: async ({ inASecond = false } = {}) => {
        const database = await EmbeddedDatabase.open(folder, commandModules());
        return Storage.embedded(database, inASecond ? {} : { answerMs: PATIENT_MS });
      },
      everything: async () =>
        readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), 'latin1'))
          .join('\n'),
      rows: async () => rowsOf(folder),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

export const productionMode = (urls: { elasticsearch: string; redis: string }): Mode => ({
  name: 'production',
  place: () => {
    const prefix = `t${randomBytes(6).toString('hex')}`;
    return {
      mode: 'production',
      env: {
        ELASTICSEARCH_URL: urls.elasticsearch,
        REDIS_URL: urls.redis,
        INDEX_PREFIX: prefix,
        ADMIN_SECRET: randomBytes(24).toString('hex'),
        LINK_SECRET: randomBytes(24).toString('hex'),
      },
      open: () =>
        Storage.production({
          elasticsearch: { url: urls.elasticsearch },
          redis: { url: urls.redis },
          prefix,
          timeoutMs: LONG_TIMEOUT,
          limitMs: PATIENT_MS,
        }),
      everything: () => connected(urls.elasticsearch, prefix, textOf),
      rows: async () =>
        `${await connected(urls.elasticsearch, prefix, textOf)}\n${await redisText(urls.redis, prefix)}`,
      // What is in Redis expires.
      remove: () => connected(urls.elasticsearch, prefix, dropIndices),
    };
  },
});

async function connected<T>(
  url: string,
  prefix: string,
  work: (connection: ElasticConnection) => Promise<T>,
): Promise<T> {
  const connection = await ElasticConnection.open({ url, prefix, timeoutMs: LONG_TIMEOUT });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function textOf(connection: ElasticConnection): Promise<string> {
  const index = connection.index('*');
  await connection.call((client, options) => client.indices.refresh({ index }, options));
  const { hits } = await connection.call((client, options) => client.search({ index, size: 10_000 }, options));
  return hits.hits.map((hit) => JSON.stringify(hit)).join('\n');
}

/** The same tests in each way to run the service; production on real servers. */
export function describeModes(body: (mode: Mode) => void): void {
  describe('embedded', () => body(embeddedMode));
  describeOn(['elasticsearch', 'redis'], (urls) => body(productionMode(urls)));
}
