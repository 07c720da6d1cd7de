import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { Clock } from '../shared/clock';
import { ApiError } from '../shared/api-error';
import { lineBatches } from '../shared/ndjson';
import { parseJson } from '../http/body-parsers';
import { validate } from '../http/validation';
import type { Store } from '../stores/store';
import type { RecordWrite } from './records/catalog-records';
import { CatalogWriter } from './indexing/catalog-writer';
import { Pacer } from '../shared/async/pacer';
import { parseId, parseProduct, parseRemoval } from './product/parse-product';
import { objectOf, textOf } from './product/sent-values';
import { manyProductsSchema } from './product/product-schema';

/** A product or a line that was not accepted, and why. `line`: in the stream, or in the list; from 1. */
const rejected = z.object({ line: z.int(), id: z.string().optional(), error: z.string(), message: z.string() });

export const manyResult = z.object({
  accepted: z.int(),
  rejected: z.array(rejected),
  /** Rejections beyond those listed; only where there are any. */
  moreRejected: z.int().optional(),
});
export type ManyResult = z.infer<typeof manyResult>;

const LINES = { longest: 1_048_576, lines: 200, bytes: 1_048_576 };
/** One batch is written to the records, one to the index. */
const BATCHES_UNDER_WAY = 2;
/** So that the list stays short where a stream has bad lines without end. */
const MOST_LISTED = 10_000;

interface Numbered {
  line: number;
  read(): unknown;
}

type Batches = AsyncIterable<Numbered[]> | Iterable<Numbered[]>;

interface NumberedWrite {
  line: number;
  write: RecordWrite;
}

/** Takes products from a store's backend (contract 5). A write is answered when its record and its index entry are durable. */
@Injectable()
export class CatalogService {
  constructor(
    private readonly writer: CatalogWriter,
    private readonly clock: Clock,
  ) {}

  /** Writes one product, or one channel's version of it. Null: it asked for a removal. 404: the removal of something never sent. */
  async put(store: Store, productId: string, body: unknown): Promise<{ id: string; version: number } | null> {
    const routeId = parseId(productId);
    const write = parseProduct(body === undefined ? {} : body, { receivedAt: this.clock.now(), routeId });
    const version = await this.writeOne(store, write);
    return write.sent === null ? null : { id: routeId, version };
  }

  /** Takes a product out, or out of one sales channel. 404: it was never sent. */
  async remove(store: Store, productId: string, request: { query: unknown; body: unknown }): Promise<void> {
    await this.writeOne(store, parseRemoval(productId, { ...request, receivedAt: this.clock.now() }));
  }

  private async writeOne(store: Store, write: RecordWrite): Promise<number> {
    const [version] = await this.writer.write(store, [write]);
    if (version == null) throw neverSent(write);
    return version;
  }

  /** `{ products: [...] }` up to 1,000, or a stream of NDJSON without limit. A bad product does not stop the good ones. */
  async putMany(store: Store, body: unknown): Promise<ManyResult> {
    if (body instanceof Readable) return this.putBatches(store, numberedLines(body));
    const { products } = validate(manyProductsSchema, body, 'body');
    return this.putBatches(store, numberedProducts(products));
  }

  /** A batch is read and checked while the ones before are written. They are few, so that memory stays fixed. */
  private async putBatches(store: Store, batches: Batches): Promise<ManyResult> {
    const result: ManyResult = { accepted: 0, rejected: [] };
    const writing: Promise<void>[] = [];
    for await (const batch of batches) {
      const write = this.write(store, await this.check(batch, result), result);
      // It may fail before it is awaited below; its failure is not lost.
      write.catch(() => undefined);
      writing.push(write);
      if (writing.length > BATCHES_UNDER_WAY) await writing.shift();
    }
    await Promise.all(writing);
    if (result.accepted > 0) await this.writer.searchable(store);
    result.rejected.sort((a, b) => a.line - b.line);
    return result;
  }

  private async check(batch: Numbered[], result: ManyResult): Promise<NumberedWrite[]> {
    const pacer = new Pacer();
    const receivedAt = this.clock.now();
    const writes: NumberedWrite[] = [];
    for (const { line, read } of batch) {
      let value: unknown;
      try {
        value = read();
        writes.push({ line, write: parseProduct(value, { receivedAt }) });
      } catch (error) {
        reject(result, { line, value, error });
      }
      await pacer.breathe();
    }
    return writes;
  }

  private async write(store: Store, writes: NumberedWrite[], result: ManyResult): Promise<void> {
    const records = writes.map(({ write }) => write);
    const versions = await this.writer.write(store, records, { later: true });
    writes.forEach(({ line, write }, index) => {
      if (versions[index] != null) result.accepted += 1;
      else reject(result, { line, value: { id: write.productId }, error: neverSent(write) });
    });
  }
}

async function* numberedLines(stream: Readable): AsyncGenerator<Numbered[]> {
  for await (const lines of lineBatches(stream, LINES)) {
    yield lines.map(({ number, bytes }) => ({ line: number, read: () => readLine(bytes) }));
  }
}

function* numberedProducts(products: readonly unknown[]): Generator<Numbered[]> {
  for (let from = 0; from < products.length; from += LINES.lines) {
    const part = products.slice(from, from + LINES.lines);
    yield part.map((value, index) => ({ line: from + index + 1, read: () => value }));
  }
}

function readLine(bytes: Buffer | null): unknown {
  if (bytes) return parseJson(bytes);
  throw new ApiError('body_too_large', `The line is longer than the ${LINES.longest} bytes accepted`);
}

function reject(result: ManyResult, { line, value, error }: { line: number; value: unknown; error: unknown }): void {
  if (!(error instanceof ApiError)) throw error;
  if (result.rejected.length >= MOST_LISTED) {
    result.moreRejected = (result.moreRejected ?? 0) + 1;
    return;
  }
  const id = textOf(objectOf(value)?.['id'])?.slice(0, 256);
  result.rejected.push({ line, ...(id === undefined ? {} : { id }), error: error.code, message: error.message });
}

function neverSent({ productId, channel }: RecordWrite): ApiError {
  const where = channel === null ? '' : ` in the sales channel "${channel}"`;
  return new ApiError('not_found', `The product "${productId}" was never sent${where}, so there is nothing to remove`);
}
