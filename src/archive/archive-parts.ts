import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { JobQueue } from '../jobs/job-queue';
import { EventArchive } from '../behaviour/events/event-archive';
import { RecordArchive } from '../catalog/records/record-archive';
import { DocumentArchive } from '../documents/document-archive';
import { LedgerArchive } from '../showcase/ledger/ledger-archive';
import type { Archive } from '../storage/archive';

/** What each capability keeps. */
@Injectable()
export class Archives {
  /** In the order of an export. Stores come last: until they are there, nobody can call what is half restored. */
  readonly all: readonly Archive[];

  constructor(events: EventArchive, records: RecordArchive, ledger: LedgerArchive, documents: DocumentArchive) {
    this.all = [events, records, ledger, documents] as Archive[];
  }
}

/** Everything of an installation. */
@Injectable()
export class ArchiveParts implements OnModuleDestroy {
  constructor(
    private readonly parts: Archives,
    readonly documents: Documents,
    readonly jobs: JobQueue,
  ) {}

  get archives(): readonly Archive[] {
    return this.parts.all;
  }

  /** The queue has a connection of its own, though it was never started. */
  async onModuleDestroy(): Promise<void> {
    await this.jobs.stop();
  }
}
