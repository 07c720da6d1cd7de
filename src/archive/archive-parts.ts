import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { JobQueue } from '../jobs/job-queue';
import { type Archive, DocumentArchive, EventArchive, RecordArchive } from './archive';

/** Everything of an installation. */
@Injectable()
export class ArchiveParts implements OnModuleDestroy {
  /** In the order of an export. Stores come last: until they are there, nobody can call what is half restored. */
  readonly archives: readonly Archive[];

  constructor(
    events: EventArchive,
    records: RecordArchive,
    archived: DocumentArchive,
    readonly documents: Documents,
    readonly jobs: JobQueue,
  ) {
    this.archives = [events, records, archived] as Archive[];
  }

  /** The queue has a connection of its own, though it was never started. */
  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }
}
