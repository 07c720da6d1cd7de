import { CatalogListener } from '../../src/catalog/catalog-listener';
import { IndexCheck } from '../../src/catalog/reindexing/index-check';
import { Reindexing } from '../../src/catalog/reindexing/reindexing';
import { SampleQueries } from '../../src/catalog/reindexing/sample-queries';
import { CatalogWriter } from '../../src/catalog/indexing/catalog-writer';
import { ElasticCatalogRecords } from '../../src/catalog/records/adapters/elastic/elastic-catalog-records';
import { SystemClock } from '../../src/shared/clock';
import type { Secrets } from '../../src/config/secrets';
import { ElasticDocuments } from '../../src/documents/adapters/elastic/elastic-documents';
import { CacheInvalidation } from '../../src/documents/cache-invalidation';
import { NoPeers } from '../../src/documents/peers';
import { BullmqJobQueue } from '../../src/jobs/adapters/bullmq/bullmq-job-queue';
import { ElasticSearchEngine } from '../../src/engine/adapters/elastic/elastic-search-engine';
import { DocumentedIndices } from '../../src/engine/adapters/elastic/mapping/documented-indices';
import { LocationDirectory } from '../../src/engine/adapters/elastic/locations/location-directory';
import { BulkBatcher } from '../../src/storage/elastic/bulk-batcher';
import { ElasticConnection } from '../../src/storage/elastic/elastic-connection';
import { RedisConnection } from '../../src/storage/redis/redis-connection';
import { StoresService } from '../../src/stores/stores.service';

export interface ReplicaSetup {
  elasticsearch: string;
  redis: string;
  prefix: string;
  /** Milliseconds until the job of a dead worker is taken over. */
  lease: number;
  /** Of one request, milliseconds; as in production where it is absent. */
  timeoutMs?: number;
  /** Stores begin in a pool, and have an index of their own from so many products on; absent: all have. */
  ownFrom?: number;
}

const SECRETS: Secrets = { adminSecret: ['a'.repeat(32)], linkSecret: ['l'.repeat(32)] };

/** Nothing waits for products here. */
class Nobody extends CatalogListener {
  override async productsArrived(): Promise<void> {}
}

interface Parts {
  connection: ElasticConnection;
  redis: RedisConnection;
  changes: CacheInvalidation;
  engine: ElasticSearchEngine;
  stores: StoresService;
  writer: CatalogWriter;
  reindexing: Reindexing;
  jobs: BullmqJobQueue;
}

/** The catalog of one process in production: records, index and jobs, without the rest of the service. */
export class CatalogReplica {
  readonly connection: ElasticConnection;
  readonly engine: ElasticSearchEngine;
  readonly stores: StoresService;
  readonly writer: CatalogWriter;
  readonly reindexing: Reindexing;
  readonly jobs: BullmqJobQueue;

  private constructor(private readonly parts: Parts) {
    const { connection, engine, stores, writer, reindexing, jobs } = parts;
    this.connection = connection;
    this.engine = engine;
    this.stores = stores;
    this.writer = writer;
    this.reindexing = reindexing;
    this.jobs = jobs;
  }

  static async open({
    elasticsearch,
    timeoutMs,
    prefix,
    lease,
    ownFrom,
    ...urls
  }: ReplicaSetup): Promise<CatalogReplica> {
    const clock = new SystemClock();
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    const connection = await ElasticConnection.open({ url: elasticsearch, prefix, ...limit });
    const redis = await RedisConnection.open({ url: urls.redis, prefix });
    const bulk = new BulkBatcher(connection);
    const documents = await ElasticDocuments.open(connection, bulk);
    const changes = new CacheInvalidation(documents, new NoPeers());
    const stores = new StoresService(documents, changes, clock, SECRETS);
    await stores.onModuleInit();
    const records = await ElasticCatalogRecords.open(connection, bulk, clock);
    const locations = ownFrom === undefined ? {} : { directory: new LocationDirectory(documents, changes), ownFrom };
    const engine = new ElasticSearchEngine(connection, clock, {
      memory: new DocumentedIndices(documents),
      ...locations,
    });
    const writer = new CatalogWriter(records, engine, new Nobody(), stores, clock);
    const jobs = new BullmqJobQueue({ documents, caches: changes, redis }, clock, { lease, reconcile: 200 });
    const check = new IndexCheck(engine, records, new SampleQueries(), clock);
    const reindexing = new Reindexing(records, engine, writer, jobs, stores, check, clock);
    return new CatalogReplica({ connection, redis, changes, engine, stores, writer, reindexing, jobs });
  }

  /** As a worker does. */
  async work(): Promise<void> {
    this.reindexing.onModuleInit();
    await this.jobs.start();
  }

  async close(): Promise<void> {
    const { jobs, changes, redis, connection } = this.parts;
    await jobs.stop();
    changes.onModuleDestroy();
    await redis.close();
    await connection.close();
  }
}
