import { Global, Injectable, Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../clock';
import { Documents } from '../documents/documents';
import { Storage } from '../storage/storage';
import { BullmqJobQueue } from './adapters/bullmq/bullmq-job-queue';
import { EmbeddedJobQueue } from './adapters/embedded/embedded-job-queue';
import { JobQueue } from './job-queue';

/** Starts work once every capability has registered its handlers, and hands it back before anything is closed. */
@Injectable()
class JobsLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(private readonly jobs: JobQueue) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }
}

/** Background work, for every capability: handlers are registered in `onModuleInit`. */
@Global()
@Module({
  providers: [
    {
      provide: JobQueue,
      inject: [Storage, Documents, Clock],
      useFactory: (storage: Storage, documents: Documents, clock: Clock): JobQueue =>
        storage.choose<JobQueue>({
          embedded: (database) => new EmbeddedJobQueue(database, clock),
          production: ({ redis }) => new BullmqJobQueue({ documents, redis, clock }),
        }),
    },
    JobsLifecycle,
  ],
  exports: [JobQueue],
})
export class JobsModule {}
