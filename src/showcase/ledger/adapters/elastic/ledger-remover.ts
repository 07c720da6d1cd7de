import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { removeDocuments, removeStoreFrom } from '../../../../storage/elastic/remove-documents';
import { writeOver } from '../../../../storage/elastic/write-over';
import { addDays } from '../../../store-day';
import type { Removal } from '../../click-ledger';
import type { OrderState } from '../../orders';
import type { Rollup } from '../../rollup';
import type { InteractionDocument, InteractionIndex } from './interaction-index';
import { interactionsOf, namedOf, ofShopper, ordersOf } from './ledger-requests';
import type { LedgerRollups } from './ledger-rollups';
import type { NamedDocument, ShowcaseIndex } from './showcase-index';

const PAGE = 500;
const FIRST_DAY = '0000-00-00';

/** Takes entries out of the ledger while the rollups stay as they are. */
export class LedgerRemover {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly interactions: InteractionIndex,
    private readonly index: ShowcaseIndex,
    private readonly rollups: LedgerRollups,
  ) {}

  async remove(removal: Removal): Promise<number> {
    const { store } = removal;
    if ('shopper' in removal) return this.forget(store, removal.shopper);
    if ('before' in removal) return this.expire(store, removal.before);
    const removed = await removeStoreFrom(this.connection, this.interactions.pattern, store);
    return removed + (await removeStoreFrom(this.connection, this.index.index, store));
  }

  /** Stores the rollups of a day before its first entry goes. From then on they stand for all entries of the day. */
  private async expire(store: string, before: string): Promise<number> {
    const days = { store, from: FIRST_DAY, to: addDays(before, -1) };
    const kept = (await this.rollups.rolled(days)).map(({ day }) => day);
    const byDay = new Map<string, Rollup[]>();
    for (const row of await this.rollups.live(days, kept)) {
      const rows = byDay.get(row.day);
      if (rows) rows.push(row);
      else byDay.set(row.day, [row]);
    }
    for (const [day, rows] of byDay) {
      if (day === '') continue;
      const write = { day, body: JSON.stringify(rows) };
      await this.index.change({ kind: 'rolled', store, name: day }, (found) => ({
        write: found ? null : write,
        result: null,
      }));
    }
    const removed = await removeDocuments(this.connection, this.interactions.pattern, interactionsOf(days, []));
    const orders = await removeDocuments(this.connection, this.index.index, ordersOf(days, []));
    await removeDocuments(this.connection, this.index.index, namedOf('foreign', days));
    return removed + orders;
  }

  /** Writes entries over without the shopper's name, page by page until none has it. */
  private async forget(store: string, shopper: string): Promise<number> {
    const query = ofShopper(store, shopper);
    const ofInteractions = await this.rewrite<InteractionDocument>(
      this.interactions.pattern,
      query,
      ({ shopper: _forgotten, ...rest }) => rest,
    );
    const ofOrders = await this.rewrite<NamedDocument>(this.index.index, query, (document) => {
      const order = { ...(JSON.parse(document.body) as OrderState), shopper: null };
      return { ...document, shopper: null, body: JSON.stringify(order) };
    });
    return ofInteractions + ofOrders;
  }

  private async rewrite<T>(
    index: string,
    query: ReturnType<typeof ofShopper>,
    change: (document: T) => object,
  ): Promise<number> {
    let changed = 0;
    for (;;) {
      await this.connection.refresh(index);
      const request = { index, size: PAGE, query, seq_no_primary_term: true, allow_partial_search_results: false };
      const { hits } = await this.connection.call(
        (client, options) => client.search<T>(request, options),
        LONG_TIMEOUT,
      );
      if (hits.hits.length === 0) return changed;
      const operations = hits.hits.flatMap(
        ({ _index, _id, _source, _seq_no: seqNo = 0, _primary_term: primaryTerm = 0 }) =>
          _source && _id !== undefined
            ? [writeOver({ index: _index, id: _id }, change(_source), { seqNo, primaryTerm })]
            : [],
      );
      const items = await this.interactions.write(operations);
      changed += items.filter(({ status }) => status < 300).length;
    }
  }
}
