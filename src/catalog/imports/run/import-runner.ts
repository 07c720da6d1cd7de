import type { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ImportFiles } from '../../../jobs/imports/import-files';
import { ImportReport } from '../../../jobs/imports/import-report';
import { type JobContext, JobFailure, JobQueue } from '../../../jobs/job-queue';
import type { Store } from '../../../stores/store';
import { StoresService } from '../../../stores/stores.service';
import { CatalogWriter } from '../../indexing/catalog-writer';
import { CatalogRecords } from '../../records/catalog-records';
import { IMPORT } from '../catalog-imports';
import { type Checkpoint, Checkpoints } from './checkpoints';
import { type CatalogImportResult, FeedImport } from './feed-import';
import { RemoteFeeds } from '../remote-feeds';
import { openStaged, removeStaged } from './staged-feed';
import { FeedWorkspace } from './feed-workspace';
import type { ImportPayload, StagedFeed } from '../import-payload';

/** At a time in one process, each of another store. */
const AT_ONCE = 2;

type Context = JobContext<ImportPayload>;

/** What an import reads and writes. */
@Injectable()
export class ImportedCatalog {
  constructor(
    readonly records: CatalogRecords,
    readonly writer: CatalogWriter,
  ) {}
}

/** Runs imports: fetches what is not staged yet, imports it, and cleans up. */
@Injectable()
export class ImportRunner implements OnModuleInit {
  constructor(
    private readonly files: ImportFiles,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly catalog: ImportedCatalog,
    private readonly checkpoints: Checkpoints,
    private readonly remote: RemoteFeeds,
  ) {}

  onModuleInit(): void {
    this.jobs.process<ImportPayload>(IMPORT, (context) => this.run(context), { concurrency: AT_ONCE });
  }

  private async run(context: Context): Promise<CatalogImportResult> {
    const { job, payload, signal } = context;
    const store = this.stores.byId(job.store);
    if (!store) {
      if ('file' in payload.source || 'files' in payload.source) await removeStaged(this.files, payload.source);
      return new ImportReport().finish();
    }
    await this.checkpoints.sweep(job);
    const before = await this.checkpoints.read(job);
    const staged = before?.staged ?? (await this.remote.staged(store, payload, signal));
    if (!staged) return { ...new ImportReport().finish(), notModified: true };
    if (!before) await this.checkpoints.begin(job, staged);
    const result = before?.done ? before.result : await this.import(context, store, { staged, before });
    if (!payload.dryRun) await this.remote.remember(store, payload, staged.validators);
    // What was uploaded in pieces and was only tried is imported later.
    if (!(payload.dryRun && 'files' in staged)) await removeStaged(this.files, staged);
    return result;
  }

  private async import(
    context: Context,
    store: Store,
    { staged, before }: { staged: StagedFeed; before: Checkpoint | null },
  ): Promise<CatalogImportResult> {
    const open = (): Promise<Readable> => openStaged(this.files, staged);
    const saver = this.checkpoints.saver(context.job);
    const save = (checkpoint: Checkpoint): Promise<void> => saver({ ...checkpoint, staged });
    const workspace = await FeedWorkspace.open();
    try {
      return await new FeedImport({ ...this.catalog, workspace }, { store, open, context, before, save }).do();
    } catch (error) {
      // What was uploaded can be tried again, with its job; what was fetched is fetched anew then.
      if (error instanceof JobFailure && staged.validators) {
        await this.checkpoints.forget(context.job);
        await removeStaged(this.files, staged);
      }
      throw error;
    } finally {
      await workspace.close();
    }
  }
}
