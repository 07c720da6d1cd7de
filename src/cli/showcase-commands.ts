import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { CliError } from './admin-client';
import type { CliContext } from './context';

const storePath = (apiKey: string, rest: string): string => `/admin/stores/${encodeURIComponent(apiKey)}${rest}`;
const campaignPath = (apiKey: string, id: string): string => storePath(apiKey, `/campaigns/${encodeURIComponent(id)}`);

interface OfStore {
  store: string;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8')) as unknown;
  } catch (error) {
    throw new CliError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function addShowcaseCommands(program: Command, context: CliContext): void {
  const campaign = program.command('campaign').description('sponsored products, and what may be spent on them');
  const onStore = (name: string, description: string): Command =>
    campaign.command(name).description(description).requiredOption('--store <apiKey>');
  onStore('list', 'every campaign, and what it has spent').action(async ({ store }: OfStore) =>
    context.print(await context.client().call('GET', storePath(store, '/campaigns'))),
  );
  onStore('show <id>', 'one campaign').action(async (id: string, { store }: OfStore) =>
    context.print(await context.client().call('GET', campaignPath(store, id))),
  );
  onStore('put <id> <file>', 'make or replace a campaign from a JSON file; - is standard input').action(
    async (id: string, file: string, { store }: OfStore) =>
      context.print(await context.client().call('PUT', campaignPath(store, id), { body: readJson(file) })),
  );
  for (const [name, status] of [
    ['pause', 'paused'],
    ['resume', 'active'],
  ] as const) {
    onStore(`${name} <id>`, `${name} a campaign, on every replica within a second`).action(
      async (id: string, { store }: OfStore) => {
        const client = context.client();
        const path = campaignPath(store, id);
        const body = { ...((await client.call('GET', path)) as object), status };
        context.print(await client.call('PUT', path, { body }));
      },
    );
  }
  onStore('delete <id>', 'take a campaign away; its clicks stay counted').action(
    async (id: string, { store }: OfStore) =>
      context.print(await context.client().call('DELETE', campaignPath(store, id))),
  );
  addMetricsCommands(program, context);
}

function addMetricsCommands(program: Command, context: CliContext): void {
  const showcase = program.command('showcase').description('what advertisers pay by');
  showcase
    .command('metrics')
    .description('views, clicks, conversions, revenue and spend by campaign, product, placement and day')
    .requiredOption('--store <apiKey>')
    .option('--from <day>')
    .option('--to <day>')
    .option('--csv', 'as CSV')
    .action(async ({ store, from, to, csv }: OfStore & { from?: string; to?: string; csv?: true }) => {
      const query = { from, to, format: csv ? 'csv' : undefined };
      context.print(await context.client().call('GET', storePath(store, '/metrics/showcase'), { query }));
    });
  showcase
    .command('check')
    .description('add the ledger up entry by entry, and compare')
    .requiredOption('--store <apiKey>')
    .action(async ({ store }: OfStore) =>
      context.print(await context.client().call('POST', storePath(store, '/metrics/showcase/check'))),
    );
}
