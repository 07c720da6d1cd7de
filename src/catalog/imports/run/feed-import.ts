import { type ImportError, ImportReport, type ImportResult } from '../../../jobs/imports/import-report';
import { type JobContext, JobFailure } from '../../../jobs/job-queue';
import { ApiError } from '../../../shared/api-error';
import { Pacer } from '../../../shared/async/pacer';
import { retry } from '../../../shared/async/retry';
import type { Store } from '../../../stores/store';
import type { CatalogWriter } from '../../indexing/catalog-writer';
import type { CatalogRecord, CatalogRecords, RecordWrite } from '../../records/catalog-records';
import type { Checkpoint } from './checkpoints';
import { compareWrite, type ComparedWrite, firstAt, isSameText, isThere, newestAt } from './compare-products';
import type { FeedProduct, FeedWorkspace } from './feed-workspace';
import type { ImportPayload } from '../import-payload';
import { type ImportSamples, SampleCollector } from './import-samples';
import { writeOf } from './product-write';
import { surveyFeed } from './survey-feed';
import type { OpenBody } from '../unpack/unpack';

/** Products that are compared and written at once. */
const BATCH = 100;
const RECORDS_A_PAGE = 200;
/** A full import removes no more than this share of the catalog unless it is told to. */
const MOST_REMOVED = 0.5;
/** How far it is is a write of its own: a batch of which nothing is written takes less than that. Milliseconds. */
const SHOWN_EVERY = 250;
/** Waits for a storage that does not answer at the moment: to read a whole feed anew costs more. */
const PATIENTLY = {
  times: 60,
  pauseMs: 1000,
  steady: true,
  again: (error: unknown): boolean => error instanceof ApiError && ['unavailable', 'overloaded'].includes(error.code),
};

/** `samples`: of a dry run. `refused`: why it would fail. `notModified`: the server said that the feed is still the same. */
export type CatalogImportResult = ImportResult & { samples?: ImportSamples; refused?: string; notModified?: true };

export interface FeedImportParts {
  records: CatalogRecords;
  writer: CatalogWriter;
  workspace: FeedWorkspace;
}

interface FeedImportRun {
  store: Store;
  open: OpenBody;
  context: JobContext<ImportPayload>;
  before: Checkpoint | null;
  save(checkpoint: Checkpoint): Promise<void>;
}

interface PreparedProduct {
  productId: string;
  compared: ComparedWrite;
  /** Null: nothing differs. */
  write: RecordWrite | null;
}

interface PreparedBatch {
  products: PreparedProduct[];
  refused: ImportError[];
  /** The last product of the batch. */
  upTo: number;
}

/**
 * One run of an import: reads the feed, looks what is gone, writes what differs, removes what is gone. A run that follows one that was interrupted
 * reads the feed again, which gives the same order, and writes from the checkpoint on.
 */
export class FeedImport {
  private readonly read = new ImportReport();
  private readonly written: ImportReport;
  private readonly samples = new SampleCollector();
  /** When the feed came: every write of the import has this time, by which a later run knows its own. */
  private readonly receivedAt: number;
  private shownAt = -Infinity;
  private hasWritten = false;

  constructor(
    private readonly parts: FeedImportParts,
    private readonly run: FeedImportRun,
  ) {
    this.written = new ImportReport(run.before?.result);
    this.receivedAt = Date.parse(run.context.job.createdAt);
  }

  async do(): Promise<CatalogImportResult> {
    const { context, save } = this.run;
    try {
      await this.survey();
      const refused = await this.findGone();
      if (refused !== null && !context.payload.dryRun) throw new JobFailure(refused);
      await this.writeProducts();
      if (refused === null) await this.removeGone();
      const result = this.result();
      // The run before may have written what this one finds nothing to do about.
      if (this.hasWritten || (this.isResumed && !context.payload.dryRun)) await this.showToSearches();
      if (!context.payload.dryRun) await save({ products: this.parts.workspace.products, result, done: true });
      return {
        ...result,
        ...(context.payload.dryRun ? { samples: this.samples.finish(result) } : {}),
        ...(refused === null ? {} : { refused }),
      };
    } catch (error) {
      throw error instanceof JobFailure ? new JobFailure(error.message, this.result()) : error;
    }
  }

  /** What was refused when the feed was read is counted anew by every run; the checkpoint has the rest. */
  private result(): ImportResult {
    const read = this.read.finish();
    const both = new ImportReport(this.written.finish());
    for (const error of read.errors) both.reject(error);
    const result = both.finish();
    return { ...result, rejected: result.rejected + read.rejected - read.errors.length };
  }

  private async survey(): Promise<void> {
    const { store, open, context } = this.run;
    const { payload, signal } = context;
    const onRows = (rows: number): Promise<void> => this.show(0, rows);
    const { currency } = store.settings;
    const feed = { ...payload, open, currency, receivedAt: this.receivedAt, signal, onRows };
    await surveyFeed(feed, this.parts.workspace, this.read);
  }

  /** Notes what is in the catalog and not in the feed. Why that must not be removed; null: it may be. */
  private async findGone(): Promise<string | null> {
    const { context, store } = this.run;
    const { payload, signal } = context;
    if (payload.mode === 'partial') return null;
    const { records, workspace } = this.parts;
    let there = 0;
    for (let after = ''; ;) {
      signal.throwIfAborted();
      const page = await retry(() => records.scan(store.id, { after, limit: RECORDS_A_PAGE }), {
        ...PATIENTLY,
        signal,
      });
      for (const record of page) {
        const isGone = !workspace.has(record.productId);
        if (isGone && this.removedEarlier(record)) workspace.addGone(record.productId);
        else if (!isThere(record) || this.isNewer(record)) continue;
        // What came after the feed is not gone: the feed can't know of it.
        else if (isGone && newestAt(record) <= this.receivedAt) workspace.addGone(record.productId);
        there += 1;
      }
      const last = page.at(-1);
      if (!last) break;
      after = last.productId;
    }
    const { gone } = workspace;
    if (gone > 0 && workspace.products === 0)
      return 'No product could be read in the feed: nothing was changed, with force=true as without it. `errors` say what was refused';
    if (payload.force || gone <= there * MOST_REMOVED) return null;
    return `The feed lacks ${gone} of the ${there} products in the catalog, more than half: nothing was changed. If it is whole, send it with force=true`;
  }

  /** By an earlier run of this import. */
  private removedEarlier(record: CatalogRecord): boolean {
    return this.isResumed && !isThere(record) && newestAt(record) === this.receivedAt;
  }

  /** Came after the feed, or by an earlier run of this import. */
  private isNewer(record: CatalogRecord): boolean {
    const first = firstAt(record);
    return first > this.receivedAt || (this.isResumed && first === this.receivedAt);
  }

  private get isResumed(): boolean {
    return this.run.before !== null;
  }

  /** A batch is compared while the one before is written. */
  private async writeProducts(): Promise<void> {
    const { signal } = this.run.context;
    const { workspace } = this.parts;
    let writing: Promise<void> = Promise.resolve();
    for (const products of workspace.read((this.run.before?.products ?? 0) + 1, BATCH)) {
      const prepared = await this.prepare(products);
      await writing;
      signal.throwIfAborted();
      writing = this.finishBatch(prepared);
      // Awaited with the next batch; until then a failure must not count as unhandled.
      writing.catch(() => undefined);
    }
    await writing;
    await this.run.context.progress(workspace.products, workspace.products);
  }

  private async show(done: number, total: number): Promise<void> {
    if (performance.now() - this.shownAt < SHOWN_EVERY) return;
    this.shownAt = performance.now();
    await this.run.context.progress(done, total);
  }

  private async prepare(products: readonly FeedProduct[]): Promise<PreparedBatch> {
    const { store, context } = this.run;
    const refused: ImportError[] = [];
    const ids = products.map(({ productId }) => productId);
    const read = (): ReturnType<CatalogRecords['read']> => this.parts.records.read(store.id, ids);
    const found = await retry(read, { ...PATIENTLY, signal: context.signal });
    const pacer = new Pacer();
    const prepared: PreparedProduct[] = [];
    for (const [index, product] of products.entries()) {
      const one = this.prepareOne(product, found[index] ?? null, (error) => void refused.push(error));
      if (one) prepared.push(one);
      await pacer.breathe();
    }
    return { products: prepared, refused, upTo: products.at(-1)?.number ?? 0 };
  }

  /** Null: nothing of the product can be written. */
  private prepareOne(
    product: FeedProduct,
    record: CatalogRecord | null,
    reject: (error: ImportError) => void,
  ): PreparedProduct | null {
    const { mode } = this.run.context.payload;
    const { productId, channel, items } = product;
    const [item] = items;
    const isWhole = mode === 'full' && items.length === 1 && item?.grouped === false;
    if (isWhole && !this.isResumed && isSameText(record, { channel, text: item.text }))
      return { productId, compared: { outcome: 'unchanged', before: null, after: null }, write: null };
    const { receivedAt } = this;
    const write = writeOf(product, { mode, receivedAt, report: { reject } });
    if (!write) return null;
    const compared = compareWrite(write, record, this.isResumed ? receivedAt : null);
    return { productId: write.productId, compared, write: compared.outcome === 'unchanged' ? null : write };
  }

  private async finishBatch({ products, refused, upTo }: PreparedBatch): Promise<void> {
    const { context, save } = this.run;
    const { dryRun } = context.payload;
    if (!dryRun) await this.write(products.flatMap(({ write }) => write ?? []));
    for (const error of refused) this.written.reject(error);
    for (const { productId, compared } of products) {
      const { outcome } = compared;
      this.written.count(outcome === 'added' || outcome === 'changed' ? 'accepted' : outcome);
      if (dryRun) this.samples.add(productId, compared);
    }
    await this.show(upTo, this.parts.workspace.products);
    if (!dryRun) await save({ products: upTo, result: this.written.finish(), done: false });
  }

  private async write(writes: RecordWrite[]): Promise<(number | null)[]> {
    const { store, context } = this.run;
    this.hasWritten ||= writes.length > 0;
    return retry(() => this.parts.writer.write(store, writes, { later: true }), {
      ...PATIENTLY,
      signal: context.signal,
    });
  }

  private async showToSearches(): Promise<void> {
    const { store, context } = this.run;
    await retry(() => this.parts.writer.searchable(store), { ...PATIENTLY, signal: context.signal });
  }

  private async removeGone(): Promise<void> {
    const { store, context } = this.run;
    const { records, workspace } = this.parts;
    for (const ids of workspace.readGone(BATCH)) {
      context.signal.throwIfAborted();
      const found = await retry(() => records.read(store.id, ids), { ...PATIENTLY, signal: context.signal });
      const gone = ids.filter((_, index) => {
        const record = found[index];
        return record && newestAt(record) <= this.receivedAt;
      });
      const there = gone.filter((id) => found.some((record) => record?.productId === id && isThere(record)));
      if (context.payload.dryRun) for (const id of gone) this.samples.addGone(id);
      else
        await this.write(
          there.map((productId) => ({ productId, channel: null, sent: null, receivedAt: this.receivedAt })),
        );
      this.written.count('removed', gone.length);
    }
  }
}
