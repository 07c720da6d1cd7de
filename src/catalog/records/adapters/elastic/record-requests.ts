import type { estypes } from '@elastic/elasticsearch';
import { createHash } from 'node:crypto';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
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

/** What a write must find unchanged. */
export type DocumentState = NonNullable<BulkOperation['expected']>;

export const RECORDS = 'records';
/** Channels read at once. */
export const CHANNELS_PAGE = 1000;
/** Open batches read at once. */
const OPEN_PAGE = 1000;

/** Product ids are up to 256 characters of any script; ids of the server end at 512 bytes. */
export function recordId(store: string, productId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([store, productId]))
    .digest('base64url');
}

/** A product, where it still stands as found; null: where there still is none. */
export function recordOperation(
  index: string,
  store: string,
  { productId, state, found }: { productId: string; state: ProductState; found: DocumentState | null },
): BulkOperation {
  const stored: StoredRecord = {
    store,
    product: productId,
    version: newestVersion(state),
    channels: [...state.named].sort(),
    body: JSON.stringify([...state.versions.values()]),
  };
  const operation = { index, id: recordId(store, productId), routing: store, document: JSON.stringify(stored) };
  return found ? { type: 'index', ...operation, expected: found } : { type: 'create', ...operation };
}

export function readState({ channels, body }: Pick<StoredRecord, 'channels' | 'body'>): ProductState {
  const versions = JSON.parse(body) as StoredVersion[];
  return { versions: new Map(versions.map((one) => [one.channel, one])), named: new Set(channels) };
}

export function openOperation(
  index: string,
  { id, store, products, since }: { id: string; store: string; products: [string, number][]; since: number },
): BulkOperation {
  const stored: StoredOpenBatch = { store, open: JSON.stringify(products), openSince: since };
  return { type: 'create', index, id, routing: store, document: JSON.stringify(stored) };
}

/** Records of a store in id order; with `unindexed` those of a higher version, and those named. */
export function scanRequest(
  index: string,
  store: string,
  query: { after: string; limit: number; unindexed?: { newerThan: number; products: string[] } },
): estypes.SearchRequest {
  const { after, limit, unindexed } = query;
  const filter: estypes.QueryDslQueryContainer[] = [{ term: { store } }, { range: { product: { gt: after } } }];
  if (unindexed) {
    const should: estypes.QueryDslQueryContainer[] = [{ range: { version: { gt: unindexed.newerThan } } }];
    if (unindexed.products.length > 0) should.push({ terms: { product: unindexed.products } });
    filter.push({ bool: { should, minimum_should_match: 1 } });
  }
  return {
    index,
    routing: store,
    size: limit,
    track_total_hits: false,
    query: { bool: { filter } },
    sort: [{ product: 'asc' }],
  };
}

/** The oldest batches that are open since before a time. */
export function openRequest(index: string, store: string, before: number): estypes.SearchRequest {
  return {
    index,
    routing: store,
    size: OPEN_PAGE,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { store } }, { range: { openSince: { lt: before } } }] } },
    sort: [{ openSince: 'asc' }],
  };
}

export function channelsRequest(
  index: string,
  store: string,
  after?: estypes.AggregationsCompositeAggregateKey,
): estypes.SearchRequest {
  return {
    index,
    routing: store,
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [{ term: { store } }] } },
    aggs: {
      channels: {
        composite: {
          size: CHANNELS_PAGE,
          sources: [{ channel: { terms: { field: 'channels' } } }],
          ...(after ? { after } : {}),
        },
      },
    },
  };
}

export function countRequest(index: string, store: string): estypes.CountRequest {
  return {
    index,
    routing: store,
    query: { bool: { filter: [{ term: { store } }, { exists: { field: 'product' } }] } },
  };
}
