import { LONG_TIMEOUT, type Query } from '../../../../storage/elastic/elastic-connection';
import { removeDocuments, removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { writeOver } from '../../../../storage/elastic/write-over';
import { addDays } from '../../../../stores/store-day';
import type { Removal } from '../../click-ledger';
import { namelessOrder } from '../../order-proof';
import type { OrderState } from '../../order-state';
import type { Rollup } from '../../rollup';
import type { InteractionDocument } from './interaction-index';
import { interactionsOf, namedOf, ofShopper, ordersOf } from './ledger-requests';
import { liveRollups, storedRollups } from './ledger-rollups';
import type { LedgerIndices, NamedDocument } from './showcase-index';

const PAGE = 500;
const FIRST_DAY = '0000-00-00';

/** Takes entries out of the ledger while the rollups stay as they are. Answers their number. */
export async function removeEntries(indices: LedgerIndices, removal: Removal): Promise<number> {
  const { connection, interactions, named } = indices;
  const { store } = removal;
  if ('shopper' in removal) return forget(indices, store, removal.shopper);
  if ('before' in removal) return expire(indices, store, removal.before);
  const removed = await removeStoreFrom(connection, interactions.pattern, store);
  return removed + (await removeStoreFrom(connection, named.index, store));
}

/** Stores the rollups of a day before its first entry goes. From then on they stand for all entries of the day. */
async function expire(indices: LedgerIndices, store: string, before: string): Promise<number> {
  const { connection, interactions, named } = indices;
  const days = { store, from: FIRST_DAY, to: addDays(before, -1) };
  const stored = await storedRollups(indices, days);
  const byDay = new Map<string, Rollup[]>();
  for (const row of await liveRollups(indices, days, [...stored.keys()])) {
    const rows = byDay.get(row.day);
    if (rows) rows.push(row);
    else byDay.set(row.day, [row]);
  }
  byDay.delete('');
  for (const [day, rows] of byDay) {
    await named.create({ kind: 'rolled', store, name: day }, { day, body: JSON.stringify(rows) });
  }
  const removed = await removeDocuments(connection, interactions.pattern, interactionsOf(days, []));
  const orders = await removeDocuments(connection, named.index, ordersOf(days, []));
  await removeDocuments(connection, named.index, namedOf('foreign', days));
  return removed + orders;
}

async function forget(indices: LedgerIndices, store: string, shopper: string): Promise<number> {
  const query = ofShopper(store, shopper);
  const nameless = (document: InteractionDocument): object => {
    const { shopper: _name, address: _address, agent: _agent, request: _request, ...rest } = document;
    return rest;
  };
  const interactions = await rewrite(indices, indices.interactions.pattern, query, nameless);
  const orders = await rewrite<NamedDocument>(indices, indices.named.index, query, (document) => {
    const order = namelessOrder(JSON.parse(document.body) as OrderState);
    return { ...document, shopper: null, body: JSON.stringify(order) };
  });
  return interactions + orders;
}

/** Writes documents over, page by page until the query finds none. */
async function rewrite<T>(
  { connection, interactions }: LedgerIndices,
  index: string,
  query: Query,
  change: (document: T) => object,
): Promise<number> {
  const request = { index, size: PAGE, query, seq_no_primary_term: true, allow_partial_search_results: false };
  for (let changed = 0; ;) {
    await connection.refresh(index);
    const { hits } = await connection.search<T>(request, LONG_TIMEOUT);
    if (hits.hits.length === 0) return changed;
    const operations = hits.hits.flatMap(
      ({ _index, _id, _source, _seq_no: seqNo = 0, _primary_term: primaryTerm = 0 }) =>
        _source && _id !== undefined
          ? [writeOver({ index: _index, id: _id }, change(_source), { seqNo, primaryTerm })]
          : [],
    );
    const items = await interactions.write(operations);
    changed += items.filter(({ status }) => status < 300).length;
  }
}
