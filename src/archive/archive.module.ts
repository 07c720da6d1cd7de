import { type DynamicModule, Module } from '@nestjs/common';
import { ElasticEventArchive } from '../behaviour/events/adapters/elastic/elastic-event-archive';
import { EmbeddedEventArchive } from '../behaviour/events/adapters/embedded/embedded-event-archive';
import { ElasticRecordArchive } from '../catalog/records/adapters/elastic/elastic-record-archive';
import { EmbeddedRecordArchive } from '../catalog/records/adapters/embedded/embedded-record-archive';
import { Clock } from '../shared/clock';
import { ConfigModule } from '../config/config.module';
import type { Settings } from '../config/settings';
import { ElasticDocumentArchive } from '../documents/adapters/elastic/elastic-document-archive';
import { EmbeddedDocumentArchive } from '../documents/adapters/embedded/embedded-document-archive';
import { Documents } from '../documents/documents';
import { DocumentsModule } from '../documents/documents.module';
import { BullmqJobQueue } from '../jobs/adapters/bullmq/bullmq-job-queue';
import { EmbeddedJobQueue } from '../jobs/adapters/embedded/embedded-job-queue';
import { JobQueue } from '../jobs/job-queue';
import { ElasticLedgerArchive } from '../showcase/ledger/adapters/elastic/elastic-ledger-archive';
import { EmbeddedLedgerArchive } from '../showcase/ledger/adapters/embedded/embedded-ledger-archive';
import { Storage } from '../storage/storage';
import { StorageModule } from '../storage/storage.module';
import { EventArchive } from '../behaviour/events/event-archive';
import { RecordArchive } from '../catalog/records/record-archive';
import { DocumentArchive } from '../documents/document-archive';
import { LedgerArchive } from '../showcase/ledger/ledger-archive';
import { ArchiveParts, Archives } from './archive-parts';
import { Exporter } from './exporter';
import { Importer } from './importer';

const archives = [
  {
    provide: EventArchive,
    inject: [Storage],
    useFactory: (storage: Storage): Promise<EventArchive> =>
      storage.choose<Promise<EventArchive>>({
        embedded: async (database) => new EmbeddedEventArchive(database),
        production: ({ elastic }) => ElasticEventArchive.open(elastic),
      }),
  },
  {
    provide: RecordArchive,
    inject: [Storage],
    useFactory: (storage: Storage): Promise<RecordArchive> =>
      storage.choose<Promise<RecordArchive>>({
        embedded: async (database) => new EmbeddedRecordArchive(database),
        production: ({ elastic, bulk }) => ElasticRecordArchive.open(elastic, bulk),
      }),
  },
  {
    provide: LedgerArchive,
    inject: [Storage],
    useFactory: (storage: Storage): Promise<LedgerArchive> =>
      storage.choose<Promise<LedgerArchive>>({
        embedded: async (database) => new EmbeddedLedgerArchive(database),
        production: ({ elastic }) => ElasticLedgerArchive.open(elastic),
      }),
  },
  {
    provide: DocumentArchive,
    inject: [Storage, Documents],
    useFactory: (storage: Storage, documents: Documents): DocumentArchive =>
      storage.choose<DocumentArchive>({
        embedded: (database) => new EmbeddedDocumentArchive(database, documents),
        production: ({ elastic }) => new ElasticDocumentArchive(elastic, documents),
      }),
  },
  {
    // Asked for what is not done; it does no work here.
    provide: JobQueue,
    inject: [Storage, Documents, Clock],
    useFactory: (storage: Storage, documents: Documents, clock: Clock): JobQueue =>
      storage.choose<JobQueue>({
        embedded: (database) => new EmbeddedJobQueue(database, clock),
        production: ({ redis }) => new BullmqJobQueue(documents, redis, clock),
      }),
  },
];

/** What `vitrine export` and `vitrine import` need of the service: what it keeps, and nothing that runs. */
@Module({})
export class ArchiveModule {
  static forRoot(settings: Settings): DynamicModule {
    return {
      module: ArchiveModule,
      imports: [ConfigModule.forRoot({ settings }), StorageModule.forRoot({ storage: undefined }), DocumentsModule],
      providers: [...archives, Archives, ArchiveParts, Exporter, Importer],
    };
  }
}
