import { Global, Module } from '@nestjs/common';
import { adapterOf } from '../storage/adapter-of';
import { RedisPeers } from './adapters/redis/redis-peers';
import { ElasticDocuments } from './adapters/elastic/elastic-documents';
import { EmbeddedDocuments } from './adapters/embedded/embedded-documents';
import { Documents } from './documents';
import { CacheInvalidation } from './cache-invalidation';
import { NoPeers, Peers } from './peers';

/** Documents, and what is held in memory of them, for everybody. */
@Global()
@Module({
  providers: [
    adapterOf<Documents>(Documents, {
      embedded: (database) => new EmbeddedDocuments(database),
      production: ({ elastic, bulk }) => ElasticDocuments.open(elastic, bulk),
    }),
    adapterOf<Peers>(Peers, {
      embedded: () => new NoPeers(),
      production: ({ redis }) => new RedisPeers(redis),
    }),
    CacheInvalidation,
  ],
  exports: [Documents, CacheInvalidation],
})
export class DocumentsModule {}
