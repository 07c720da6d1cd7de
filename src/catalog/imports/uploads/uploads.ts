import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Document, DocumentConflict, type DocumentKey, Documents } from '../../../documents/documents';
import { ImportFiles } from '../../../jobs/imports/import-files';
import { type Job, JobQueue } from '../../../jobs/job-queue';
import { ApiError } from '../../../shared/api-error';
import { retry } from '../../../shared/async/retry';
import { Clock } from '../../../shared/clock';
import type { Store } from '../../../stores/store';
import { FEED_LIMITS } from '../limits';
import { limited } from './limited';
import type { NewUpload, UploadView } from './upload-schemas';

const KIND = 'catalog-upload';
const EXPIRE = 'catalog.uploads';
const DAY = 86_400_000;
/** After its last piece or import: one that failed may be imported again by then, in another way. */
const KEPT_MS = 7 * DAY;
/** A document holds the names of all. */
const MOST_PIECES = 1000;
/** Each may fill as much disk as the largest feed. */
const MOST_UPLOADS = 20;
const CONFLICTS = { times: 20, pauseMs: 20, again: (error: unknown): boolean => error instanceof DocumentConflict };

interface Stored {
  of?: string;
  /** In the order of the feed. */
  pieces: { file: string; bytes: number }[];
  updatedAt: number;
  jobId?: string;
}

const keyOf = (store: string, id: string): DocumentKey => ({ store, kind: KIND, id });
const bytesOf = ({ pieces }: Stored): number => pieces.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Feeds that come in pieces, each durable when it is answered: after a broken connection the sender goes on with the next one. The pieces stay
 * until an import of them has completed, so that a feed can be tried, and imported again in another way, without being sent again.
 */
@Injectable()
export class Uploads implements OnModuleInit {
  constructor(
    private readonly documents: Documents,
    private readonly files: ImportFiles,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process(EXPIRE, () => this.expire());
    this.jobs.every(EXPIRE, DAY);
  }

  /** Throws 409 where a store has too many that were not imported. */
  async begin(store: Store, { of }: NewUpload): Promise<UploadView> {
    if ((await this.list(store)).length >= MOST_UPLOADS && !(await this.forgetImported(store))) {
      throw new ApiError('conflict', `A store has at most ${MOST_UPLOADS} uploads: remove those that are not needed`);
    }
    const id = randomUUID();
    const body: Stored = { ...(of === undefined ? {} : { of }), pieces: [], updatedAt: this.clock.now() };
    await this.documents.put([{ ...keyOf(store.id, id), body, expectedVersion: 0 }]);
    return viewOf(id, body);
  }

  async list(store: Store): Promise<UploadView[]> {
    const found = await this.documents.list<Stored>({ kind: KIND, store: store.id });
    return found.map(({ id, body }) => viewOf(id, body));
  }

  /** Throws 404. */
  async show(store: Store, id: string): Promise<UploadView> {
    return viewOf(id, (await this.find(store, id)).body);
  }

  /** `from`: the bytes before it. Throws 409 where they are not what was taken so far; then nothing of the piece is kept. */
  async add(store: Store, id: string, { from, body }: { from: number; body: unknown }): Promise<UploadView> {
    const { body: before, version } = await this.find(store, id);
    const job = await this.jobOf(before);
    if (job && (isOpen(job) || job.state === 'completed')) throw alreadyImported(id, job.id);
    if (from !== bytesOf(before)) throw otherSlot(id, bytesOf(before));
    if (before.pieces.length >= MOST_PIECES) {
      throw new ApiError('invalid_body', `An upload has at most ${MOST_PIECES} pieces: send larger ones`);
    }
    if (!(body instanceof Readable)) throw new ApiError('invalid_body', 'Send the piece as the body, as it is');
    const left = FEED_LIMITS.body - from;
    const piece = await this.files.stage(store.id, Readable.from(limited(body, left), { objectMode: false }));
    if (piece.bytes === 0) {
      await this.files.remove(piece.file);
      throw new ApiError('invalid_body', 'The piece is empty: send the next bytes of the feed');
    }
    const after: Stored = { ...before, pieces: [...before.pieces, piece], updatedAt: this.clock.now() };
    try {
      await this.documents.put([{ ...keyOf(store.id, id), body: after, expectedVersion: version }]);
    } catch (error) {
      if (!(error instanceof DocumentConflict)) throw error;
      // Another piece came at the same time, or the upload was removed.
      await this.files.remove(piece.file);
      throw otherSlot(id, (await this.show(store, id)).bytes);
    }
    return viewOf(id, after);
  }

  /** Throws 404, and 409 while it is imported. */
  async remove(store: Store, id: string): Promise<void> {
    const { body } = await this.find(store, id);
    const job = await this.jobOf(body);
    if (job && isOpen(job)) throw new ApiError('conflict', `The job ${job.id} imports the upload: cancel it first`);
    await this.discard(store.id, id, body);
  }

  /**
   * Begins an import of what was uploaded; `start` enqueues the job. One that waits or runs already is answered instead, since the sender may have
   * missed its id. Throws 409 once it is imported.
   */
  async import(
    store: Store,
    id: string,
    { dryRun, start }: { dryRun: boolean; start(files: string[]): Promise<{ jobId: string }> },
  ): Promise<{ jobId: string }> {
    const { body } = await this.find(store, id);
    const job = await this.jobOf(body);
    if (job?.state === 'completed') throw alreadyImported(id, job.id);
    if (job && isOpen(job) && !dryRun) return { jobId: job.id };
    if (body.pieces.length === 0) throw new ApiError('invalid_body', `Nothing of the upload "${id}" was sent yet`);
    const started = await start(body.pieces.map(({ file }) => file));
    await retry(() => this.note(store, id, dryRun ? {} : started), CONFLICTS);
    return started;
  }

  private async note(store: Store, id: string, job: { jobId?: string }): Promise<void> {
    const { body, version } = await this.find(store, id);
    const after: Stored = { ...body, updatedAt: this.clock.now(), ...job };
    await this.documents.put([{ ...keyOf(store.id, id), body: after, expectedVersion: version }]);
  }

  /** What was imported is only kept to say so. Whether there was any. */
  private async forgetImported(store: Store): Promise<boolean> {
    let forgotten = false;
    for (const { id, body } of await this.documents.list<Stored>({ kind: KIND, store: store.id })) {
      if ((await this.jobOf(body))?.state !== 'completed') continue;
      await this.discard(store.id, id, body);
      forgotten = true;
    }
    return forgotten;
  }

  private async find(store: Store, id: string): Promise<Document<Stored>> {
    const found = await this.documents.get<Stored>(keyOf(store.id, id));
    if (!found) throw new ApiError('not_found', `There is no upload "${id}"`);
    return found;
  }

  private async jobOf({ jobId }: Stored): Promise<Job | undefined> {
    return jobId === undefined ? undefined : (await this.jobs.find({ id: jobId }))[0];
  }

  private async discard(store: string, id: string, { pieces }: Stored): Promise<void> {
    for (const { file } of pieces) await this.files.remove(file);
    await this.documents.remove(keyOf(store, id));
  }

  private async expire(): Promise<{ uploads: number }> {
    let uploads = 0;
    for (const { store, id, body } of await this.documents.list<Stored>({ kind: KIND })) {
      if (body.updatedAt > this.clock.now() - KEPT_MS) continue;
      const job = await this.jobOf(body);
      if (job && isOpen(job)) continue;
      await this.discard(store, id, body);
      uploads += 1;
    }
    return { uploads };
  }
}

const isOpen = ({ state }: Job): boolean => state === 'waiting' || state === 'active';

function viewOf(id: string, stored: Stored): UploadView {
  const { of, updatedAt, jobId } = stored;
  return {
    id,
    ...(of === undefined ? {} : { of }),
    bytes: bytesOf(stored),
    ...(jobId === undefined ? {} : { jobId }),
    updatedAt: new Date(updatedAt).toISOString(),
    expiresAt: new Date(updatedAt + KEPT_MS).toISOString(),
  };
}

const otherSlot = (id: string, bytes: number): ApiError =>
  new ApiError('conflict', `The upload "${id}" has ${bytes} bytes: the next piece has to come with from=${bytes}`);

const alreadyImported = (id: string, jobId: string): ApiError =>
  new ApiError('conflict', `The upload "${id}" is imported by the job ${jobId}: begin another one`);
