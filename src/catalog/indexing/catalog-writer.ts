import { Injectable, Logger } from '@nestjs/common';
import { type EngineProduct, type FillIndex, SearchEngine } from '../../engine/search-engine';
import type { ProductFeatures } from '../../ranking/vectors/features';
import { type BatchedCall, Batcher } from '../../shared/async/batcher';
import { Pacer } from '../../shared/async/pacer';
import { Clock } from '../../shared/clock';
import { growingCache } from '../../shared/growing-cache';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { CatalogListener } from '../catalog-listener';
import { recordVersion } from '../product/channel-view';
import { type CatalogRecord, CatalogRecords, type RecordWrite } from '../records/catalog-records';
import { toEngineDocuments, toFeatures } from './engine-documents';

type WriteProducts = Parameters<FillIndex>[0];
type Versions = (number | null)[];

/** What one caller asks for. */
interface CatalogWork {
  writes: RecordWrite[];
  /** Products whose documents are made anew, without a write. */
  rewrite: string[];
  /** Writes those into an index that is being built, instead of the one that searches use. */
  into?: WriteProducts | undefined;
  keepFeatures?: boolean | undefined;
  /** Searches may see it later. */
  later?: boolean | undefined;
}

/** The work on one store: one batch at a time, in order, so that an older version is never indexed after a newer one. */
interface Lane {
  batches: Batcher<CatalogWork, Versions>;
  /** Ends when the last batch whose records are written is indexed too. */
  indexing: Promise<void>;
  /** Products whose record is newer than their documents because the engine failed; the next batch indexes them. */
  behind: Set<string>;
}

/** What some records become in the index, and what events remember of them. */
interface IndexEntries {
  features: { version: number; features: ProductFeatures }[];
  products: (EngineProduct & { version: number })[];
}

/** What arrives while a batch is under way joins the next one, up to this many products. */
const BATCH = 500;
/** Versions of products whose indexing time is remembered: of what developers look at, what was sent lately. Each takes some 300 bytes. */
const MOST_TIMES = 5000;

const indexTimeOf = (store: string, productId: string, version: number): string => `${store}\n${productId}\n${version}`;

/** Keeps records, features and index in step: a write is done when all three are durable, and searches see it. */
@Injectable()
export class CatalogWriter {
  private readonly logger = new Logger('Catalog');
  private readonly lanes = new Map<string, Lane>();
  private readonly indexTimes = growingCache<number>(MOST_TIMES);

  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly listener: CatalogListener,
    private readonly stores: StoresService,
    private readonly clock: Clock,
  ) {}

  /**
   * The version of each write; null where it removed something never sent. Searches see it when this resolves; with `later` within a second, or once
   * `searchable` has resolved, which is much cheaper where many writes follow each other.
   */
  async write(store: Store, writes: RecordWrite[], { later }: Pick<CatalogWork, 'later'> = {}): Promise<Versions> {
    return writes.length === 0 ? [] : this.lane(store).batches.add({ writes, rewrite: [], later });
  }

  /** Of a store that is gone there is nothing to see. */
  async searchable(store: Store): Promise<void> {
    if (this.stores.byId(store.id)) await this.engine.searchable(store.id);
  }

  /** Makes the documents of these products anew, from their records and the store's settings as they are by then. `into`: an index
   * that is being built. `keepFeatures`: what events remember of them stays as it is. */
  async rewrite(
    store: Store,
    productIds: string[],
    options: Pick<CatalogWork, 'into' | 'keepFeatures'> = {},
  ): Promise<void> {
    if (productIds.length === 0) return;
    await this.lane(store).batches.add({ writes: [], rewrite: productIds, ...options });
  }

  /**
   * When this process put this version into the index, in milliseconds; null where it did not, or long ago. Nothing is stored: a write is
   * answered when its product is in the index, so the time it was received says as much.
   */
  indexedAt(store: string, productId: string, version: number): number | null {
    return this.indexTimes.get(indexTimeOf(store, productId, version)) ?? null;
  }

  private lane(store: Store): Lane {
    const known = this.lanes.get(store.id);
    if (known) return known;
    const batches = new Batcher<CatalogWork, Versions>({
      maxSize: BATCH,
      sizeOf: ({ writes, rewrite }) => writes.length + rewrite.length,
      fits: ({ into, keepFeatures }, first) => into === first.into && keepFeatures === first.keepFeatures,
      send: (batch) => this.process(this.stores.byId(store.id) ?? store, lane, batch),
    });
    const lane: Lane = { batches, indexing: Promise.resolve(), behind: new Set() };
    this.lanes.set(store.id, lane);
    return lane;
  }

  /** The records of a batch are written while the one before is indexed; indexing keeps the order. */
  private async process(store: Store, lane: Lane, batch: BatchedCall<CatalogWork, Versions>[]): Promise<void> {
    const writes = batch.flatMap(({ item }) => item.writes);
    const written = writes.length > 0 ? await this.records.write(store.id, writes) : { records: [], versions: [] };
    const known = new Set(written.records.map(({ productId }) => productId));
    const rewrite = [...new Set(batch.flatMap(({ item }) => item.rewrite))].filter((id) => !known.has(id));
    const entries = await this.entriesOf(store, [...written.records, ...(await this.read(store, rewrite))]);
    await lane.indexing;
    lane.indexing = this.finish(store, lane, batch, entries, written.versions);
  }

  private async finish(
    store: Store,
    lane: Lane,
    batch: BatchedCall<CatalogWork, Versions>[],
    entries: IndexEntries,
    versions: Versions,
  ): Promise<void> {
    const { into, keepFeatures = false } = batch[0]?.item ?? {};
    const later = batch.every(({ item }) => item.later);
    const resolve = (): void => {
      let from = 0;
      for (const { item, resolve: done } of batch) done(versions.slice(from, (from += item.writes.length)));
    };
    const reject = (error: unknown): void => batch.forEach(({ reject: fail }) => fail(error));
    await this.catchUp(store, lane);
    try {
      const made = keepFeatures ? { ...entries, features: [] } : entries;
      const { shown } = await this.index(store, made, { into, later });
      // Those that come next need not wait for it.
      void shown.then(resolve, reject);
    } catch (error) {
      if (!into) for (const { productId } of entries.products) lane.behind.add(productId);
      reject(error);
    }
  }

  /** Indexes what the engine could not take earlier. Where it still can't, the work that comes now does not fail for it. */
  private async catchUp(store: Store, lane: Lane): Promise<void> {
    if (lane.behind.size === 0) return;
    try {
      const ids = [...lane.behind].slice(0, BATCH);
      await this.index(store, await this.entriesOf(store, await this.read(store, ids)), { later: true });
      for (const id of ids) lane.behind.delete(id);
    } catch (error) {
      this.logger.error('Products that were recorded are still not indexed', stackOf(error));
    }
  }

  private async read(store: Store, productIds: string[]): Promise<CatalogRecord[]> {
    if (productIds.length === 0) return [];
    return (await this.records.read(store.id, productIds)).filter((record) => record !== null);
  }

  private async entriesOf(store: Store, records: CatalogRecord[]): Promise<IndexEntries> {
    const pacer = new Pacer();
    const entries: IndexEntries = { features: [], products: [] };
    // In the order of versions: what a crash in the middle leaves out is newer than all that is indexed.
    for (const record of records.toSorted((a, b) => recordVersion(a) - recordVersion(b))) {
      const { productId } = record;
      const version = recordVersion(record);
      const features = toFeatures(record, store.settings);
      if (features) entries.features.push({ version, features });
      entries.products.push({ productId, version, documents: toEngineDocuments(record, store.settings) });
      await pacer.breathe();
    }
    return entries;
  }

  /** `into`: an index that nobody searches yet. `shown`: searches see what was written, unless that comes later. */
  private async index(
    store: Store,
    { features, products }: IndexEntries,
    { into, later = false }: Pick<CatalogWork, 'into' | 'later'>,
  ): Promise<{ shown: Promise<void> }> {
    const language = indexLanguage(store);
    const settled = this.records.settle(store.id, { features });
    // What is written there is counted: nothing may fail after it, for then it is written again.
    if (into) await settled.then(() => into(products));
    else await Promise.all([settled, this.engine.write(store.id, language, products)]);
    const at = this.clock.now();
    for (const { productId, version } of products) this.indexTimes.set(indexTimeOf(store.id, productId, version), at);
    if (into) return { shown: Promise.resolve() };
    const isLater = later || products.length === 0;
    const shown = isLater ? Promise.resolve() : this.engine.searchable(store.id);
    // It may fail before it is awaited.
    shown.catch(() => undefined);
    await Promise.all([
      this.records.settle(store.id, { indexed: products }),
      this.tell(
        store,
        features.map(({ features: { id } }) => id),
      ),
    ]);
    return { shown };
  }

  /** Record and index are durable by now: a listener that fails is no reason to refuse the write. */
  private async tell(store: Store, productIds: string[]): Promise<void> {
    if (productIds.length === 0) return;
    try {
      await this.listener.productsArrived(store, productIds);
    } catch (error) {
      this.logger.error('Events that wait for products were not completed', stackOf(error));
    }
  }
}

/** `pt-BR` -> `pt`: the language that a store's products are analysed in. */
export function indexLanguage({ settings: { language } }: Store): string {
  return (language.split('-')[0] ?? language).toLowerCase();
}

export const stackOf = (error: unknown): unknown => (error instanceof Error ? error.stack : error);
