import { Global, Module } from '@nestjs/common';
import { embeddedOnly, Storage } from '../storage/storage';
import { EmbeddedCatalogRecords } from './adapters/embedded/embedded-catalog-records';
import { CatalogAdminController } from './catalog-admin.controller';
import { CatalogErasure } from './catalog-erasure';
import { CatalogRecords } from './catalog-records';
import { CatalogUpkeep } from './catalog-upkeep';
import { CatalogWriter } from './catalog-writer';
import { CatalogService } from './catalog.service';
import { ProductsController } from './products.controller';

/** Products in, and their records for everybody. Needs SearchEngine, JobQueue, CatalogListener, StoresService and Clock. */
@Global()
@Module({
  controllers: [ProductsController, CatalogAdminController],
  providers: [
    {
      provide: CatalogRecords,
      inject: [Storage],
      useFactory: (storage: Storage): CatalogRecords =>
        storage.choose<CatalogRecords>({
          embedded: (database) => new EmbeddedCatalogRecords(database),
          production: embeddedOnly,
        }),
    },
    CatalogService,
    CatalogWriter,
    CatalogUpkeep,
    CatalogErasure,
  ],
  exports: [CatalogRecords, CatalogService, CatalogUpkeep],
})
export class CatalogModule {}
