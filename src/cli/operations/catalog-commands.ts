import type { Command } from 'commander';
import type { QueryInput } from '../admin-client';
import { add, type CliContext, storePath } from '../context';
import { addCatalogImport } from './feed-commands';
import { ended } from './job-commands';

type HealthOptions = QueryInput & { run?: true };

export function addCatalogCommands(program: Command, context: CliContext): void {
  const catalog = add(program, 'catalog', 'whole catalogs');
  addCatalogImport(catalog, context);
  add(
    catalog,
    'health <apiKey>',
    'products by state and by what keeps them from being found, as of the last daily look',
  )
    .option('--problem <problem>', 'the products that have it')
    .option('--after <id>', 'the last product of the page before')
    .option('--run', 'look now')
    .action(async (apiKey: string, { run, ...query }: HealthOptions) => {
      const path = storePath(apiKey, '/catalog/health');
      if (run) await ended(context, await context.client().call('POST', `${path}/run`));
      await context.show('GET', path, { query });
    });
}
