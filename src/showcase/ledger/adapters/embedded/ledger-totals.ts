import type { Statements } from '../../../../storage/sqlite/sqlite';
import type { Rollup } from '../../rollup';

/** Adds to the rollups, or takes away. */
export function add(sql: Statements, store: string, row: Rollup, sign: 1 | -1 = 1): void {
  const { day, campaign, product, placement, measure, count, micros } = row;
  sql.run(
    `INSERT INTO showcase_total (store, day, campaign, product, placement, measure, count, micros) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count, micros = micros + excluded.micros`,
    store,
    day,
    campaign,
    product,
    placement,
    measure,
    sign * count,
    sign * micros,
  );
}
