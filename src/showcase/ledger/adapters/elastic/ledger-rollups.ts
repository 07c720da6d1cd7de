import { type ElasticConnection, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { scroll } from '../../../../storage/elastic/scroll';
import type { LedgerDays } from '../../click-ledger';
import { type OrderState, rollupsOfOrder } from '../../orders';
import { addTo, type Rollup } from '../../rollup';
import type { InteractionIndex } from './interaction-index';
import { interactionsOf, namedOf, ordersOf, ROWS, rollupsRequest } from './ledger-requests';
import type { NamedDocument, ShowcaseIndex } from './showcase-index';

interface Bucket {
  key: Record<string, string>;
  doc_count: number;
  cost: { value: number | null };
}

/** Rollups of interactions and orders; of days whose entries have gone, the rollups that were stored. */
export class LedgerRollups {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly interactions: InteractionIndex,
    private readonly index: ShowcaseIndex,
  ) {}

  async of(days: LedgerDays): Promise<Rollup[]> {
    const rolled = await this.rolled(days);
    const kept = rolled.map(({ day }) => day);
    return [...rolled.flatMap(({ rows }) => rows), ...(await this.live(days, kept))];
  }

  /** Added up from entries; `rolled`: days to leave out. */
  async live(days: LedgerDays, rolled: readonly string[]): Promise<Rollup[]> {
    await this.interactions.refresh();
    const rollups = new Map<string, Rollup>();
    for await (const page of this.ofInteractions(days, rolled)) for (const row of page) addTo(rollups, row);
    for await (const page of scroll<NamedDocument>(this.connection, this.index.index, ordersOf(days, rolled))) {
      for (const { body } of page) {
        for (const row of rollupsOfOrder(JSON.parse(body) as OrderState)) addTo(rollups, row);
      }
    }
    return [...rollups.values()];
  }

  async rolled(days: LedgerDays): Promise<{ day: string; rows: Rollup[] }[]> {
    const found: { day: string; rows: Rollup[] }[] = [];
    for await (const page of scroll<NamedDocument>(this.connection, this.index.index, namedOf('rolled', days))) {
      for (const { day = '', body } of page) found.push({ day, rows: JSON.parse(body) as Rollup[] });
    }
    return found;
  }

  private async *ofInteractions(days: LedgerDays, rolled: readonly string[]): AsyncGenerator<Rollup[]> {
    let after: Record<string, string> | undefined;
    for (;;) {
      const request = rollupsRequest(this.interactions.pattern, interactionsOf(days, rolled), after);
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
