import type { Command } from 'commander';
import { type AdminClient, CliError } from '../admin-client';
import { add, addForStore, type CliContext, readJson, type StoreOption, storePath } from '../context';
import { sampleOf } from './feed-sample';
import { ended } from './job-commands';
import { PIECE, sizeOf, uploadInPieces } from './upload-in-pieces';

/** How a feed is to be read. */
interface SyntaxFlags {
  format?: string;
  encoding?: string;
  delimiter?: string;
  quote?: string;
  columns?: string;
}

interface ImportFlags extends StoreOption, SyntaxFlags {
  mode: string;
  mapping?: string;
  force?: true;
  dryRun?: true;
  user?: string;
  password?: string;
  upload?: string;
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

function queryOf(flags: ImportFlags, upload?: string): string {
  const { mode, format, mapping, encoding, delimiter, quote, columns, force, dryRun } = flags;
  const given = { mode, format, mapping, encoding, delimiter, quote, columns, force, dryRun, upload };
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)])).toString();
}

const withSyntax = (command: Command): Command =>
  command
    .option('--format <format>', 'ndjson, json, csv, google-xml or google-tsv; found out by itself')
    .option('--encoding <name>', 'of a table')
    .option('--delimiter <character>', 'of a table')
    .option('--quote <character>', 'of a table')
    .option('--columns <pairs>', 'of a table: price:preco,url:endereco');

export function addFeedCommands(program: Command, context: CliContext): void {
  addScheduled(program, context);
  addMappings(program, context);
}

export function addCatalogImport(catalog: Command, context: CliContext): void {
  const command = addForStore(
    catalog,
    'import <file|url>',
    'import a feed of products (docs/feeds.md), and say what became of it',
  );
  withSyntax(command)
    .requiredOption('--mode <mode>', 'full: remove what the feed no longer has; partial: merge what it says')
    .option('--mapping <name>', 'a saved mapping')
    .option('--force', 'let a full import remove more than half of the catalog')
    .option('--dry-run', 'write nothing, and show what would happen')
    .option('--user <name>', 'that opens the address')
    .option('--password <text>', 'that opens the address')
    .option('--upload <id>', 'an upload of this file that broke off: go on with it, or import it in another way')
    .option('--no-wait', 'print the id of the job and do not wait for it')
    .action(async (source: string, flags: ImportFlags) => {
      await followed(context, await begunImport(context.client(), source, flags), flags.wait);
    });
}

/** A file of more than a piece goes in pieces, so that a connection that breaks costs one of them. */
async function begunImport(client: AdminClient, source: string, flags: ImportFlags): Promise<unknown> {
  const path = (upload?: string): string => storePath(flags.store, `/imports?${queryOf(flags, upload)}`);
  const { user, password, upload: resume } = flags;
  if (isAddress(source)) return client.call('POST', path(), { body: { url: source, user, password } });
  if (resume === undefined && (await sizeOf(source)) <= PIECE) {
    return client.upload(path(), source, 'application/octet-stream');
  }
  const upload = await uploadInPieces(client, storePath(flags.store, '/uploads'), source, { resume });
  return client.call('POST', path(upload));
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
  const trial = addForStore(
    mapping,
    'try <mapping> <feed>',
    'what a mapping (a file of JSON, - is standard input) makes of the beginning of a feed; nothing is saved',
  );
  withSyntax(trial).action(async (file: string, feed: string, flags: StoreOption & SyntaxFlags) => {
    const { format, encoding, delimiter, quote, columns } = flags;
    const body = { mapping: readJson(file), base64: (await sampleOf(feed)).toString('base64') };
    const query = { format, encoding, delimiter, quote, columns };
    await context.show('POST', storePath(flags.store, '/mappings/try'), { body, query });
  });
  addForStore(mapping, 'show <name>', 'a mapping, the newest version or the one named')
    // `--version` would be the program's own.
    .option('--of-version <number>', 'an older one, of the last 20')
    .action((name: string, { store, ofVersion: version }: StoreOption & { ofVersion?: string }) =>
      context.show('GET', pathOf(store, name), { query: { version } }),
    );
  addForStore(mapping, 'remove <name>', 'forget a mapping').action((name: string, { store }: StoreOption) =>
    context.show('DELETE', pathOf(store, name)),
  );
}
