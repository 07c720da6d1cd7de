import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { scroll } from '../../../../storage/elastic/scroll';
import { rollupsOfOrder, type OrderState } from '../../orders';
import type { InteractionIndex } from './interaction-index';
import { type Days, interactionsOf, ordersOf, rolledOf, ROWS, rollupsRequest } from './ledger-requests';
import type { NamedDocument, ShowcaseIndex } from './showcase-index';
import type { Rollup } from '../../rollup';

interface Bucket {
  key: Record<string, string>;
  doc_count: number;
  cost: { value: number | null };
}

/** Rollups of interactions and orders; of days whose interactions have gone, what was kept of them. */
export class LedgerRollups {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly hits: InteractionIndex,
    private readonly index: ShowcaseIndex,
  ) {}

  async of(days: Days): Promise<Rollup[]> {
    const rolled = await this.rolled(days);
    const live = await this.live(
      days,
      rolled.map(({ day }) => day),
    );
    return [...rolled.flatMap(({ rows }) => rows), ...live];
  }

  /** Of days that were not rolled up. */
  async live(days: Days, rolled: readonly string[]): Promise<Rollup[]> {
    await this.hits.refresh();
    const rows = new Map<string, Rollup>();
    const add = (row: Rollup): void => {
      const { day, campaign, product, placement, measure } = row;
      const name = JSON.stringify([day, campaign, product, placement, measure]);
      const known = rows.get(name);
      rows.set(name, known ? { ...known, count: known.count + row.count, micros: known.micros + row.micros } : row);
    };
    for await (const page of this.rollups(days, rolled)) page.forEach(add);
    for await (const page of scroll<NamedDocument>(this.connection, this.index.index, ordersOf(days, rolled))) {
      for (const { body } of page) rollupsOfOrder(JSON.parse(body) as OrderState).forEach(add);
    }
    return [...rows.values()];
  }

  async rolled(days: Days): Promise<{ day: string; rows: Rollup[] }[]> {
    const found: { day: string; rows: Rollup[] }[] = [];
    for await (const page of scroll<NamedDocument>(this.connection, this.index.index, rolledOf(days))) {
      for (const { day = '', body } of page) found.push({ day, rows: JSON.parse(body) as Rollup[] });
    }
    return found;
  }

  private async *rollups(days: Days, rolled: readonly string[]): AsyncGenerator<Rollup[]> {
    let after: Record<string, string> | undefined;
    for (;;) {
      const request = rollupsRequest(this.hits.pattern, interactionsOf(days, rolled), after);
      const { aggregations } = await this.connection.call(
        (client, options) => client.search(request, options),
        LONG_TIMEOUT,
      );
      const { rows } = (aggregations ?? {}) as { rows?: { buckets: Bucket[]; after_key?: Record<string, string> } };
      const buckets = rows?.buckets ?? [];
      yield buckets.map(({ key, doc_count: count, cost }) => ({
        campaign: key['campaign'] ?? '',
        product: key['product'] ?? '',
        placement: key['placement'] ?? '',
        day: key['day'] ?? '',
        measure: key['measure'] ?? '',
        count,
        micros: cost.value ?? 0,
      }));
      after = rows?.after_key;
      if (buckets.length < ROWS || after === undefined) return;
    }
  }
}
