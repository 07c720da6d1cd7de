import type { estypes } from '@elastic/elasticsearch';
import { randomUUID } from 'node:crypto';
import { digestOf } from '../../../../shared/digest';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import { writeOver } from '../../../../storage/elastic/write-over';
import type { ScanOptions } from '../../catalog-records';
import { newestVersion, type ProductState, type StoredVersion } from '../../record-versions';

/** A product as stored; `body` is the JSON text of its versions. */
export interface StoredRecord {
  store: string;
  product: string;
  /** The newest. */
  version: number;
  channels: string[];
  body: string;
}

/** Products that were written and may not be in the engine yet; `open` is the JSON text of [product, version] pairs. */
export interface StoredOpenBatch {
  store: string;
  open: string;
  /** Milliseconds. */
  openSince: number;
}

export interface StoredFeatures {
  store: string;
  body: string;
}

export const RECORDS = 'records';
/** Channels read at once. */
const CHANNELS_PAGE = 1000;
/** Open batches read at once. */
const OPEN_PAGE = 1000;

/** Product ids are up to 256 characters of any script; ids of the server end at 512 bytes. */
export const recordId = (store: string, productId: string): string => digestOf(store, productId);

/** Writes a product only while it stands as found; null: only while there is none. */
export function recordOperation(
  index: string,
  store: string,
  { productId, state, found }: { productId: string; state: ProductState; found: Parameters<typeof writeOver>[2] },
): BulkOperation {
  const stored: StoredRecord = {
    store,
    product: productId,
    version: newestVersion(state),
    channels: [...state.named].sort(),
    body: JSON.stringify([...state.versions.values()]),
  };
  return writeOver({ index, id: recordId(store, productId), routing: store }, stored, found);
}

export function readState({ channels, body }: Pick<StoredRecord, 'channels' | 'body'>): ProductState {
  const versions = JSON.parse(body) as StoredVersion[];
  return { versions: new Map(versions.map((one) => [one.channel, one])), named: new Set(channels) };
}

export const openId = (): string => `open-${randomUUID()}`;

export function openOperation(
  index: string,
  { id, store, products, since }: { id: string; store: string; products: [string, number][]; since: number },
): BulkOperation {
  const stored: StoredOpenBatch = { store, open: JSON.stringify(products), openSince: since };
  return { type: 'create', index, id, routing: store, document: JSON.stringify(stored) };
}

/** Records of a store in id order; with `newerThan` only those of a higher version, and `left`, which were left behind. */
export function scanRequest(
  index: string,
  store: string,
  { after = '', limit, newerThan, left = [] }: ScanOptions & { left?: string[] },
): estypes.SearchRequest {
  const filters: RecordQuery[] = [{ range: { product: { gt: after } } }];
  if (newerThan !== undefined) {
    const should: RecordQuery[] = [newerThanFilter(newerThan)];
    if (left.length > 0) should.push({ terms: { product: left } });
    filters.push({ bool: { should, minimum_should_match: 1 } });
  }
  return { ...ofStore(index, store, filters), ...UNCOUNTED, size: limit, sort: [{ product: 'asc' }] };
}

/** The oldest batches that are open since before a time. */
export function openRequest(index: string, store: string, before: number): estypes.SearchRequest {
  const filters = [{ range: { openSince: { lt: before } } }];
  return { ...ofStore(index, store, filters), ...UNCOUNTED, size: OPEN_PAGE, sort: [{ openSince: 'asc' }] };
}

export function channelsRequest(
  index: string,
  store: string,
  after?: estypes.AggregationsCompositeAggregateKey,
): estypes.SearchRequest {
  const composite = { size: CHANNELS_PAGE, sources: [{ channel: { terms: { field: 'channels' } } }] };
  const channels = { composite: { ...composite, ...(after ? { after } : {}) } };
  return { ...ofStore(index, store), ...UNCOUNTED, size: 0, aggs: { channels } };
}

export function countRequest(index: string, store: string, filters: RecordQuery[] = []): estypes.CountRequest {
  return ofStore(index, store, [{ exists: { field: 'product' } }, ...filters]);
}

export function newestRequest(index: string, store: string): estypes.SearchRequest {
  return { ...ofStore(index, store), ...UNCOUNTED, size: 0, aggs: { newest: { max: { field: 'version' } } } };
}

export const newerThanFilter = (version: number): RecordQuery => ({ range: { version: { gt: version } } });

type RecordQuery = NonNullable<estypes.CountRequest['query']>;

const UNCOUNTED = { track_total_hits: false };

function ofStore(
  index: string,
  store: string,
  filters: RecordQuery[] = [],
): { index: string; routing: string; query: RecordQuery } {
  return { index, routing: store, query: { bool: { filter: [{ term: { store } }, ...filters] } } };
}
