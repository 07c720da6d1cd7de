import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { ElasticDocuments } from './adapters/elastic/elastic-documents';
import { EmbeddedDocuments } from './adapters/embedded/embedded-documents';
import { Documents } from './documents';
import { CacheInvalidation } from './cache-invalidation';

/** Documents, and what is held in memory of them, for everybody. */
@Global()
@Module({
  providers: [
    adapterOf<Documents>(Documents, {
      embedded: (database) => new EmbeddedDocuments(database),
      production: ({ elastic, bulk }) => ElasticDocuments.open(elastic, bulk),
    }),
    CacheInvalidation,
  ],
  exports: [Documents, CacheInvalidation],
})
export class DocumentsModule {}
