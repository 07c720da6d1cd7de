import { isMainThread, workerData } from 'node:worker_threads';
import { ElasticCatalogRecords } from '../../../../catalog/records/adapters/elastic/elastic-catalog-records';
import type { CatalogRecord } from '../../../../catalog/records/catalog-records';
import { SystemClock } from '../../../../shared/clock';
import { durationMs } from '../../../../ranking/duration';
import { BulkBatcher } from '../../../../storage/elastic/bulk-batcher';
import { ElasticConnection, type ElasticOptions, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { EventIndex } from '../../../events/adapters/elastic/event-index';
import { StoreLearner } from '../../../../ranking/learning/learn';
import { partsOf } from '../../learned-parts';
import { handOver } from '../../learning-thread';
import type { LearnRequest } from '../../model-learner';
import { purchases } from './elastic-purchases';

export interface LearnSetup {
  elastic: ElasticOptions;
  request: LearnRequest;
}

const PAGE = 500;

async function* recordPages(records: ElasticCatalogRecords, store: string): AsyncGenerator<CatalogRecord[]> {
  for (let after = ''; ;) {
    const page = await records.scan(store, { after, limit: PAGE });
    if (page.length === 0) return;
    after = page.at(-1)?.productId ?? '';
    yield page;
  }
}

/** Of removed products, too: who bought them still says something. */
async function addCatalog(records: ElasticCatalogRecords, store: string, learner: StoreLearner) {
  const sold = new Map<string, number>();
  for await (const page of recordPages(records, store)) {
    for (const { productId, base } of page) {
      const value = Number(base?.lastSent['sold'] ?? 0);
      if (value > 0) sold.set(productId, value);
    }
    const ids = page.map(({ productId }) => productId);
    learner.addCatalog((await records.features(store, ids)).values());
  }
  return sold;
}

async function main(): Promise<void> {
  const { elastic, request } = workerData as LearnSetup;
  const { store, now, trend } = request;
  // Nobody waits for it.
  const connection = await ElasticConnection.open({ ...elastic, timeoutMs: LONG_TIMEOUT });
  const records = await ElasticCatalogRecords.open(connection, new BulkBatcher(connection), new SystemClock());
  const learner = new StoreLearner({ now, short: durationMs(trend.short), long: durationMs(trend.long) });
  const sold = await addCatalog(records, store, learner);
  for await (const page of purchases(new EventIndex(connection), store)) learner.addPurchases(page);
  await connection.close();
  const model = learner.finish();
  handOver(partsOf(model, sold, request), model);
}

// What fails here ends the thread, and whoever started it is told.
if (!isMainThread) void main();
