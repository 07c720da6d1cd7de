import type { estypes } from '@elastic/elasticsearch';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { ElasticSnapshots } from '../../../events/adapters/elastic/elastic-snapshots';
import { eventsOf } from '../../../events/adapters/elastic/event-document';
import { type EventIndex, PATIENCE } from '../../../events/adapters/elastic/event-index';
import { all, ofStore, type Query } from '../../../events/adapters/elastic/event-requests';
import { MOST_COUNTED, type NewPurchases } from '../../model-learner';
import { isSentNow, type LoggedOrder, PROVEN_FOR_MS, SENT_WITHIN_MS } from '../../order-guard';

interface PurchaseAnswer {
  hits?: { total?: { value: number } };
  aggregations?: { last: { value: number | null } };
}

/** The counted transactions in the log, in its order. */
export async function* orders(
  events: EventIndex,
  snapshots: ElasticSnapshots,
  store: string,
): AsyncGenerator<LoggedOrder[]> {
  for await (const page of events.pages(purchasesOf(store))) {
    const documents = page.map(({ source }) => source);
    yield await eventsOf(snapshots, documents);
  }
}

/** Whether the store sends orders with keys. Where it does, the first page says so. */
export async function isProven(events: EventIndex, store: string, now: number): Promise<boolean> {
  for await (const page of events.pages(provenOf(store, now))) {
    if (page.some(({ source: { at, received } }) => isSentNow({ at, receivedAt: received }, now))) return true;
  }
  return false;
}

/** Counted transactions after a sequence number, and the last of all. */
export async function newPurchases(events: EventIndex, store: string, after: number): Promise<NewPurchases> {
  await events.refresh();
  const request = newPurchasesRequest(events.pattern, store, after);
  const { responses } = await events.connection.call((client, options) => client.msearch(request, options), PATIENCE);
  if (responses.some((one) => 'error' in one)) throw unavailable(new Error('The log can not be searched'));
  const [counted, newest] = responses as PurchaseAnswer[];
  const count = Math.min(counted?.hits?.total?.value ?? 0, MOST_COUNTED);
  return { count, last: newest?.aggregations?.last.value ?? 0 };
}

export const purchases: readonly Query[] = [{ term: { name: 'transaction' } }, { term: { counted: true } }];

export const purchasesOf = (store: string): Query[] => [ofStore(store), ...purchases];

/** Of those with keys, all that may have been sent when they happened. */
export const provenOf = (store: string, now: number): Query[] => [
  ...purchasesOf(store),
  { term: { keyed: true } },
  { range: { at: { gt: now - PROVEN_FOR_MS - SENT_WITHIN_MS } } },
];

export function newPurchasesRequest(index: string, store: string, after: number): estypes.MsearchRequest {
  const header = { index, allow_partial_search_results: false };
  const query = all(...purchasesOf(store), { range: { seq: { gt: after } } });
  const last = { max: { field: 'seq' } };
  return {
    searches: [
      header,
      { size: 0, track_total_hits: MOST_COUNTED, query },
      header,
      { size: 0, track_total_hits: false, query: all(...purchasesOf(store)), aggs: { last } },
    ],
  };
}
