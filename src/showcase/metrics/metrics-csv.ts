import { type CsvColumn, csvOf } from '../../http/csv';
import { VERDICTS } from '../ledger/click-ledger';
import type { MetricsRow } from './reply-schemas';

const COLUMNS: readonly CsvColumn<MetricsRow>[] = [
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
  ...VERDICTS.filter((verdict) => verdict !== 'invalid').map((verdict): CsvColumn<MetricsRow> => [
    `clicks_${verdict}`,
    ({ verdicts }) => verdicts[verdict] ?? 0,
  ]),
  ['foreign_currency', ({ verdicts }) => verdicts['currency'] ?? 0],
  ['clicks_invalid', ({ verdicts }) => verdicts['invalid'] ?? 0],
  ['credited', ({ credited }) => credited],
];

/** RFC 4180, with a row of names. */
export const metricsCsv = (rows: readonly MetricsRow[]): string => csvOf(COLUMNS, rows);
