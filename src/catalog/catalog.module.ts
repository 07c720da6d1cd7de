import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { ElasticCatalogRecords } from './records/adapters/elastic/elastic-catalog-records';
import { EmbeddedCatalogRecords } from './records/adapters/embedded/embedded-catalog-records';
import { CatalogAdminController } from './catalog-admin.controller';
import { CatalogRecords } from './records/catalog-records';
import { CatalogUpkeep } from './indexing/catalog-upkeep';
import { CatalogWriter } from './indexing/catalog-writer';
import { CatalogService } from './catalog.service';
import { ProductsController } from './products.controller';

/** Takes products in and keeps their records. Needs SearchEngine, JobQueue, CatalogListener, StoresService and Clock. */
@Global()
@Module({
  controllers: [ProductsController, CatalogAdminController],
  providers: [
    adapterOf<CatalogRecords>(CatalogRecords, {
      embedded: (database) => new EmbeddedCatalogRecords(database),
      production: ({ elastic, bulk }, clock) => ElasticCatalogRecords.open(elastic, bulk, clock),
    }),
    CatalogService,
    CatalogWriter,
    CatalogUpkeep,
  ],
  exports: [CatalogRecords, CatalogService, CatalogUpkeep, CatalogWriter],
})
export class CatalogModule {}
