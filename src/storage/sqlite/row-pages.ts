import type { SqlRow, Statements } from './sqlite';

interface RowPages {
  /** Ordered by its first columns, which it compares with placeholders of their own; ends in `LIMIT ?`. */
  sql: string;
  /** Values of the placeholders before those. */
  values?: readonly unknown[];
  /** Below every row: a value for each of the ordering columns. */
  after: readonly unknown[];
  size?: number;
}

/** The rows of a query, a page at a time: each begins after the last row of the one before. */
export function* rowPages(reader: Statements, { sql, values = [], after, size = 1000 }: RowPages): Generator<SqlRow[]> {
  for (let last = after; ;) {
    const rows = reader.all(sql, ...values, ...last, size);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1)?.slice(0, after.length) ?? after;
  }
}
