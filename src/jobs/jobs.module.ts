import { Global, Inject, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Settings } from '../config/settings';
import { CacheInvalidation } from '../documents/cache-invalidation';
import { Documents } from '../documents/documents';
import { adapterOf } from '../storage/adapter-of';
import { BullmqJobQueue } from './adapters/bullmq/bullmq-job-queue';
import { EmbeddedJobQueue } from './adapters/embedded/embedded-job-queue';
import { ElasticImportFiles } from './imports/adapters/elastic/elastic-import-files';
import { EmbeddedImportFiles } from './imports/adapters/embedded/embedded-import-files';
import { ImportFiles } from './imports/import-files';
import { JobMetrics } from './job-metrics';
import { JobQueue } from './job-queue';
import { JobSchedules } from './job-schedules';

/** Starts work once every capability has registered its handlers, and hands it back before anything is closed. */
@Injectable()
class JobsLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly jobs: JobQueue,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  /** A web replica enqueues, and leaves the work to the workers; the embedded service is both. */
  async onApplicationBootstrap(): Promise<void> {
    const { role, storage } = this.settings;
    if (role !== 'web' || storage === 'embedded') await this.jobs.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }
}

export const jobQueue = adapterOf<JobQueue, [JobSchedules, Documents, CacheInvalidation]>(
  JobQueue,
  {
    embedded: (database, clock, schedules) => new EmbeddedJobQueue(database, clock, schedules),
    production: ({ redis }, clock, schedules, documents, caches) =>
      new BullmqJobQueue({ documents, caches, redis, schedules }, clock),
  },
  JobSchedules,
  Documents,
  CacheInvalidation,
);

const importFiles = adapterOf<ImportFiles>(ImportFiles, {
  embedded: (database) => new EmbeddedImportFiles(database),
  production: ({ elastic }, clock) => ElasticImportFiles.open(elastic, clock),
});

/** Background work, for every capability: handlers are registered in `onModuleInit`. */
@Global()
@Module({
  providers: [jobQueue, importFiles, JobSchedules, JobsLifecycle, JobMetrics],
  exports: [JobQueue, JobSchedules, ImportFiles],
})
export class JobsModule {}
