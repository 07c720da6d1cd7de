import type { Command } from 'commander';
import { CliError } from '../admin-client';
import { add, addForStore, type CliContext, readJson, type StoreOption, storePath } from '../context';
import { ended } from './job-commands';

interface ImportFlags extends StoreOption {
  mode: string;
  format?: string;
  mapping?: string;
  encoding?: string;
  delimiter?: string;
  quote?: string;
  columns?: string;
  force?: true;
  dryRun?: true;
  user?: string;
  password?: string;
  wait: boolean;
}

const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

/** Follows the job to its end, prints what became of it, and fails where it failed. */
async function followed(context: CliContext, reply: unknown, wait: boolean): Promise<void> {
  if (!wait) return context.print(reply);
  const job = await ended(context, reply);
  context.print(job.result);
  if (job.state !== 'completed') throw new CliError(`The job ${job.state}${job.error ? `: ${job.error}` : ''}`);
}

function queryOf(flags: ImportFlags): string {
  const { mode, format, mapping, encoding, delimiter, quote, columns, force, dryRun } = flags;
  const given = { mode, format, mapping, encoding, delimiter, quote, columns, force, dryRun };
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

export function addFeedCommands(program: Command, context: CliContext): void {
  addScheduled(program, context);
  addMappings(program, context);
}

export function addCatalogImport(catalog: Command, context: CliContext): void {
  addForStore(catalog, 'import <file|url>', 'import a feed of products (docs/feeds.md), and say what became of it')
    .requiredOption('--mode <mode>', 'full: remove what the feed no longer has; partial: merge what it says')
    .option('--format <format>', 'ndjson, json, csv, google-xml or google-tsv; found out by itself')
    .option('--mapping <name>', 'a saved mapping')
    .option('--force', 'let a full import remove more than half of the catalog')
    .option('--dry-run', 'write nothing, and show what would happen')
    .option('--encoding <name>', 'of a table')
    .option('--delimiter <character>', 'of a table')
    .option('--quote <character>', 'of a table')
    .option('--columns <pairs>', 'of a table: price:preco,url:endereco')
    .option('--user <name>', 'that opens the address')
    .option('--password <text>', 'that opens the address')
    .option('--no-wait', 'print the id of the job and do not wait for it')
    .action(async (source: string, flags: ImportFlags) => {
      const path = storePath(flags.store, `/imports?${queryOf(flags)}`);
      const client = context.client();
      const body = { url: source, user: flags.user, password: flags.password };
      const reply = await (isAddress(source)
        ? client.call('POST', path, { body })
        : client.upload(path, source, 'application/octet-stream'));
      await followed(context, reply, flags.wait);
    });
}

const feedPath = (store: string, name = '', rest = ''): string =>
  storePath(store, `/feeds${name === '' ? '' : `/${encodeURIComponent(name)}`}${rest}`);

function addScheduled(program: Command, context: CliContext): void {
  const feed = add(program, 'feed', 'feeds that are fetched and imported by themselves');
  addForStore(feed, 'list', 'the feeds of a store, and what became of their last runs').action(
    ({ store }: StoreOption) => context.show('GET', feedPath(store)),
  );
  addForStore(
    feed,
    'set <name> <file>',
    'make or replace a feed from JSON (- is standard input): { url, mode, every, ... }',
  ).action((name: string, file: string, { store }: StoreOption) =>
    context.show('PUT', feedPath(store, name), { body: readJson(file) }),
  );
  addForStore(feed, 'run <name>', 'fetch and import it now')
    .option('--no-wait', 'print the id of the job and do not wait for it')
    .action(async (name: string, { store, wait }: StoreOption & { wait: boolean }) => {
      const reply = await context.client().call('POST', feedPath(store, name, '/run'));
      await followed(context, reply, wait);
    });
  addForStore(feed, 'remove <name>', 'fetch it no more; the products stay').action(
    (name: string, { store }: StoreOption) => context.show('DELETE', feedPath(store, name)),
  );
}

function addMappings(program: Command, context: CliContext): void {
  const pathOf = (store: string, name: string): string => storePath(store, `/mappings/${encodeURIComponent(name)}`);
  const mapping = add(program, 'mapping', 'where feeds have the fields of products');
  addForStore(mapping, 'list', 'the mappings of a store').action(({ store }: StoreOption) =>
    context.show('GET', storePath(store, '/mappings')),
  );
  addForStore(mapping, 'set <name> <file>', 'make a version of a mapping from JSON (- is standard input)').action(
    (name: string, file: string, { store }: StoreOption) =>
      context.show('PUT', pathOf(store, name), { body: readJson(file) }),
  );
  addForStore(mapping, 'remove <name>', 'forget a mapping').action((name: string, { store }: StoreOption) =>
    context.show('DELETE', pathOf(store, name)),
  );
}
