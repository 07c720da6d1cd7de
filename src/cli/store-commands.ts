import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from './admin-client';
import type { CliContext } from './context';

const storePath = (apiKey: string, rest = ''): string => `/admin/stores/${encodeURIComponent(apiKey)}${rest}`;

/** `language=en`, `halfLife.view=7d`, `showOnlyAvailable=true`: JSON where it is JSON, else text. */
export function parseAssignments(assignments: string[]): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const assignment of assignments) {
    const equals = assignment.indexOf('=');
    if (equals < 1) throw new CliError(`"${assignment}" is no setting: write name=value, such as currency=EUR`);
    const [name = '', inner] = assignment.slice(0, equals).split('.', 2);
    const value = parseValue(assignment.slice(equals + 1));
    settings[name] = inner === undefined ? value : { ...(settings[name] as object | undefined), [inner]: value };
  }
  return settings;
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function seconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It takes a number of seconds.');
  return Number(text);
}

const collect = (value: string, list: string[]): string[] => [...list, value];

export function addStoreCommands(program: Command, context: CliContext): void {
  const store = program.command('store').description('stores, their keys, origins and settings');
  store
    .command('create [apiKey]')
    .description('create a store and show its secretKey, this once')
    .requiredOption('--name <name>')
    .option('--origin <host>', 'whitelist a host or a .domain; may be repeated', collect, [])
    .option('--set <name=value>', 'a setting; may be repeated', collect, [])
    .action(async (apiKey: string | undefined, options: { name: string; origin: string[]; set: string[] }) => {
      const body = { apiKey, name: options.name, origins: options.origin, settings: parseAssignments(options.set) };
      context.print(await context.client().call('POST', '/admin/stores', { body }));
    });
  store
    .command('list')
    .description('every store')
    .action(async () => context.print(await context.client().call('GET', '/admin/stores')));
  store
    .command('show <apiKey>')
    .description('one store')
    .action(async (apiKey: string) => context.print(await context.client().call('GET', storePath(apiKey))));
  store
    .command('set <apiKey> <name=value...>')
    .description('change settings: currency=EUR halfLife.view=7d showOnlyAvailable=true')
    .action(async (apiKey: string, assignments: string[]) => {
      const body = { settings: parseAssignments(assignments) };
      context.print(await context.client().call('PATCH', storePath(apiKey), { body }));
    });
  store
    .command('delete <apiKey>')
    .description('shut a store out at once and erase everything of it')
    .option('--yes', 'really')
    .action(async (apiKey: string, { yes }: { yes?: true }) => {
      if (!yes) throw new CliError(`This erases everything of "${apiKey}" for good: add --yes`);
      context.print(await context.client().call('DELETE', storePath(apiKey)));
    });
  addKeyCommands(store, context);
}

function addKeyCommands(store: Command, context: CliContext): void {
  store
    .command('rotate <apiKey>')
    .description('a new secretKey, shown this once')
    .option('--grace <seconds>', 'how long the old one lives on (86400; 0: dead at once)', seconds)
    .action(async (apiKey: string, { grace }: { grace?: number }) => {
      const body = { graceSeconds: grace };
      context.print(await context.client().call('POST', storePath(apiKey, '/secrets'), { body }));
    });
  store
    .command('origins <apiKey> [host...]')
    .description('replace the whitelist; without hosts, show it')
    .option('--none', 'empty it')
    .action(async (apiKey: string, hosts: string[], { none }: { none?: true }) => {
      const client = context.client();
      const reply =
        hosts.length > 0 || none
          ? await client.call('PUT', storePath(apiKey, '/origins'), { body: { origins: hosts } })
          : await client.call('GET', storePath(apiKey));
      context.print((reply as { origins: string[] }).origins);
    });
}
