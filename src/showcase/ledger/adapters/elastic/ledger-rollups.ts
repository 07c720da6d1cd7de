import { LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { scroll } from '../../../../storage/elastic/scroll';
import type { LedgerDays } from '../../click-ledger';
import type { OrderState } from '../../order-state';
import { rollupsOfOrder } from '../../orders';
import { addTo, type Rollup } from '../../rollup';
import { interactionsOf, namedOf, ordersOf, ROWS, rollupsRequest } from './ledger-requests';
import type { LedgerIndices, NamedDocument } from './showcase-index';

type RollupKey = Pick<Rollup, 'campaign' | 'product' | 'placement' | 'day' | 'measure'>;

interface RollupRows {
  buckets: { key: RollupKey; doc_count: number; cost: { value: number | null }; unrated: { doc_count: number } }[];
  after_key?: Record<string, string>;
}

/** Rollups of interactions and orders; of days whose entries have gone, the rollups that were stored. */
export async function allRollups(indices: LedgerIndices, days: LedgerDays): Promise<Rollup[]> {
  const stored = await storedRollups(indices, days);
  const live = await liveRollups(indices, days, [...stored.keys()]);
  return [...[...stored.values()].flat(), ...live];
}

/** Added up from entries; `rolled`: days to leave out. */
export async function liveRollups(
  indices: LedgerIndices,
  days: LedgerDays,
  rolled: readonly string[],
): Promise<Rollup[]> {
  const { connection, interactions, named } = indices;
  await interactions.refresh();
  const rollups = new Map<string, Rollup>();
  for await (const page of rollupsOfInteractions(indices, days, rolled)) for (const row of page) addTo(rollups, row);
  for await (const page of scroll<NamedDocument>(connection, named.index, ordersOf(days, rolled))) {
    for (const { body } of page) {
      for (const row of rollupsOfOrder(JSON.parse(body) as OrderState)) addTo(rollups, row);
    }
  }
  return [...rollups.values()];
}

/** By their days. */
export async function storedRollups(
  { connection, named }: LedgerIndices,
  days: LedgerDays,
): Promise<Map<string, Rollup[]>> {
  const stored = new Map<string, Rollup[]>();
  for await (const page of scroll<NamedDocument>(connection, named.index, namedOf('rolled', days))) {
    for (const { day = '', body } of page) stored.set(day, JSON.parse(body) as Rollup[]);
  }
  return stored;
}

async function* rollupsOfInteractions(
  { connection, interactions }: LedgerIndices,
  days: LedgerDays,
  rolled: readonly string[],
): AsyncGenerator<Rollup[]> {
  let after: Record<string, string> | undefined;
  do {
    const request = rollupsRequest(interactions.pattern, interactionsOf(days, rolled), after);
    const { aggregations } = await connection.search<unknown, { rows?: RollupRows }>(request, LONG_TIMEOUT);
    const { buckets = [], after_key: next } = aggregations?.rows ?? {};
    yield buckets.flatMap(({ key, doc_count: count, cost, unrated }): Rollup[] => {
      const { campaign, product, placement, day, measure } = key;
      const row = { campaign, product, placement, day, measure, count, micros: cost.value ?? 0 };
      const [type, verdict] = measure.split('/');
      if (verdict !== 'valid' || unrated.doc_count === 0) return [row];
      return [row, { ...row, measure: `${type}/unrated`, count: unrated.doc_count, micros: 0 }];
    });
    after = buckets.length < ROWS ? undefined : next;
  } while (after !== undefined);
}
