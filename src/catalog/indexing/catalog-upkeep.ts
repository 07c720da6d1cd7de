import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../shared/api-error';
import { retry } from '../../shared/async/retry';
import { type JobContext, JobQueue } from '../../jobs/job-queue';
import { SearchEngine } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import { StoreErasure } from '../../stores/store-erasure';
import { StoresService } from '../../stores/stores.service';
import { type CatalogRecord, CatalogRecords } from '../records/catalog-records';
import { recordVersion } from '../product/channel-view';
import { CatalogWriter, indexLanguage, stackOf } from './catalog-writer';

const REINDEX = 'catalog.reindex';
const CATCH_UP = 'catalog.catch-up';
/** Milliseconds. In production the process that left products unindexed may never start again. */
const CATCH_UP_EVERY = 60_000;
/** Records of one page: few, since they are read on the main thread. */
const PAGE = 100;
/** Waits for a storage that does not answer at the moment: to begin a whole index anew costs more. */
const PATIENTLY = {
  times: 60,
  pauseMs: 1000,
  steady: true,
  again: (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable',
};

/** Keeps the index true to the records: after a crash between the two writes, after settings changed, and when asked. */
@Injectable()
export class CatalogUpkeep implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('Catalog');
  /** Stores whose trouble has been told. */
  private readonly failing = new Set<string>();

  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly writer: CatalogWriter,
    private readonly jobs: JobQueue,
    private readonly stores: StoresService,
    private readonly erasure: StoreErasure,
  ) {}

  onModuleInit(): void {
    this.jobs.process(REINDEX, (context) => this.runReindex(context));
    this.jobs.process(CATCH_UP, () => this.catchUpAll());
    this.jobs.every(CATCH_UP, CATCH_UP_EVERY);
    this.erasure.add('catalog', (store) => this.records.removeStore(store));
    this.stores.onChange(async (store, before) => {
      if (before && indexedDifferently(store, before)) await this.reindex(store);
    });
  }

  /** Indexes what was recorded and not indexed when the process died. */
  async onApplicationBootstrap(): Promise<void> {
    await this.catchUpAll();
  }

  private async catchUpAll(): Promise<{ products: number }> {
    let products = 0;
    for (const store of this.stores.all()) products += await this.catchUpOrSay(store);
    return { products };
  }

  /** A store whose index can't be read or written is the trouble of that store alone. */
  private async catchUpOrSay(store: Store): Promise<number> {
    try {
      const { version, outdated, gone = false } = await this.engine.status(store.id);
      if (outdated || gone) await this.renew(store);
      // What is gone has taken no version with it that could be caught up with.
      const done = gone ? 0 : await this.catchUp(store, version);
      if (done > 0) this.logger.log(`Indexed ${done} products of "${store.apiKey}" that were recorded and not indexed`);
      this.failing.delete(store.id);
      return done;
    } catch (error) {
      if (!this.failing.has(store.id)) this.logger.error(`The index of "${store.apiKey}" is not kept`, stackOf(error));
      this.failing.add(store.id);
      return 0;
    }
  }

  private async catchUp(store: Store, version: number): Promise<number> {
    const newer: { id: string; version: number }[] = [];
    for await (const page of this.pages(store, version)) {
      newer.push(...page.map((record) => ({ id: record.productId, version: recordVersion(record) })));
    }
    // In the order of versions: a process that dies on the way once more leaves nothing out either.
    newer.sort((a, b) => a.version - b.version);
    for (let from = 0; from < newer.length; from += PAGE) {
      const ids = newer.slice(from, from + PAGE).map(({ id }) => id);
      await this.writer.rewrite(store, ids);
    }
    return newer.length;
  }

  /** Makes the index of a store anew from its records. One waiting job serves all who ask. */
  async reindex(store: Store): Promise<{ jobId: string }> {
    const jobId = await this.jobs.enqueue({ kind: REINDEX, store: store.id, payload: {}, key: REINDEX });
    return { jobId };
  }

  /** Makes an index anew that an older version of the service made, unless a job is doing so. */
  private async renew(store: Store): Promise<void> {
    const active = await this.jobs.find({ kind: REINDEX, store: store.id, state: 'active', limit: 1 });
    if (active.length === 0) await this.reindex(store);
  }

  private async runReindex({ job, signal, progress }: JobContext): Promise<{ products: number }> {
    const store = this.stores.byId(job.store);
    if (!store) return { products: 0 };
    // Only for the progress: an index that can't be read is a good reason to make it anew.
    const { documents } = await this.engine.status(store.id).catch(() => ({ documents: 0 }));
    let products = 0;
    await this.engine.rebuild(store.id, indexLanguage(store), async (write) => {
      // A page is read while the one before is written.
      let writing: Promise<void> = Promise.resolve();
      for await (const page of this.pages(store)) {
        await writing;
        await progress(products, Math.max(products, documents));
        signal.throwIfAborted();
        products += page.length;
        const ids = page.map(({ productId }) => productId);
        writing = retry(() => this.writer.rewrite(store, ids, write), { ...PATIENTLY, signal });
        writing.catch(() => undefined);
      }
      await writing;
      signal.throwIfAborted();
    });
    await progress(products, products);
    return { products };
  }

  private async *pages(store: Store, newerThan?: number): AsyncGenerator<CatalogRecord[]> {
    for (let after = ''; ;) {
      const page = await this.records.scan(store.id, { after, limit: PAGE, newerThan });
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.productId;
    }
  }
}

/** Settings that decide what is written into documents and features. */
const INDEXED = ['language', 'defaultSalesChannel', 'sensitiveCategories'] as const;

const indexedDifferently = ({ settings }: Store, before: Store): boolean =>
  INDEXED.some((name) => !isDeepStrictEqual(settings[name], before.settings[name]));
