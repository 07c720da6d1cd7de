import { Injectable, Logger } from '@nestjs/common';
import { type EngineProduct, type FillIndex, SearchEngine } from '../../engine/search-engine';
import type { Store } from '../../stores/store';
import { StoresService } from '../../stores/stores.service';
import { CatalogListener } from '../catalog-listener';
import { type CatalogRecord, CatalogRecords, type RecordWrite } from '../records/catalog-records';
import { recordVersion } from '../product/channel-view';
import { toEngineDocuments, toFeatures } from './engine-documents';
import type { ProductFeatures } from '../../ranking/features';
import { IndexTimes } from './index-times';
import { Pacer } from '../../shared/async/pacer';

interface Waiting {
  writes: RecordWrite[];
  /** Products whose documents are made anew, without a write. */
  rewrite: string[];
  /** Where those go, if not where searches find them. */
  into?: WriteProducts;
  resolve(versions: (number | null)[]): void;
  reject(error: Error): void;
}

type WriteProducts = Parameters<FillIndex>[0];

/** The writes of one store: one batch at a time, in order, so that an older version is never indexed after a newer one. */
interface Lane {
  waiting: Waiting[];
  busy: boolean;
  /** Products whose record is newer than their documents because the engine failed; made good by the next batch. */
  behind: Set<string>;
}

/** What is indexed of some records, and what events remember of them. */
interface Entries {
  features: { version: number; features: ProductFeatures }[];
  products: (EngineProduct & { version: number })[];
}

/** A batch whose records are written. */
interface Prepared {
  store: Store;
  versions: (number | null)[];
  entries: Entries;
}

/** What arrives while a batch is under way joins the next one, up to this many products. */
const BATCH = 500;

/** Keeps records, features and index in step: a write is done when all three are durable. */
@Injectable()
export class CatalogWriter {
  private readonly logger = new Logger('Catalog');
  private readonly lanes = new Map<string, Lane>();

  constructor(
    private readonly records: CatalogRecords,
    private readonly engine: SearchEngine,
    private readonly listener: CatalogListener,
    private readonly stores: StoresService,
    private readonly times: IndexTimes,
  ) {}

  /** The version of each write; null where it removed something never sent. */
  write(store: Store, writes: RecordWrite[]): Promise<(number | null)[]> {
    return writes.length === 0 ? Promise.resolve([]) : this.enqueue(store, { writes, rewrite: [] });
  }

  /** Makes the documents of these products anew, from their records and the store's settings as they are by then. `into`: an index
   * that is being built. */
  async rewrite(store: Store, productIds: string[], into?: WriteProducts): Promise<void> {
    if (productIds.length === 0) return;
    await this.enqueue(store, { writes: [], rewrite: productIds, ...(into ? { into } : {}) });
  }

  private enqueue(store: Store, work: Pick<Waiting, 'writes' | 'rewrite' | 'into'>): Promise<(number | null)[]> {
    const lane = this.lanes.get(store.id) ?? { waiting: [], busy: false, behind: new Set() };
    this.lanes.set(store.id, lane);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ ...work, resolve, reject });
      if (!lane.busy) void this.drain(store, lane);
    });
  }

  /** The records of a batch are written while the one before is indexed; indexing keeps the order. */
  private async drain(store: Store, lane: Lane): Promise<void> {
    lane.busy = true;
    let indexing: Promise<void> = Promise.resolve();
    while (lane.waiting.length > 0) {
      const batch = takeBatch(lane.waiting);
      const prepared = await this.prepare(this.stores.byId(store.id) ?? store, batch);
      await indexing;
      if (prepared) indexing = this.finish(prepared, lane, batch);
      if (lane.waiting.length === 0) await indexing;
    }
    this.lanes.delete(store.id);
    if (lane.behind.size > 0) this.lanes.set(store.id, { ...lane, busy: false });
  }

  /** Writes the records and makes what is to be indexed of them. Null: it failed, and who waited knows. */
  private async prepare(store: Store, batch: Waiting[]): Promise<Prepared | null> {
    try {
      const writes = batch.flatMap((one) => one.writes);
      const written = writes.length > 0 ? await this.records.write(store.id, writes) : { records: [], versions: [] };
      const known = new Set(written.records.map(({ productId }) => productId));
      const rewrite = [...new Set(batch.flatMap((one) => one.rewrite))].filter((id) => !known.has(id));
      const entries = await this.entriesOf(store, [...written.records, ...(await this.read(store, rewrite))]);
      return { store, versions: written.versions, entries };
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
      return null;
    }
  }

  private async finish({ store, versions, entries }: Prepared, lane: Lane, batch: Waiting[]): Promise<void> {
    const into = batch[0]?.into;
    await this.catchUp(store, lane);
    try {
      if (into) await this.build(store, entries, into);
      else await this.index(store, entries);
      let from = 0;
      for (const { writes, resolve } of batch) resolve(versions.slice(from, (from += writes.length)));
    } catch (error) {
      if (!into) for (const { productId } of entries.products) lane.behind.add(productId);
      for (const { reject } of batch) reject(error as Error);
    }
  }

  /** What the engine could not take earlier; it may still be unable to, which is no fault of what comes now. */
  private async catchUp(store: Store, lane: Lane): Promise<void> {
    if (lane.behind.size === 0) return;
    try {
      const ids = [...lane.behind].slice(0, BATCH);
      await this.index(store, await this.entriesOf(store, await this.read(store, ids)));
      for (const id of ids) lane.behind.delete(id);
    } catch (error) {
      this.logger.error(
        'Products that were recorded are still not indexed',
        error instanceof Error ? error.stack : error,
      );
    }
  }

  private async read(store: Store, productIds: string[]): Promise<CatalogRecord[]> {
    if (productIds.length === 0) return [];
    return (await this.records.read(store.id, productIds)).filter((record) => record !== null);
  }

  private async entriesOf(store: Store, records: CatalogRecord[]): Promise<Entries> {
    const pacer = new Pacer();
    const entries: Entries = { features: [], products: [] };
    // In the order of versions, so that what a crash in the middle leaves out is newer than all that is indexed.
    for (const record of records.toSorted((a, b) => recordVersion(a) - recordVersion(b))) {
      const version = recordVersion(record);
      const features = toFeatures(record, store.settings);
      if (features) entries.features.push({ version, features });
      entries.products.push({
        productId: record.productId,
        version,
        documents: toEngineDocuments(record, store.settings),
      });
      await pacer.breathe();
    }
    return entries;
  }

  private async index(store: Store, { features, products }: Entries): Promise<void> {
    const language = indexLanguage(store);
    await Promise.all([this.records.settle(store.id, { features }), this.engine.write(store.id, language, products)]);
    this.times.note(store.id, products);
    await this.records.settle(store.id, { indexed: products });
    await this.tell(
      store,
      features.map(({ features: { id } }) => id),
    );
  }

  /** Into an index that nobody searches yet. */
  private async build(store: Store, { features, products }: Entries, into: WriteProducts): Promise<void> {
    await Promise.all([this.records.settle(store.id, { features }), into(products)]);
    this.times.note(store.id, products);
  }

  /** Both are durable by now: what a listener fails to do is no reason to refuse the write. */
  private async tell(store: Store, productIds: string[]): Promise<void> {
    if (productIds.length === 0) return;
    try {
      await this.listener.productsArrived(store, productIds);
    } catch (error) {
      this.logger.error(
        'Events that wait for products were not completed',
        error instanceof Error ? error.stack : error,
      );
    }
  }
}

/** What goes into the same index. */
function takeBatch(waiting: Waiting[]): Waiting[] {
  let products = 0;
  let count = 0;
  for (const { writes, rewrite, into } of waiting) {
    products += writes.length + rewrite.length;
    if (count > 0 && (products > BATCH || into !== waiting[0]?.into)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** `pt-BR` -> `pt`: what a store's products are analysed in. */
export function indexLanguage({ settings: { language } }: Store): string {
  return (language.split('-')[0] ?? language).toLowerCase();
}
