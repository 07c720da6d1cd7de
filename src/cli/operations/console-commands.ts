import { type Command, Option } from 'commander';
import { adminRoles } from '../../stores/access/admin-tokens';
import { add, type CliContext } from '../context';

export function addConsoleCommands(program: Command, context: CliContext): void {
  const console = add(program, 'console', 'the pages that show and run the service');
  add(console, 'link', 'print a link that signs in to the console once, within ten minutes')
    .addOption(new Option('--role <role>', 'what it may do').choices(adminRoles).default('ops'))
    .option('--store <apiKey>', 'bind it to one store')
    .action(async (body: { role: string; store?: string }) => {
      const { url } = (await context.client().call('POST', '/admin/console/links', { body })) as { url: string };
      context.print(url);
    });
}
