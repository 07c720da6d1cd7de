import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { Removal } from '../../click-ledger';
import type { OrderState } from '../../orders';
import { addDays } from '../../../store-day';
import type { InteractionDocument, InteractionIndex } from './interaction-index';
import { interactionsOf, ofShopper, ordersOf } from './ledger-requests';
import type { LedgerRollups } from './ledger-rollups';
import type { NamedDocument, ShowcaseIndex } from './showcase-index';
import type { Rollup } from '../../rollup';

type Query = ReturnType<typeof interactionsOf>;

const PAGE = 500;
const FIRST_DAY = '0000-00-00';

/** Takes entries out of the ledger, without a sum changing. */
export class LedgerRemover {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly parts: { hits: InteractionIndex; index: ShowcaseIndex },
    private readonly rollups: LedgerRollups,
  ) {}

  async remove(removal: Removal): Promise<number> {
    if ('shopper' in removal) return this.forget(removal.store, removal.shopper);
    if ('before' in removal) return this.expire(removal.store, removal.before);
    const { hits, index } = this.parts;
    const removed = await removeStoreFrom(this.connection, hits.pattern, removal.store);
    return removed + (await removeStoreFrom(this.connection, index.index, removal.store));
  }

  /** The rollups of a day are kept before its first entry goes, and from then on stand for all of them. */
  private async expire(store: string, before: string): Promise<number> {
    const days = { store, from: FIRST_DAY, to: addDays(before, -1) };
    const kept = (await this.rollups.rolled(days)).map(({ day }) => day);
    const byDay = new Map<string, Rollup[]>();
    for (const row of await this.rollups.live(days, kept)) byDay.set(row.day, [...(byDay.get(row.day) ?? []), row]);
    for (const [day, rows] of byDay) {
      if (day === '') continue;
      const write = { day, body: JSON.stringify(rows) };
      await this.parts.index.change({ kind: 'rolled', store, name: day }, (found) => ({
        write: found ? null : write,
        result: null,
      }));
    }
    const hits = await this.removeAll(this.parts.hits.pattern, interactionsOf(days, []));
    const orders = await this.removeAll(this.parts.index.index, ordersOf(days, []));
    await this.removeAll(this.parts.index.index, {
      bool: { filter: [{ term: { store } }, { term: { kind: 'foreign' } }, { range: { day: { lt: before } } }] },
    });
    return hits + orders;
  }

  private async removeAll(index: string, query: Query): Promise<number> {
    let removed = 0;
    for (;;) {
      await this.connection.call((client, options) => client.indices.refresh({ index }, options), LONG_TIMEOUT);
      const { deleted = 0, total = 0 } = await this.connection.call(
        (client, options) =>
          client.deleteByQuery({ index, query, max_docs: 10_000, conflicts: 'proceed', refresh: true }, options),
        LONG_TIMEOUT,
      );
      removed += deleted;
      if (total === 0) return removed;
    }
  }

  /** Written over without the shopper's name, page by page until none is left. */
  private async forget(store: string, shopper: string): Promise<number> {
    const { hits, index } = this.parts;
    const ofInteractions = await this.rename<InteractionDocument>(
      hits.pattern,
      ofShopper(store, shopper),
      ({ shopper: _gone, ...rest }) => rest,
    );
    const ofOrders = await this.rename<NamedDocument>(index.index, ofShopper(store, shopper), (document) => {
      const order = { ...(JSON.parse(document.body) as OrderState), shopper: null };
      return { ...document, shopper: null, body: JSON.stringify(order) };
    });
    return ofInteractions + ofOrders;
  }

  private async rename<T>(index: string, query: Query, change: (document: T) => object): Promise<number> {
    let changed = 0;
    for (;;) {
      await this.connection.call((client, options) => client.indices.refresh({ index }, options), LONG_TIMEOUT);
      const request = { index, size: PAGE, query, seq_no_primary_term: true, allow_partial_search_results: false };
      const { hits } = await this.connection.call(
        (client, options) => client.search<T>(request, options),
        LONG_TIMEOUT,
      );
      if (hits.hits.length === 0) return changed;
      const operations = hits.hits.flatMap(
        ({ _index, _id, _source, _seq_no = 0, _primary_term = 0 }): BulkOperation[] =>
          _source && _id !== undefined
            ? [
                {
                  type: 'index',
                  index: _index,
                  id: _id,
                  expected: { seqNo: _seq_no, primaryTerm: _primary_term },
                  document: JSON.stringify(change(_source)),
                },
              ]
            : [],
      );
      const items = await this.parts.hits.write(operations);
      changed += items.filter(({ status }) => status < 300).length;
    }
  }
}
