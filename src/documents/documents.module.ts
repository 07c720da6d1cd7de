import { Global, Module } from '@nestjs/common';
import { Storage } from '../storage/storage';
import { ElasticDocuments } from './adapters/elastic/elastic-documents';
import { EmbeddedDocuments } from './adapters/embedded/embedded-documents';
import { Documents } from './documents';
import { CacheInvalidation } from './cache-invalidation';

/** Documents, and what is held in memory of them, for everybody. */
@Global()
@Module({
  providers: [
    {
      provide: Documents,
      inject: [Storage],
      useFactory: (storage: Storage): Documents | Promise<Documents> =>
        storage.choose<Documents | Promise<Documents>>({
          embedded: (database) => new EmbeddedDocuments(database),
          production: ({ elastic, bulk }) => ElasticDocuments.open(elastic, bulk),
        }),
    },
    CacheInvalidation,
  ],
  exports: [Documents, CacheInvalidation],
})
export class DocumentsModule {}
