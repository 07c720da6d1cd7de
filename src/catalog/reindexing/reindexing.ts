import { isDeepStrictEqual } from 'node:util';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type BuiltIndex, type FillIndex, type IndexStatus, SearchEngine } from '../../engine/search-engine';
import { type JobContext, JobFailure, JobQueue } from '../../jobs/job-queue';
import { ApiError } from '../../shared/api-error';
import { GivingWay } from '../../shared/async/giving-way';
import { retry } from '../../shared/async/retry';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { CatalogWriter, indexLanguage } from '../indexing/catalog-writer';
import { CatalogRecords } from '../records/catalog-records';
import { recordVersion } from '../product/channel-view';
import { recordPages } from '../records/record-pages';
import { ExpectedProducts } from './expected-products';
import { CheckFailed, IndexCheck, type IndexReport } from './index-check';
import { mayPass, PATIENTLY } from './patiently';

const REINDEX = 'catalog.reindex';
/** Stores that are reindexed at a time in each process: a large one keeps no other waiting. */
const AT_ONCE = 2;
/** Products that an index refuses: with more there is something else the matter. */
const MOST_REFUSED = 1000;
/** Products that are written at once, in turns with what others write to the store, and how often so many while the next are read. */
const PRODUCTS_AT_ONCE = 250;
const AHEAD = 2;
/** How soon an index whose check failed is made anew by itself, and a store is moved after that has failed. */
const AFTER_FAILED_MS = 3_600_000;

export interface ReindexOptions {
  /** Results are meant to be others than before: only what the index has is checked, not what it finds. */
  force?: boolean | undefined;
  askedBy?: string | undefined;
}

export interface ReindexResult {
  products: number;
  check?: IndexReport;
}

interface Refusal {
  productId: string;
  reason: string;
}

/** An index on its way. `before`: how many products the one that serves has. */
interface Filling {
  expected: ExpectedProducts;
  refused: Refusal[];
  products: number;
  before: number;
}

/** `grown`: it only moves the store out of a place that it has become too large for. */
interface Asked {
  force?: boolean;
  grown?: boolean;
}

type Reindex = JobContext<Asked>;
type WriteProducts = Parameters<FillIndex>[0];

/** Makes the index of a store anew from its records, checks it, and goes back to the one before where asked. */
@Injectable()
export class Reindexing implements OnModuleInit {
  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly writer: CatalogWriter,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly check: IndexCheck,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.process<Asked>(REINDEX, (context) => this.run(context), { concurrency: AT_ONCE });
    this.stores.onChange(async (store, before) => {
      // Then other products are meant to be found.
      if (before && indexedDifferently(store, before)) await this.ask(store, { force: true });
    });
  }

  /** One waiting job serves all who ask for the same. */
  async ask(store: Store, { force = false, askedBy }: ReindexOptions = {}): Promise<{ jobId: string }> {
    const key = force ? `${REINDEX} forced` : REINDEX;
    return { jobId: await this.jobs.enqueue({ kind: REINDEX, store: store.id, payload: { force }, key, askedBy }) };
  }

  /** For an index that an older version of the service made, that is gone or too large for its place; unless a job is doing so, or has just failed to. */
  async renew(store: Store, { grown = false } = {}): Promise<void> {
    const [last] = await this.jobs.find({ kind: REINDEX, store: store.id, limit: 1 });
    if (last?.state === 'active') return;
    const hasEnded = last?.state === 'failed' || last?.state === 'cancelled';
    // A store that has only grown can stay where it is, whatever kept the job from its end.
    const isRefused = hasEnded && (grown || last.error?.startsWith(CheckFailed.START));
    if (isRefused && Date.parse(last.endedAt ?? '') > this.clock.now() - AFTER_FAILED_MS) return;
    if (!grown) await this.ask(store);
    else await this.jobs.enqueue({ kind: REINDEX, store: store.id, payload: { grown }, key: `${REINDEX} grown` });
  }

  /** 409: none is kept. */
  async rollBack(store: Store): Promise<{ products: number }> {
    if (!(await this.engine.before.serveAgain(store.id))) {
      const kept = 'one is kept for 24 hours after a reindex, until it was gone back to';
      throw new ApiError('conflict', `There is no index to go back to: ${kept}`);
    }
    return { products: (await this.engine.status(store.id)).documents };
  }

  private async run(context: Reindex): Promise<ReindexResult> {
    const { job, payload, signal, progress } = context;
    const store = this.stores.byId(job.store);
    if (!store) return { products: 0 };
    const before = await this.engine.status(store.id).catch((error: unknown): IndexStatus => {
      // An index that can't be read is a good reason to make it anew, and none to move it.
      if (payload.grown === true) throw error;
      return { documents: 0, version: 0, outdated: true };
    });
    if (payload.grown === true && before.grown !== true) return { products: 0 };
    const newest = before.version > 0 ? before.version : await this.records.newest(store.id);
    const filling = { expected: new ExpectedProducts(), refused: [], products: 0, before: before.documents };
    let report: IndexReport | undefined;
    const check = async (built: BuiltIndex): Promise<void> => {
      report = await this.check.look({
        store,
        built,
        signal,
        expected: filling.expected,
        changed: () => this.records.countNewer(store.id, newest),
        likeBefore: before.documents > 0 && !before.outdated && payload.force !== true,
      });
      signal.throwIfAborted();
    };
    try {
      const fill = (write: WriteProducts): Promise<void> => this.fill(store, write, filling, context);
      // Nobody asked for other results, so there is nothing to go back to.
      const keep = payload.grown !== true;
      await this.engine.rebuild(store.id, indexLanguage(store), fill, { check, keep });
    } catch (error) {
      throw error instanceof CheckFailed ? new JobFailure(error.message) : error;
    }
    await progress(filling.products, filling.products);
    return { products: filling.products, ...(report ? { check: report } : {}) };
  }

  private async fill(
    store: Store,
    write: WriteProducts,
    filling: Filling,
    { payload, signal, progress }: Reindex,
  ): Promise<void> {
    const { expected, refused, before } = filling;
    const isMove = payload.grown === true;
    // Of a store that only moves they are what they were.
    const keepFeatures = isMove;
    const into: WriteProducts = async (entries) => {
      await write(entries);
      expected.add(entries);
    };
    const writing: Promise<number>[] = [];
    const waiting: string[] = [];
    // Whoever writes a product by now writes it here, too. So a feed that goes on is not followed, but looked over at the end.
    const newest = await this.records.newest(store.id);
    const newer: string[] = [];
    const givingWay = new GivingWay(() => this.engine.executions.asked);
    const begin = async (): Promise<void> => {
      if (writing.length >= AHEAD) await writing.shift();
      const written = this.index(store, waiting.splice(0), { into, refused, signal, keepFeatures });
      // It may fail before it is awaited.
      written.catch(() => undefined);
      writing.push(written);
      // Nobody waits for a move: searches go first.
      if (isMove) await givingWay.after(written, signal);
    };
    try {
      for await (const page of recordPages(this.records, store.id)) {
        await progress(filling.products, Math.max(filling.products, before));
        signal.throwIfAborted();
        filling.products += page.length;
        for (const record of page) (recordVersion(record) > newest ? newer : waiting).push(record.productId);
        if (waiting.length >= PRODUCTS_AT_ONCE) await begin();
      }
      while (waiting.length > 0 || newer.length > 0) {
        signal.throwIfAborted();
        if (waiting.length === 0) waiting.push(...newer.splice(0, PRODUCTS_AT_ONCE));
        await begin();
      }
      await Promise.all(writing);
    } finally {
      // Where some fail, the index is given up: not while others are being written.
      await Promise.allSettled(writing);
    }
    signal.throwIfAborted();
    if (refused.length > 0)
      throw new CheckFailed(refused.map(({ productId, reason }) => `refused: ${productId} (${reason})`));
  }

  /** What is refused for itself is named, and the number of it answered; what fails for another reason fails all. */
  private async index(
    store: Store,
    ids: string[],
    work: { into: WriteProducts; refused: Refusal[]; signal: AbortSignal; keepFeatures: boolean },
  ): Promise<number> {
    const { into, refused, signal, keepFeatures } = work;
    try {
      await retry(() => this.writer.rewrite(store, ids, { into, keepFeatures }), { ...PATIENTLY, signal });
      return 0;
    } catch (error) {
      signal.throwIfAborted();
      if (mayPass(error) || refused.length >= MOST_REFUSED) throw error;
      const [productId = ''] = ids;
      if (ids.length === 1) {
        refused.push({ productId, reason: messageOf(error) });
        return 1;
      }
      const half = Math.ceil(ids.length / 2);
      // Not together with those of another page, which may be refused, too.
      const alone: typeof work = { ...work, into: (entries) => into(entries) };
      let count = 0;
      for (const part of [ids.slice(0, half), ids.slice(half)]) count += await this.index(store, part, alone);
      // Not for what they are.
      if (count === ids.length && ids.length > 2) throw error;
      return count;
    }
  }
}

/** Settings that decide what is written into documents and features. */
const INDEXED = ['language', 'defaultSalesChannel', 'sensitiveCategories'] as const;

const indexedDifferently = ({ settings }: Store, before: Store): boolean =>
  INDEXED.some((name) => !isDeepStrictEqual(settings[name], before.settings[name]));

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
