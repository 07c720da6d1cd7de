import type { Command } from 'commander';
import type { CliContext, StoreOption } from '../context';
import { CliError } from '../admin-client';
import { ended } from '../operations/job-commands';
import { addVersioned, templatePath, type Versioned, wholeNumber } from './template-commands';

type ReplayOptions = Versioned & StoreOption & { from: string; to: string; json?: true };

export interface Compared {
  current: number;
  candidate: number;
  difference: number;
  interval: { low: number; high: number } | null;
}

/** What the table shows of a report. */
interface Report {
  template: { name: string; version: number };
  against: { name: string; version: number };
  searches: { used: number; shoppers: number; personal: number; left: Record<string, number> };
  ndcg: Compared;
  mrr: Compared;
  loss: number;
  overlap: number;
  changed: number;
  coverage: { current: number; candidate: number };
  price: { current: number | null; candidate: number | null };
  brands: { brand: string; current: number; candidate: number }[];
  queries: { query: string; searches: number; overlap: number; difference: number }[];
}

export function addReplayCommand(template: Command, context: CliContext): void {
  addVersioned(template, 'replay <name>', 'try it on what shoppers did, before it is activated')
    .requiredOption('--from <time>', 'a day or a time (ISO 8601)')
    .requiredOption('--to <time>', 'exclusive')
    .option('--json', 'the whole report')
    .action(async (name: string, { store, ofVersion, from, to, json }: ReplayOptions) => {
      const body = { from, to, version: wholeNumber(ofVersion) };
      const reply = await context.client().call('POST', templatePath(store, name, '/replay'), { body });
      const job = await ended(context, reply);
      if (job.state !== 'completed') throw new CliError(`The replay ${job.state}${job.error ? `: ${job.error}` : ''}`);
      context.print(json ? job.result : replayTable(job.result as Report));
    });
}

/** A report as a person reads it. */
export function replayTable(report: Report): string {
  const { template, against, searches, ndcg, mrr, loss, overlap, changed, coverage, price } = report;
  const left = Object.entries(searches.left).map(([reason, count]) => `${reason} ${count}`);
  const lines = [
    `${nameOf(template)} against ${nameOf(against)}`,
    `${searches.used} searches of ${searches.shoppers} shoppers, ${searches.personal} personal; left out: ${left.join(', ')}`,
    '',
    ...table([
      ['', 'current', 'candidate', 'difference', '95%'],
      ['nDCG@10', ...means(ndcg)],
      ['MRR', ...means(mrr)],
      [
        'products shown',
        String(coverage.current),
        String(coverage.candidate),
        signed(coverage.candidate - coverage.current, 0),
      ],
      ['mean price', amount(price.current), amount(price.candidate)],
    ]),
    '',
    `${loss > 0 ? 'loses' : 'gains'} ${percent(Math.abs(loss))} of nDCG@10; ${changed} searches change, overlap of the first ten ${overlap.toFixed(3)}`,
  ];
  if (report.brands.length > 0) {
    const rows = report.brands.map((one) => [one.brand, percent(one.current), percent(one.candidate)]);
    lines.push('', ...table([['brand', 'current', 'candidate'], ...rows]));
  }
  if (report.queries.length > 0) {
    const rows = report.queries.map((one) => [
      one.query,
      String(one.searches),
      one.overlap.toFixed(3),
      signed(one.difference, 4),
    ]);
    lines.push('', ...table([['query', 'searches', 'overlap', 'nDCG@10'], ...rows]));
  }
  return lines.join('\n');
}

const nameOf = ({ name, version }: Report['template']): string => `${name} (version ${version})`;
const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const signed = (value: number, digits: number): string => `${value < 0 ? '' : '+'}${value.toFixed(digits)}`;
const amount = (value: number | null): string => value?.toFixed(2) ?? '-';

export function means({ current, candidate, difference, interval }: Compared): string[] {
  const range = interval ? `${signed(interval.low, 4)} to ${signed(interval.high, 4)}` : '-';
  return [current.toFixed(4), candidate.toFixed(4), signed(difference, 4), range];
}

/** The first column to the left, the others to the right. */
export function table(rows: readonly string[][]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) =>
      row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)).concat(widest.slice(row.length)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
