import { answerTime } from './elastic/answer-time';
import { BulkBatcher } from './elastic/bulk-batcher';
import { ElasticConnection } from './elastic/elastic-connection';
import type { ElasticAccess, RedisAccess } from '../config/server-access';
import type { Settings } from '../config/settings';
import { RedisConnection } from './redis/redis-connection';
import { commandModules } from './sqlite/command-modules';
import { DataFolder } from './sqlite/data-folder';
import { EmbeddedDatabase } from './sqlite/embedded-database';

/** What production keeps everything in. */
export interface ProductionStorage {
  elastic: ElasticConnection;
  /** Writes of all requests of this process. */
  bulk: BulkBatcher;
  redis: RedisConnection;
}

export interface ProductionSetup {
  elasticsearch: ElasticAccess;
  redis: RedisAccess;
  prefix: string;
  /** Milliseconds for a request to Elasticsearch, and for a command to Redis; absent: as long as a shopper may wait. */
  timeoutMs?: number;
  limitMs?: number;
}

/** Milliseconds in which a shopper's request is answered, or 503 (contract 3: within a second). */
const ANSWER_MS = 1000;

interface EmbeddedSetup {
  /** Released when the storage is closed. */
  folder?: DataFolder | null;
  /** Milliseconds in which a shopper's request is answered; absent: as long as a shopper may wait. */
  answerMs?: number;
}

interface Choices<T> {
  embedded(database: EmbeddedDatabase): T;
  production(parts: ProductionStorage): T;
}

/** What everything is kept in: the embedded database, or Elasticsearch and Redis. A module with an adapter for each chooses here. */
export class Storage {
  private constructor(
    private readonly database: EmbeddedDatabase | null,
    private readonly parts: ProductionStorage | null,
    /** Milliseconds in which a shopper's request is answered, or 503. */
    readonly answerMs: number,
    private readonly folder: DataFolder | null = null,
  ) {}

  static embedded(database: EmbeddedDatabase, { folder = null, answerMs = ANSWER_MS }: EmbeddedSetup = {}): Storage {
    return new Storage(database, null, answerMs, folder);
  }

  /** Throws SettingsError with one line where one of the two can't be worked with. */
  static async production(setup: ProductionSetup): Promise<Storage> {
    const { prefix, timeoutMs, limitMs } = setup;
    const elastic = await ElasticConnection.open({
      ...setup.elasticsearch,
      prefix,
      ...(timeoutMs ? { timeoutMs } : {}),
    });
    try {
      const redis = await RedisConnection.open({ ...setup.redis, prefix, ...(limitMs ? { limitMs } : {}) });
      return new Storage(null, { elastic, bulk: new BulkBatcher(elastic), redis }, answerTime(elastic.timeoutMs));
    } catch (error) {
      await elastic.close();
      throw error;
    }
  }

  choose<T>({ embedded, production }: Choices<T>): T {
    if (this.database) return embedded(this.database);
    if (this.parts) return production(this.parts);
    throw new Error('A storage is one or the other');
  }

  /** Milliseconds that the write which waits longest has waited to be on disk. In production each has a limit of its own, and this is 0. */
  get oldestWriteMs(): number {
    return this.choose({ embedded: ({ writer }) => writer.oldestMs, production: () => 0 });
  }

  async close(): Promise<void> {
    await this.choose<Promise<unknown>>({
      embedded: (database) => database.close(),
      production: ({ elastic, redis }) => Promise.all([elastic.close(), redis.close()]),
    });
    this.folder?.release();
  }
}

/** The data folder for this process alone; null in production, where what is in it is not shared. Throws where another process has it. */
export function takeDataFolder({ storage, dataDir }: Settings): DataFolder | null {
  return storage === 'embedded' ? DataFolder.take(dataDir) : null;
}

/** Production where the addresses of Elasticsearch and Redis are given, else embedded. `folder`: what `takeDataFolder` gave. */
export async function openStorage(settings: Settings, folder: DataFolder | null): Promise<Storage> {
  const { servers, indexPrefix: prefix, dataDir } = settings;
  if (servers) return Storage.production({ ...servers, prefix });
  try {
    return Storage.embedded(await EmbeddedDatabase.open(dataDir, commandModules()), { folder });
  } catch (error) {
    folder?.release();
    throw error;
  }
}
