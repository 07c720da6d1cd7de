/** A column: its name, and what a row has in it. */
export type CsvColumn<Row> = readonly [name: string, value: (row: Row) => string | number];

/** RFC 4180, with a row of names. */
export function csvOf<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = rows.map((row) => columns.map(([, value]) => field(value(row))).join(','));
  return [columns.map(([name]) => name).join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

function field(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // A text that a spreadsheet would take for a formula is kept one.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
