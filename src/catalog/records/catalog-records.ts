import type { ProductFeatures } from '../../ranking/vectors/features';
import type { Sent } from '../product/product';

/** One write of a product: the whole product, or (with `channel`) that channel's version alone. */
export interface RecordWrite {
  productId: string;
  channel: string | null;
  /** Null: removed. A removed version is kept as a tombstone. */
  sent: Sent | null;
  /** `sent` is merged into what is there (RFC 7396: objects part by part, null takes a field away) instead of replacing it. */
  merge?: true;
  receivedAt: number;
}

/** What a store sent of one product. */
export interface CatalogRecord {
  productId: string;
  /** The version written without a channel; null where there is none. `sent` null: removed. */
  base: RecordVersion | null;
  /** Versions written for one channel. */
  channels: Readonly<Record<string, RecordVersion>>;
}

export interface RecordVersion {
  /** Null: removed. */
  readonly sent: Sent | null;
  /** The last one sent before removal, so that inspection can still show it; empty where only the removal came. */
  readonly lastSent: Sent;
  removed: boolean;
  /** `lastSent` as JSON text, where an adapter has it: what was sent again compares by it without being parsed. */
  readonly text?: string;
  /** Greater than that of every earlier write of the store. */
  version: number;
  receivedAt: number;
  /** The first time this product was received. */
  firstReceivedAt: number;
}

/** What was made of writes. */
export interface Settled {
  /** What events take from products, made of this version of the record; an older one never replaces a newer one. */
  features?: { version: number; features: ProductFeatures }[];
  /** Products whose documents are in the engine as of this version. */
  indexed?: { productId: string; version: number }[];
}

export interface WrittenRecords {
  /** The record of each product afterwards, in first-write order. */
  records: CatalogRecord[];
  /** The version of each write; null where it removed something never sent. */
  versions: (number | null)[];
}

export interface ScanOptions {
  /** The last product id of the page before; empty: the first. What was written since the first page may be missing, or be as it was before. */
  after?: string;
  /** The highest version in the engine. */
  newerThan?: number | undefined;
  limit: number;
}

/**
 * What stores sent, field for field, and what an event remembers of a product. A write is durable when its promise
 * resolves and visible to every later read. Not here on purpose: searching (SearchEngine), validation (catalog service).
 */
export abstract class CatalogRecords {
  /**
   * Applies writes in order. A write without a channel leaves the versions written for channels as they are; a removal
   * without one removes those too, and they stay gone when the product comes back.
   */
  abstract write(store: string, writes: RecordWrite[]): Promise<WrittenRecords>;
  /** Records by id, in the order asked, null where never sent. `atLeast` names a version for each id: a remembered record of that version
   * or a later one may be answered, even if there is a newer one. */
  abstract read(store: string, productIds: string[], atLeast?: readonly number[]): Promise<(CatalogRecord | null)[]>;
  /** Notes what was made of writes: `features` durably, `indexed` so that `scan` needn't name those products again. */
  abstract settle(store: string, settled: Settled): Promise<void>;
  /** The snapshots of the products that are known. Removed products keep theirs, since their history still counts. */
  abstract features(store: string, productIds: string[]): Promise<Map<string, ProductFeatures>>;
  /**
   * Records of a store in id order, removed ones too, a page at a time. With `newerThan` only those that may not be in the engine: all
   * newer ones, and those that no process said it had indexed.
   */
  abstract scan(store: string, options: ScanOptions): Promise<CatalogRecord[]>;
  /** The highest version that was given to a product of the store; 0: none was. */
  abstract newest(store: string): Promise<number>;
  /** How many products were written after that version. */
  abstract countNewer(store: string, version: number): Promise<number>;
  /** Sales channels any product names (removed ones too, for as long as they are known), sorted. */
  abstract channels(store: string): Promise<string[]>;
  /** Everything of a store; the number of products. */
  abstract removeStore(store: string): Promise<number>;
}
