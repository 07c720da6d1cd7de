import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ElasticEventArchive } from '../behaviour/events/adapters/elastic/elastic-event-archive';
import { EmbeddedEventArchive } from '../behaviour/events/adapters/embedded/embedded-event-archive';
import { ElasticRecordArchive } from '../catalog/records/adapters/elastic/elastic-record-archive';
import { EmbeddedRecordArchive } from '../catalog/records/adapters/embedded/embedded-record-archive';
import { ConfigModule } from '../config/config.module';
import type { Settings } from '../config/settings';
import { ElasticDocumentArchive } from '../documents/adapters/elastic/elastic-document-archive';
import { EmbeddedDocumentArchive } from '../documents/adapters/embedded/embedded-document-archive';
import { Documents } from '../documents/documents';
import { DocumentsModule } from '../documents/documents.module';
import { JobQueue } from '../jobs/job-queue';
import { JobSchedules } from '../jobs/job-schedules';
import { jobQueue } from '../jobs/jobs.module';
import { ElasticSearchArchive } from '../search/log/adapters/elastic/elastic-search-archive';
import { EmbeddedSearchArchive } from '../search/log/adapters/embedded/embedded-search-archive';
import { ElasticLedgerArchive } from '../showcase/ledger/adapters/elastic/elastic-ledger-archive';
import { EmbeddedLedgerArchive } from '../showcase/ledger/adapters/embedded/embedded-ledger-archive';
import { type Archive, ARCHIVES } from '../storage/archive';
import { openStorage, Storage, takeDataFolder } from '../storage/storage';
import { StorageModule } from '../storage/storage.module';
import { Exporter } from './exporter';
import { Importer } from './importer';

/** Stores are documents, and come last: until they are there, nobody can call what is half restored. */
const openArchives = (storage: Storage, documents: Documents): Promise<Archive[]> =>
  storage.choose<Promise<Archive[]>>({
    embedded: async (database) => [
      new EmbeddedEventArchive(database),
      new EmbeddedRecordArchive(database),
      new EmbeddedLedgerArchive(database),
      new EmbeddedSearchArchive(database),
      new EmbeddedDocumentArchive(database, documents),
    ],
    production: ({ elastic, bulk }) =>
      Promise.all([
        ElasticEventArchive.open(elastic),
        ElasticRecordArchive.open(elastic, bulk),
        ElasticLedgerArchive.open(elastic),
        ElasticSearchArchive.open(elastic),
        new ElasticDocumentArchive(elastic, documents),
      ]),
  });

/** What `vitrine export` and `vitrine import` need of the service: what it keeps, and nothing that runs. */
@Module({})
class ArchiveModule {
  static forRoot(settings: Settings, storage: Promise<Storage>): DynamicModule {
    return {
      module: ArchiveModule,
      imports: [ConfigModule.forRoot({ settings }), StorageModule.forRoot({ storage }), DocumentsModule],
      providers: [
        { provide: ARCHIVES, inject: [Storage, Documents], useFactory: openArchives },
        // Asked for what is not done; it does no work here.
        JobSchedules,
        jobQueue,
        Exporter,
        Importer,
      ],
    };
  }
}

export interface Archiving {
  exporter: Exporter;
  importer: Importer;
}

/** Works on what the settings name. `alone`: refused where a service runs on the same data folder. */
export async function withArchives<T>(
  settings: Settings,
  { alone }: { alone: boolean },
  work: (archiving: Archiving) => Promise<T>,
): Promise<T> {
  const storage = openStorage(settings, alone ? takeDataFolder(settings) : null);
  const app = await NestFactory.createApplicationContext(ArchiveModule.forRoot(settings, storage), {
    logger: ['error'],
    abortOnError: false,
  });
  try {
    return await work({ exporter: app.get(Exporter), importer: app.get(Importer) });
  } finally {
    // The queue has a connection of its own, though it was never started.
    await app.get(JobQueue).stop();
    await app.close();
  }
}
