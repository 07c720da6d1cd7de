import type { SqlRow, Statements } from '../../../../storage/sqlite/sqlite';
import type { StoredInteraction } from '../../click-ledger';
import { rollupsOfInteraction } from '../../ledger-rules';
import type { OrderState } from '../../order-state';
import { rollupsOfOrder } from '../../orders';
import type { Rollup } from '../../rollup';

const INTERACTION: readonly (keyof StoredInteraction)[] = [
  'store',
  'type',
  'verdict',
  'campaign',
  'product',
  'placement',
  'at',
  'day',
  'shopper',
  'cost',
  'address',
  'agent',
  'request',
  'unrated',
  'reason',
];
/** Absent where a row has none; rows of earlier versions have none of these. */
const OPTIONAL: ReadonlySet<string> = new Set(['address', 'agent', 'request', 'unrated', 'reason']);
const ROLLUP: readonly (keyof Rollup)[] = ['campaign', 'product', 'placement', 'day', 'measure', 'count', 'micros'];

export const INTERACTION_COLUMNS = INTERACTION.join(', ');
export const ROLLUP_COLUMNS = ROLLUP.join(', ');

export function interactionOf(row: SqlRow): StoredInteraction {
  const fields = INTERACTION.flatMap((column, index): [string, unknown][] => {
    const value = column === 'unrated' && row[index] === 1 ? true : row[index];
    return value === null && OPTIONAL.has(column) ? [] : [[column, value]];
  });
  return Object.fromEntries(fields) as unknown as StoredInteraction;
}

export const rollupOf = (row: SqlRow): Rollup => objectOf(ROLLUP, row) as Rollup;
export const orderOf = (body: unknown): OrderState => JSON.parse(String(body)) as OrderState;

/** Columns have the names of the properties. */
const objectOf = (columns: readonly string[], row: SqlRow): unknown =>
  Object.fromEntries(columns.map((column, index) => [column, row[index]]));

const placeholders = (columns: readonly string[]): string => columns.map(() => '?').join(', ');

const INSERT_INTERACTION = `
  INSERT INTO showcase_hit (${INTERACTION_COLUMNS}, issued, once) VALUES (${placeholders(INTERACTION)}, ?, ?)
  ON CONFLICT (store, once) WHERE once IS NOT NULL DO NOTHING`;

/** Adds an interaction and its rollup, unless its key is there already. Without a key it may repeat. */
export function addInteraction(
  sql: Statements,
  interaction: StoredInteraction,
  { issuedAt, key }: { issuedAt: number; key: string | null },
): void {
  const values = INTERACTION.map((column) =>
    column === 'unrated' ? (interaction.unrated ? 1 : null) : (interaction[column] ?? null),
  );
  const added = sql.run(INSERT_INTERACTION, ...values, issuedAt, key);
  if (added > 0) for (const row of rollupsOfInteraction(interaction)) addRollup(sql, interaction.store, row);
}

/** Writes what a billed click has become, over the row `seq`, and changes the rollups accordingly. */
export function writeCredited(sql: Statements, seq: number, before: StoredInteraction, after: StoredInteraction): void {
  const { store, verdict, reason = null } = after;
  sql.run('UPDATE showcase_hit SET verdict = ?, reason = ? WHERE seq = ?', verdict, reason, seq);
  for (const row of rollupsOfInteraction(before)) addRollup(sql, store, row, -1);
  for (const row of rollupsOfInteraction(after)) addRollup(sql, store, row);
}

export function readOrder(sql: Statements, store: string, order: string): OrderState | null {
  const row = sql.one('SELECT body FROM showcase_order WHERE store = ? AND id = ?', store, order);
  return row ? orderOf(row[0]) : null;
}

const WRITE_ORDER = `
  INSERT INTO showcase_order (store, id, day, shopper, body) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET day = excluded.day, shopper = excluded.shopper, body = excluded.body`;

/** Writes an order over `before` and changes the rollups accordingly. */
export function writeOrder(sql: Statements, before: OrderState | null, after: OrderState): void {
  const { store, order, day, shopper } = after;
  sql.run(WRITE_ORDER, store, order, day, shopper, JSON.stringify(after));
  if (before) for (const row of rollupsOfOrder(before)) addRollup(sql, store, row, -1);
  for (const row of rollupsOfOrder(after)) addRollup(sql, store, row);
}

const READ_SPENT = 'SELECT micros FROM showcase_spend WHERE store = ? AND campaign = ? AND day = ?';
const WRITE_SPENT = `
  INSERT INTO showcase_spend (store, campaign, day, micros) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET micros = excluded.micros`;

/** What a campaign has spent on a day; on the day '': in all. */
export function readSpent(sql: Statements, store: string, campaign: string, day: string): number {
  return Number(sql.one(READ_SPENT, store, campaign, day)?.[0] ?? 0);
}

export function writeSpent(sql: Statements, store: string, campaign: string, day: string, micros: number): void {
  sql.run(WRITE_SPENT, store, campaign, day, micros);
}

const rollupSql = (change: string): string =>
  `INSERT INTO showcase_total (store, ${ROLLUP_COLUMNS}) VALUES (?, ${placeholders(ROLLUP)}) ON CONFLICT DO UPDATE SET ${change}`;
const ADD_ROLLUP = rollupSql('count = count + excluded.count, micros = micros + excluded.micros');
const WRITE_ROLLUP = rollupSql('count = excluded.count, micros = excluded.micros');

function addRollup(sql: Statements, store: string, row: Rollup, sign: 1 | -1 = 1): void {
  const signed = { ...row, count: sign * row.count, micros: sign * row.micros };
  sql.run(ADD_ROLLUP, store, ...ROLLUP.map((column) => signed[column]));
}

/** Writes a rollup of a day without entries, to which nothing else adds. */
export function writeRollup(sql: Statements, store: string, row: Rollup): void {
  sql.run(WRITE_ROLLUP, store, ...ROLLUP.map((column) => row[column]));
}
