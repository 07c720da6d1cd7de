import { isMainThread, workerData } from 'node:worker_threads';
import { numberOf } from '../../../../catalog/product/sent-values';
import { ElasticCatalogRecords } from '../../../../catalog/records/adapters/elastic/elastic-catalog-records';
import { SystemClock } from '../../../../shared/clock';
import { BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { ElasticConnection, type ElasticOptions, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { ElasticSnapshots } from '../../../events/adapters/elastic/elastic-snapshots';
import { EventIndex } from '../../../events/adapters/elastic/event-index';
import { ReadBatcher } from '../../../../storage/elastic/read-batcher';
import { type CatalogPage, learnInThread } from '../../learn-in-thread';
import { isProven, orders } from './elastic-purchases';

export interface ElasticLearnSetup {
  elastic: ElasticOptions;
}

const PAGE = 500;

/** Features of removed products, too: who bought them still says something. */
async function* catalogOf(records: ElasticCatalogRecords, store: string): AsyncGenerator<CatalogPage> {
  for (let after = ''; ;) {
    const page = await records.scan(store, { after, limit: PAGE });
    const sold = page.flatMap(({ productId, base }): CatalogPage['sold'] => {
      const count = numberOf(base?.lastSent['sold']) ?? 0;
      return count > 0 ? [[productId, count]] : [];
    });
    const ids = page.map(({ productId }) => productId);
    yield { features: [...(await records.features(store, ids)).values()], sold };
    if (page.length < PAGE) return;
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
    const snapshots = new ElasticSnapshots(connection, bulk, ReadBatcher.of(connection));
    return {
      catalog: catalogOf(records, store),
      orders: () => orders(events, snapshots, store),
      proven: () => isProven(events, store, now),
    };
  });
}

if (!isMainThread) void main();
