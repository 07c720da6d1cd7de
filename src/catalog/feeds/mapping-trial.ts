import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ImportReport } from '../../jobs/imports/import-report';
import { JobFailure } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { feedFormats, type FoundSyntax } from '../imports/formats/feed-format';
import type { SyntaxQuery } from '../imports/feed-syntax';
import type { FeedMapping } from '../imports/items/feed-mapping';
import { FeedWorkspace } from '../imports/run/feed-workspace';
import { writeOf } from '../imports/run/product-write';
import { surveyFeed } from '../imports/run/survey-feed';
import { problems } from '../product/to-product';
import type { CatalogRecord, RecordWrite } from '../records/catalog-records';
import { FeedMappings } from './feed-mappings';
import { anyMapping } from './feed-schemas';

/** Products, and refused lines, that are shown. */
const MOST = 20;

export const trialBody = z
  .strictObject({
    mapping: anyMapping.optional(),
    sample: z.string().min(1).optional().describe('The beginning of a feed, as text'),
    base64: z.base64().min(1).optional().describe('The same as bytes: packed, or in another encoding'),
  })
  .refine(({ sample, base64 }) => (sample === undefined) !== (base64 === undefined), 'sample or base64 is required');
export type TrialBody = z.output<typeof trialBody>;

const triedProduct = z.object({
  id: z.string(),
  salesChannel: z.string().optional(),
  line: z.int(),
  /** As it would be sent; null: it would be removed. */
  product: z.record(z.string(), z.unknown()).nullable(),
  /** Why searches would not find it. */
  problems: z.array(z.string()),
});

const refusedLine = z.object({
  line: z.int(),
  id: z.string().optional(),
  error: z.string(),
  message: z.string(),
  text: z.string().optional(),
});

export const trialView = z.object({
  format: z.enum(feedFormats),
  encoding: z.string(),
  delimiter: z.string().optional(),
  quote: z.string().optional(),
  /** Of all that was read. */
  rejected: z.int(),
  products: z.array(triedProduct),
  errors: z.array(refusedLine),
  /** Why it could not be read on, such as that it is only the beginning of a feed. */
  stopped: z.string().optional(),
});
export type TrialView = z.output<typeof trialView>;

/** Shows what a mapping makes of the beginning of a feed, before it is saved: scheduled feeds would use it at once. */
@Injectable()
export class MappingTrial {
  constructor(
    private readonly mappings: FeedMappings,
    private readonly clock: Clock,
  ) {}

  /** Throws 400 where no product can be read. */
  async try(store: Store, { mapping, sample, base64 }: TrialBody, syntax: SyntaxQuery): Promise<TrialView> {
    const named = typeof mapping === 'string' ? (await this.mappings.get(store, mapping)).mapping : mapping;
    const bytes = base64 === undefined ? Buffer.from(sample ?? '') : Buffer.from(base64, 'base64');
    const workspace = await FeedWorkspace.open();
    try {
      return await this.read(store, workspace, { bytes, mapping: named ?? null, syntax });
    } finally {
      await workspace.close();
    }
  }

  private async read(
    store: Store,
    workspace: FeedWorkspace,
    { bytes, mapping, syntax }: { bytes: Buffer; mapping: FeedMapping | null; syntax: SyntaxQuery },
  ): Promise<TrialView> {
    const report = new ImportReport();
    const receivedAt = this.clock.now();
    const { columns = {}, ...said } = syntax;
    let found: FoundSyntax | undefined;
    const feed = {
      syntax: said,
      columns,
      mapping,
      open: () => Promise.resolve(Readable.from([bytes])),
      currency: store.settings.currency,
      receivedAt,
      signal: new AbortController().signal,
      onRows: () => Promise.resolve(),
      onSyntax: (syntaxFound: FoundSyntax) => (found = syntaxFound),
    };
    const stopped = await surveyFeed(feed, workspace, report).then(
      () => null,
      (error: unknown) => stoppedBy(error),
    );
    const products = triedIn(workspace, { receivedAt, report, channel: store.settings.defaultSalesChannel });
    const { rejected, errors } = report.finish();
    if (!found || (stopped !== null && products.length + rejected === 0)) {
      throw new ApiError('invalid_body', stopped ?? 'The sample has no products');
    }
    return {
      ...shownSyntax(found),
      rejected,
      products,
      errors: errors.slice(0, MOST),
      ...(stopped === null ? {} : { stopped }),
    };
  }
}

function stoppedBy(error: unknown): string {
  if (error instanceof JobFailure) return error.message;
  throw error;
}

interface TrialContext {
  receivedAt: number;
  report: ImportReport;
  channel: string;
}

function triedIn(workspace: FeedWorkspace, context: TrialContext): TrialView['products'] {
  const [first = []] = workspace.read(1, MOST);
  return first.flatMap((item) => {
    const write = writeOf(item, { ...context, mode: 'full' });
    return write ? [{ ...triedOf(write, context), line: item.items[0]?.line ?? 0 }] : [];
  });
}

function triedOf({ productId, channel, sent, receivedAt }: RecordWrite, context: TrialContext) {
  const removed = sent === null;
  const version = { sent, lastSent: sent ?? {}, removed, version: 1, receivedAt, firstReceivedAt: receivedAt };
  const record: CatalogRecord = {
    productId,
    base: channel === null ? version : null,
    channels: channel === null ? {} : { [channel]: version },
  };
  return {
    id: productId,
    ...(channel === null ? {} : { salesChannel: channel }),
    product: sent,
    problems: problems(record, channel ?? context.channel),
  };
}

/** Only tables have delimiters. */
function shownSyntax({ format, encoding, delimiter, quote }: FoundSyntax) {
  const isTable = format === 'csv' || format === 'google-tsv';
  return { format, encoding, ...(isTable ? { delimiter, quote } : {}) };
}
