import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../admin-client';
import { add, type CliContext, storePath } from '../context';
import { parseAssignments } from './assignments';

function seconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It takes a number of seconds.');
  return Number(text);
}

const collect = (value: string, list: string[]): string[] => [...list, value];

export function addStoreCommands(program: Command, context: CliContext): void {
  const stores = add(program, 'store', 'stores, their keys, origins and settings');
  add(stores, 'create [apiKey]', 'create a store and show its secretKey, this once')
    .requiredOption('--name <name>')
    .option('--origin <host>', 'whitelist a host or a .domain; may be repeated', collect, [])
    .option('--set <name=value>', 'a setting; may be repeated', collect, [])
    .action((apiKey: string | undefined, options: { name: string; origin: string[]; set: string[] }) => {
      const body = { apiKey, name: options.name, origins: options.origin, settings: parseAssignments(options.set) };
      return context.show('POST', '/admin/stores', { body });
    });
  add(stores, 'list', 'every store').action(() => context.show('GET', '/admin/stores'));
  add(stores, 'show <apiKey>', 'one store').action((apiKey: string) => context.show('GET', storePath(apiKey)));
  add(
    stores,
    'set <apiKey> <name=value...>',
    'change settings: currency=EUR halfLife.view=7d showOnlyAvailable=true',
  ).action((apiKey: string, assignments: string[]) =>
    context.show('PATCH', storePath(apiKey), { body: { settings: parseAssignments(assignments) } }),
  );
  add(stores, 'delete <apiKey>', 'shut a store out at once and erase everything of it')
    .option('--yes', 'really')
    .action((apiKey: string, { yes }: { yes?: true }) => {
      if (!yes) throw new CliError(`This erases everything of "${apiKey}" for good: add --yes`);
      return context.show('DELETE', storePath(apiKey));
    });
  add(stores, 'rotate <apiKey>', 'a new secretKey, shown this once')
    .option('--grace <seconds>', 'how long the old one lives on (86400; 0: dead at once)', seconds)
    .action((apiKey: string, { grace }: { grace?: number }) =>
      context.show('POST', storePath(apiKey, '/secrets'), { body: { graceSeconds: grace } }),
    );
  add(stores, 'origins <apiKey> [host...]', 'replace the whitelist; without hosts, show it')
    .option('--none', 'empty it')
    .action(async (apiKey: string, origins: string[], { none }: { none?: true }) => {
      const reply = await (origins.length > 0 || none
        ? context.client().call('PUT', storePath(apiKey, '/origins'), { body: { origins } })
        : context.client().call('GET', storePath(apiKey)));
      context.print((reply as { origins: string[] }).origins);
    });
}
