import { Global, Module } from '@nestjs/common';
import { Clock } from '../clock';
import { Storage } from '../storage/storage';
import { ElasticCatalogRecords } from './adapters/elastic/elastic-catalog-records';
import { EmbeddedCatalogRecords } from './adapters/embedded/embedded-catalog-records';
import { CatalogAdminController } from './catalog-admin.controller';
import { CatalogErasure } from './catalog-erasure';
import { CatalogRecords } from './catalog-records';
import { CatalogUpkeep } from './catalog-upkeep';
import { CatalogWriter } from './catalog-writer';
import { CatalogService } from './catalog.service';
import { IndexTimes } from './index-times';
import { ProductsController } from './products.controller';

/** Products in, and their records for everybody. Needs SearchEngine, JobQueue, CatalogListener, StoresService and Clock. */
@Global()
@Module({
  controllers: [ProductsController, CatalogAdminController],
  providers: [
    {
      provide: CatalogRecords,
      inject: [Storage, Clock],
      useFactory: (storage: Storage, clock: Clock): CatalogRecords | Promise<CatalogRecords> =>
        storage.choose<CatalogRecords | Promise<CatalogRecords>>({
          embedded: (database) => new EmbeddedCatalogRecords(database),
          production: ({ elastic: connection, bulk }) => ElasticCatalogRecords.open({ connection, bulk, clock }),
        }),
    },
    CatalogService,
    CatalogWriter,
    IndexTimes,
    CatalogUpkeep,
    CatalogErasure,
  ],
  exports: [CatalogRecords, CatalogService, CatalogUpkeep, IndexTimes],
})
export class CatalogModule {}
