import { Global, Module } from '@nestjs/common';
import { EmbeddedDatabase } from '../storage/embedded-database';
import { EmbeddedDocuments } from './adapters/embedded/embedded-documents';
import { Documents } from './documents';

/** Documents, for everybody. */
@Global()
@Module({
  providers: [
    {
      provide: Documents,
      inject: [EmbeddedDatabase],
      useFactory: (database: EmbeddedDatabase): Documents => new EmbeddedDocuments(database),
    },
  ],
  exports: [Documents],
})
export class DocumentsModule {}
