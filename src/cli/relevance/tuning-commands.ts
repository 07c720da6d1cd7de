import type { Command } from 'commander';
import { CliError } from '../admin-client';
import { addForStore, type CliContext, type StoreOption, storePath } from '../context';
import { ended } from '../operations/job-commands';
import { type Compared, means, table } from './replay-commands';
import { collect, wholeNumber } from './template-commands';

interface TuneOptions extends StoreOption {
  objective: string;
  from: string;
  to: string;
  bound?: string[];
  name?: string;
  seed?: string;
  budget?: string;
  json?: true;
}

interface Part {
  searches: number;
  shoppers: number;
  from: string;
  to: string;
  score: Compared;
}

/** What the table shows of a report. */
interface Report {
  objective: string;
  start: { name: string; version: number };
  template: { name: string; version: number } | null;
  verdict: string;
  trials: { made: number };
  changes: { path: string; from: number; to: number }[];
  train: Part | null;
  validation: { groups: number; score: Compared } | null;
  test: Part | null;
}

export function addTuneCommand(template: Command, context: CliContext): void {
  addForStore(template, 'tune', 'search for a better template on what shoppers did; the best is kept and serves nobody')
    .requiredOption('--objective <objective>', 'ndcg or revenue')
    .requiredOption('--from <time>', 'a day or a time (ISO 8601)')
    .requiredOption('--to <time>', 'exclusive')
    .option(
      '--bound <path=low..high>',
      'what may change, and how far; without =, as far as usual; may be repeated',
      collect,
    )
    .option('--name <name>', 'the template that the best becomes a version of')
    .option('--seed <number>')
    .option('--budget <number>', 'templates to try')
    .option('--json', 'the whole report')
    .action(async ({ store, objective, from, to, bound, name, seed, budget, json }: TuneOptions) => {
      const bounds = bound && Object.fromEntries(bound.map(boundOf));
      const body = { objective, from, to, bounds, name, seed: wholeNumber(seed), budget: wholeNumber(budget) };
      const job = await ended(
        context,
        await context.client().call('POST', storePath(store, '/templates/tune'), { body }),
      );
      if (job.state !== 'completed') throw new CliError(`The tuning ${job.state}${job.error ? `: ${job.error}` : ''}`);
      context.print(json ? job.result : tuningTable(job.result as Report));
    });
}

/** `strength=20..100`, or `strength` alone. */
export function boundOf(text: string): [path: string, range: [number, number] | null] {
  const at = text.indexOf('=');
  if (at < 0) return [text, null];
  const ends = text.slice(at + 1).split('..');
  const [low = Number.NaN, high = Number.NaN] = ends.map((end) => (end === '' ? Number.NaN : Number(end)));
  if (ends.length !== 2 || Number.isNaN(low) || Number.isNaN(high)) {
    throw new CliError(`"${text}" is no bound: write a path, or path=low..high`);
  }
  return [text.slice(0, at), [low, high]];
}

const VERDICTS: Readonly<Record<string, string>> = {
  better: 'better on searches that tuning never saw',
  no_difference: 'on searches that tuning never saw no difference can be told',
  worse: 'worse on searches that tuning never saw: it fits the past alone',
  nothing_found: 'nothing better was found: what serves stays the best',
  too_few_searches: 'too few searches to tell',
};

/** A report as a person reads it. */
export function tuningTable({ start, template, verdict, trials, changes, train, validation, test }: Report): string {
  const from = `${start.name} (version ${start.version})`;
  const found = template ? `${template.name} (version ${template.version}), which does not serve` : 'no candidate';
  const lines = [`From ${from}, ${trials.made} templates tried: ${found}`, `${VERDICTS[verdict] ?? verdict}`];
  if (changes.length > 0) {
    const rows = changes.map((change) => [change.path, String(change.from), String(change.to)]);
    lines.push('', ...table([['number', 'from', 'to'], ...rows]));
  }
  if (train && test) {
    const cross = validation ? [[`by ${validation.groups} parts of the shoppers`, ...means(validation.score)]] : [];
    const rows = [['learned from', ...means(train.score)], ...cross, ['never seen', ...means(test.score)]];
    lines.push('', ...table([['nDCG@10', 'current', 'candidate', 'difference', '95%'], ...rows]));
    lines.push('', `${told(train)} to learn from; ${told(test)} never seen, from ${test.from}`);
  }
  return lines.join('\n');
}

const told = ({ searches, shoppers }: Part): string => `${searches} searches of ${shoppers} shoppers`;
