import type { Command } from 'commander';
import { CliError } from '../admin-client';
import { addForStore, type CliContext, type StoreOption, storePath } from '../context';
import { ended } from '../operations/job-commands';
import { collect, wholeNumber } from './template-commands';
import { type Report, tuningTable } from './tuning-table';

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
