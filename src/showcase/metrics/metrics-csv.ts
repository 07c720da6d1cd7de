import { VERDICTS } from '../ledger/click-ledger';
import type { MetricsRow } from '../reply/reply-schemas';

const COLUMNS: readonly [string, (row: MetricsRow) => string | number][] = [
  ['day', ({ day }) => day],
  ['campaign', ({ campaign }) => campaign],
  ['product', ({ product }) => product],
  ['placement', ({ placement }) => placement],
  ['views', ({ views }) => views],
  ['gross_views', ({ gross }) => gross.views],
  ['clicks', ({ clicks }) => clicks],
  ['gross_clicks', ({ gross }) => gross.clicks],
  ['ctr', ({ ctr }) => ctr],
  ['conversions', ({ conversions }) => conversions],
  ['unverified', ({ unverified }) => unverified],
  ['revenue', ({ revenue }) => revenue],
  ['unverified_revenue', ({ unverifiedRevenue }) => unverifiedRevenue],
  ['spend', ({ spend }) => spend],
  // Every verdict has a column, whether there was any or not.
  ...VERDICTS.filter((verdict) => verdict !== 'invalid').map((verdict): [string, (row: MetricsRow) => number] => [
    `clicks_${verdict}`,
    ({ verdicts }) => verdicts[verdict] ?? 0,
  ]),
  ['foreign_currency', ({ verdicts }) => verdicts['currency'] ?? 0],
  ['clicks_invalid', ({ verdicts }) => verdicts['invalid'] ?? 0],
  ['credited', ({ credited }) => credited],
];

/** RFC 4180, with a row of names. */
export function metricsCsv(rows: readonly MetricsRow[]): string {
  const lines = rows.map((row) => COLUMNS.map(([, value]) => field(value(row))).join(','));
  return [COLUMNS.map(([name]) => name).join(','), ...lines].map((line) => `${line}\r\n`).join('');
}

function field(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // A text that a spreadsheet would take for a formula is kept one.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
