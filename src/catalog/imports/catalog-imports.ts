import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ImportFiles } from '../../jobs/imports/import-files';
import { JobQueue, type NewJob } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import type { Store } from '../../stores/store';
import { FeedMappings } from '../feeds/feed-mappings';
import { addressIn } from './address-body';
import { checkAddress } from './feed-source';
import type { ImportQuery } from './import-options';
import type { ImportPayload, ImportWork } from './import-payload';
import { limited } from './uploads/limited';
import { Uploads } from './uploads/uploads';

export const IMPORT = 'catalog.import';
/** An import that was interrupted goes on; one that ends its process again and again does not. */
const ATTEMPTS = 5;
/** Milliseconds; doubled each time. A server of a store may be restarting. */
const BACKOFF = 3000;

/** `key`: while a job with it waits, it is answered instead. */
type Asked = Pick<NewJob, 'key' | 'askedBy'>;

/** Takes whole feeds of products in: they are staged durably, then imported by a job (contract 8). */
@Injectable()
export class CatalogImports {
  constructor(
    private readonly files: ImportFiles,
    private readonly jobs: JobQueue,
    private readonly mappings: FeedMappings,
    private readonly uploads: Uploads,
  ) {}

  /**
   * The body is the feed, or `{ url, user?, password? }`; with `upload` there is none. The feed is durable and the job waits when this
   * resolves.
   */
  async stage(store: Store, body: unknown, query: ImportQuery & Asked): Promise<{ jobId: string }> {
    if (query.upload !== undefined) return this.importUpload(store, body, { ...query, upload: query.upload });
    if (!(body instanceof Readable)) throw new ApiError('invalid_body', 'Send the feed as the body, or { "url" }');
    const work = await this.workOf(store, query);
    const asked = { askedBy: query.askedBy };
    const { address, feed } = await addressIn(body);
    if (address) {
      checkAddress(address, store);
      return this.enqueue(store, { ...work, source: address }, asked);
    }
    const { file } = await this.files.stage(store.id, Readable.from(limited(feed), { objectMode: false }));
    return this.enqueue(store, { ...work, source: { file } }, asked);
  }

  private async importUpload(
    store: Store,
    body: unknown,
    query: ImportQuery & Asked & { upload: string },
  ): Promise<{ jobId: string }> {
    const { upload, dryRun, askedBy } = query;
    if (body !== undefined) throw new ApiError('invalid_body', 'The feed was uploaded: send no body');
    const work = await this.workOf(store, query);
    const asked = dryRun ? { askedBy } : { askedBy, key: `upload:${upload}` };
    return this.uploads.import(store, upload, {
      dryRun,
      start: (files) => this.enqueue(store, { ...work, source: { files } }, asked),
    });
  }

  async enqueue(store: Store, payload: ImportPayload, asked: Asked): Promise<{ jobId: string }> {
    const job = { kind: IMPORT, store: store.id, payload, attempts: ATTEMPTS, backoffMs: BACKOFF, ...asked };
    return { jobId: await this.jobs.enqueue(job) };
  }

  private async workOf(store: Store, query: ImportQuery): Promise<ImportWork> {
    const { format, encoding, delimiter, quote, columns, mode, force, dryRun } = query;
    const mapping = query.mapping === undefined ? null : (await this.mappings.get(store, query.mapping)).mapping;
    const syntax = { format, encoding, delimiter, quote };
    return { mode, force, dryRun, syntax, columns: columns ?? {}, mapping };
  }
}
