import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { estypes } from '@elastic/elasticsearch';
import { retry } from '../../../../shared/async/retry';
import type { Clock } from '../../../../shared/clock';
import { ApiError } from '../../../../shared/api-error';
import { assertTaken, BulkBatcher, type BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { removeDocuments } from '../../../../storage/elastic/remove-documents';
import { ImportFiles } from '../../import-files';
import {
  type FileHead,
  type FilePart,
  headId,
  headOperation,
  oldFilesRequest,
  partId,
  partOperation,
  storeFilesRequest,
} from './file-requests';
import { piecesOf } from './pieces';

const INDEX = 'import-files';
/** Bytes of a body in one document, before it is compressed. */
const PIECE = 1_048_576;
/** A large upload does not fail for a moment of overload. */
const TRIES = 5;
/** The pause after attempt n is random, at most n times this. */
const PAUSE_MS = 1000;
/** Longer than any upload takes: what is older and has no head was broken off by a process that died. */
const LEFT_AFTER = 86_400_000;
const SWEEP_EVERY = 3_600_000;

/** Begins the names of a store's files: ids of stores are letters and digits. */
const leadOf = (store: string): string => `${store}.`;

const packed = promisify(gzip);
const unpacked = promisify<Buffer, Buffer>(gunzip);

/**
 * Bodies in one index, in pieces of a megabyte, compressed; every replica can read them. A head that is written last makes a file
 * whole: without it there is none.
 */
export class ElasticImportFiles extends ImportFiles {
  private readonly index: string;
  private readonly bulk: BulkBatcher;
  private readonly reads: ReadBatcher;
  private sweptAt = 0;

  private constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
  ) {
    super();
    this.index = connection.index(INDEX);
    this.bulk = new BulkBatcher(connection, { timeoutMs: LONG_TIMEOUT });
    this.reads = ReadBatcher.apart(connection, LONG_TIMEOUT);
  }

  static async open(connection: ElasticConnection, clock: Clock): Promise<ElasticImportFiles> {
    await connection.ensureIndex(INDEX, indexDefinition(INDEX));
    return new ElasticImportFiles(connection, clock);
  }

  override async stage(store: string, body: Readable): Promise<{ file: string; bytes: number }> {
    void this.sweep().catch(() => undefined);
    const file = `${leadOf(store)}${randomUUID()}`;
    const at = this.clock.now();
    let bytes = 0;
    let parts = 0;
    try {
      for await (const piece of piecesOf(body, PIECE)) {
        const data = (await packed(piece)).toString('base64');
        await this.write([partOperation(this.index, parts, { file, at, data })]);
        bytes += piece.length;
        parts += 1;
      }
      await this.write([headOperation(this.index, { file, at, bytes, parts })]);
      return { file, bytes };
    } catch (error) {
      await this.removeParts(file, parts + 1).catch(() => undefined);
      throw error;
    }
  }

  override async open(file: string): Promise<{ stream: Readable; bytes: number } | null> {
    const head = await this.head(file);
    if (!head) return null;
    return {
      stream: Readable.from(this.content(head), { objectMode: false, highWaterMark: PIECE }),
      bytes: head.bytes,
    };
  }

  override async remove(file: string): Promise<void> {
    const head = await this.head(file);
    if (head) await this.removeParts(file, head.parts);
  }

  override async removeStore(store: string): Promise<number> {
    await this.connection.refresh(this.index);
    return this.removeFound(storeFilesRequest(this.index, leadOf(store)));
  }

  override async expire(before: number): Promise<number> {
    // What was staged a moment ago may not be found yet, and is not old.
    await this.connection.refresh(this.index);
    return this.removeFound(oldFilesRequest(this.index, before));
  }

  private async head(file: string): Promise<FileHead | null> {
    const [found] = await this.reads.read<FileHead>(this.index, [headId(file)]);
    return found?.source ?? null;
  }

  private async *content({ file, parts }: FileHead): AsyncGenerator<Buffer> {
    for (let part = 0; part < parts; part++) {
      const [found] = await this.reads.read<FilePart>(this.index, [partId(file, part)]);
      if (!found) throw new Error(`Part ${part} of the staged body is gone`);
      yield await unpacked(Buffer.from(found.source.data, 'base64'));
    }
  }

  /** By their names, in one request: a search would have to wait for a refresh. */
  private removeParts(file: string, parts: number): Promise<void> {
    const ids = [headId(file), ...Array.from({ length: parts }, (_, part) => partId(file, part))];
    return this.write(ids.map((id) => ({ type: 'delete', index: this.index, id })));
  }

  private write(operations: BulkOperation[]): Promise<void> {
    return retry(async () => assertTaken(await this.bulk.write(operations)), {
      times: TRIES,
      pauseMs: PAUSE_MS,
      again: (error) => error instanceof ApiError,
    });
  }

  /** Removes what was broken off by processes that died. */
  private async sweep(): Promise<void> {
    const now = this.clock.now();
    if (now - this.sweptAt < SWEEP_EVERY) return;
    this.sweptAt = now;
    const old = await this.find(oldFilesRequest(this.index, now - LEFT_AFTER));
    const heads = await this.reads.read<FileHead>(this.index, old.map(headId));
    await this.removeAll(old.filter((_file, index) => !heads[index]));
  }

  /** Page by page; the number of files. */
  private async removeFound(request: estypes.SearchRequest): Promise<number> {
    for (let removed = 0; ;) {
      const found = await this.find(request);
      if (found.length === 0) return removed;
      await this.removeAll(found);
      removed += found.length;
    }
  }

  private async find(request: estypes.SearchRequest): Promise<string[]> {
    const { aggregations } = await this.connection.search(request, LONG_TIMEOUT);
    const { buckets = [] } = (aggregations?.['files'] ?? {}) as { buckets?: { key: string }[] };
    return buckets.map(({ key }) => key);
  }

  private async removeAll(files: string[]): Promise<void> {
    if (files.length > 0) await removeDocuments(this.connection, this.index, { terms: { file: files } });
  }
}
