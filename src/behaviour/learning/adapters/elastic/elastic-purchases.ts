import type { estypes } from '@elastic/elasticsearch';
import type { Purchase } from '../../../../ranking/learning/learn';
import { unavailable } from '../../../../storage/elastic/elastic-connection';
import type { ElasticSnapshots } from '../../../events/adapters/elastic/elastic-snapshots';
import { eventsOf } from '../../../events/adapters/elastic/event-document';
import { type EventIndex, PATIENCE } from '../../../events/adapters/elastic/event-index';
import { all, ofStore, type Query } from '../../../events/adapters/elastic/event-requests';
import type { StoredEvent } from '../../../events/event-log';
import { MOST_COUNTED, type NewPurchases } from '../../model-learner';

interface PurchaseAnswer {
  hits?: { total?: { value: number } };
  aggregations?: { last: { value: number | null } };
}

/** Of the counted transactions in the log, each product of each; in the order of the log. */
export async function* purchases(
  events: EventIndex,
  snapshots: ElasticSnapshots,
  store: string,
): AsyncGenerator<Purchase[]> {
  for await (const page of events.pages(purchasesOf(store))) {
    const documents = page.map(({ source }) => source);
    yield (await eventsOf(snapshots, documents)).flatMap(purchasesIn);
  }
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

export const purchasesOf = (store: string): Query[] => [
  ofStore(store),
  { term: { name: 'transaction' } },
  { term: { counted: true } },
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

function purchasesIn({ shopper, evidence }: StoredEvent): Purchase[] {
  if (!shopper || !evidence) return [];
  return evidence.items.map(({ product }) => ({ userId: shopper, product, at: evidence.at }));
}
