import type { Settings } from '../config/settings';
import { BulkGatherer } from './bulk-gatherer';
import { ElasticConnection } from './elastic';
import { EmbeddedDatabase } from './embedded-database';
import { procedureModules } from './procedure-modules';
import { RedisConnection } from './redis';

export interface EmbeddedParts {
  database: EmbeddedDatabase;
}

export interface ProductionParts {
  elastic: ElasticConnection;
  /** Every durable write of this process. */
  bulk: BulkGatherer;
  redis: RedisConnection;
}

interface Adapters<T> {
  embedded(parts: EmbeddedParts): T | Promise<T>;
  production(parts: ProductionParts): T | Promise<T>;
}

/**
 * Where everything is kept. The one place where the settings choose: modules ask it for their adapters,
 * `storage.choose({ embedded: ({ database }) => ..., production: ({ elastic, bulk }) => ... })`.
 */
export abstract class Storage {
  abstract choose<T>(adapters: Adapters<T>): T | Promise<T>;
  /** After everything that uses it has stopped. */
  abstract close(): Promise<void>;
}

export class EmbeddedStorage extends Storage {
  constructor(private readonly parts: EmbeddedParts) {
    super();
  }

  override choose<T>({ embedded }: Adapters<T>): T | Promise<T> {
    return embedded(this.parts);
  }

  override close(): Promise<void> {
    return this.parts.database.close();
  }
}

export class ProductionStorage extends Storage {
  constructor(private readonly parts: ProductionParts) {
    super();
  }

  override choose<T>({ production }: Adapters<T>): T | Promise<T> {
    return production(this.parts);
  }

  override async close(): Promise<void> {
    await Promise.all([this.parts.redis.close(), this.parts.elastic.close()]);
  }
}

/** `database`: one that is being opened already. Throws SettingsError, one line, where a server can't be worked with. */
export async function openStorage(settings: Settings, database?: Promise<EmbeddedDatabase>): Promise<Storage> {
  const { elasticsearchUrl, redisUrl, indexPrefix: prefix } = settings;
  if (elasticsearchUrl === null || redisUrl === null) {
    const opened = await (database ?? EmbeddedDatabase.open(settings.dataDir, procedureModules()));
    return new EmbeddedStorage({ database: opened });
  }
  const elastic = await ElasticConnection.open({ url: elasticsearchUrl, prefix });
  try {
    const redis = await RedisConnection.open({ url: redisUrl, prefix });
    return new ProductionStorage({ elastic, bulk: new BulkGatherer(elastic), redis });
  } catch (error) {
    await elastic.close();
    throw error;
  }
}
