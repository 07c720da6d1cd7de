import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { ElasticCatalogRecords } from './records/adapters/elastic/elastic-catalog-records';
import { EmbeddedCatalogRecords } from './records/adapters/embedded/embedded-catalog-records';
import { CatalogAdminController } from './catalog-admin.controller';
import { CatalogRecords } from './records/catalog-records';
import { ElasticUnindexedRecords } from './records/adapters/elastic/elastic-unindexed-records';
import { AnyStore, UnindexedRecords } from './records/unindexed-records';
import { FeedMappings } from './feeds/feed-mappings';
import { FeedStore } from './feeds/feed-store';
import { FeedsController } from './feeds/feeds.controller';
import { Feeds } from './feeds/feeds.service';
import { MappingTrial } from './feeds/mapping-trial';
import { MappingsController } from './feeds/mappings.controller';
import { FeedSource } from './imports/feed-source';
import { RemoteFeeds } from './imports/remote-feeds';
import { ImportedCatalog, ImportRunner } from './imports/run/import-runner';
import { CatalogImports } from './imports/catalog-imports';
import { Checkpoints } from './imports/run/checkpoints';
import { ImportsController } from './imports/imports.controller';
import { Uploads } from './imports/uploads/uploads';
import { UploadsController } from './imports/uploads/uploads.controller';
import { CatalogUpkeep } from './indexing/catalog-upkeep';
import { StoresDue } from './indexing/stores-due';
import { CatalogWriter } from './indexing/catalog-writer';
import { IndexCheck } from './reindexing/index-check';
import { Reindexing } from './reindexing/reindexing';
import { SampleQueries } from './reindexing/sample-queries';
import { CatalogService } from './catalog.service';
import { ProductsController } from './products.controller';

/** Takes products in and keeps their records. Needs SearchEngine, JobQueue, OutboundRequests, CatalogListener, StoresService and Clock. */
@Global()
@Module({
  controllers: [
    ProductsController,
    CatalogAdminController,
    ImportsController,
    UploadsController,
    FeedsController,
    MappingsController,
  ],
  providers: [
    adapterOf<CatalogRecords>(CatalogRecords, {
      embedded: (database) => new EmbeddedCatalogRecords(database),
      production: ({ elastic, bulk }, clock) => ElasticCatalogRecords.open(elastic, bulk, clock),
    }),
    adapterOf<UnindexedRecords>(UnindexedRecords, {
      embedded: () => new AnyStore(),
      production: ({ elastic }) => new ElasticUnindexedRecords(elastic),
    }),
    CatalogService,
    CatalogWriter,
    CatalogUpkeep,
    StoresDue,
    Checkpoints,
    Uploads,
    CatalogImports,
    IndexCheck,
    Reindexing,
    SampleQueries,
    ImportedCatalog,
    FeedSource,
    RemoteFeeds,
    ImportRunner,
    FeedStore,
    FeedMappings,
    MappingTrial,
    Feeds,
  ],
  exports: [CatalogRecords, CatalogService, CatalogUpkeep, CatalogWriter, Reindexing, SampleQueries],
})
export class CatalogModule {}
