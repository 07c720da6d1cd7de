import { isMainThread, workerData } from 'node:worker_threads';
import { ElasticCatalogRecords } from '../../../../catalog/records/adapters/elastic/elastic-catalog-records';
import type { ProductFeatures } from '../../../../ranking/vectors/features';
import { SystemClock } from '../../../../shared/clock';
import { BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { ElasticConnection, type ElasticOptions, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { ElasticSnapshots } from '../../../events/adapters/elastic/elastic-snapshots';
import { EventIndex } from '../../../events/adapters/elastic/event-index';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { learnInThread } from '../../learn-in-thread';
import { isProven, orders } from './elastic-purchases';

export interface ElasticLearnSetup {
  elastic: ElasticOptions;
}

const PAGE = 500;

/** Features of removed products, too: who bought them still says something. */
async function* products(
  records: ElasticCatalogRecords,
  store: string,
  sold: Map<string, number>,
): AsyncGenerator<ProductFeatures[]> {
  for (let after = ''; ;) {
    const page = await records.scan(store, { after, limit: PAGE });
    if (page.length === 0) return;
    for (const { productId, base } of page) {
      const value = Number(base?.lastSent['sold'] ?? 0);
      if (value > 0) sold.set(productId, value);
    }
    const ids = page.map(({ productId }) => productId);
    yield [...(await records.features(store, ids)).values()];
    after = ids.at(-1) ?? after;
  }
}

async function main(): Promise<void> {
  const { elastic } = workerData as ElasticLearnSetup;
  // Nobody waits for it.
  const connection = await ElasticConnection.open({ ...elastic, timeoutMs: LONG_TIMEOUT });
  const bulk = new BulkBatcher(connection);
  const records = await ElasticCatalogRecords.open(connection, bulk, new SystemClock());
  const events = new EventIndex(connection);
  learnInThread(async ({ store, now }) => {
    const sold = new Map<string, number>();
    const snapshots = new ElasticSnapshots(connection, bulk, ReadBatcher.of(connection));
    return {
      products: products(records, store, sold),
      orders: () => orders(events, snapshots, store),
      proven: await isProven(events, store, now),
      sold,
    };
  });
}

if (!isMainThread) void main();
