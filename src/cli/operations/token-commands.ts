import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AdminRole, adminRoles } from '../../stores/access/admin-tokens';
import { CliError, type QueryInput } from '../admin-client';
import { add, type CliContext } from '../context';

const MOST_DAYS = 366;

function days(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= MOST_DAYS))
    throw new InvalidArgumentError(`It takes a number of days up to ${MOST_DAYS}.`);
  return value;
}

/** The jti of a token; or what was given, where that is one already. */
function jtiOf(text: string): string {
  const payload = text.split('.')[1];
  if (payload === undefined) return text;
  const { jti } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { jti: string };
  return jti;
}

export function addTokenCommands(program: Command, context: CliContext): void {
  const token = add(program, 'token', 'print an admin token, alone; works with no service running')
    .addOption(new Option('--role <role>', 'what it may do').choices(adminRoles))
    .option('--store <apiKey>', 'bind it to one store')
    .option('--days <days>', 'how long it lives', days, 30)
    .action(async ({ role, store, days: life }: { role?: AdminRole; store?: string; days: number }) => {
      // Not commander's mandatory option: it would ask `token revoke` for a role too.
      if (!role) throw new CliError(`--role is missing: it takes ${adminRoles.join(' or ')}`);
      const bound = store === undefined ? {} : await context.bindingTo(store);
      context.print(context.signToken({ role, days: life, ...bound }));
    });
  add(
    token,
    'revoke <token>',
    'make a token useless at once; takes the token, or its jti as the audit list shows it',
  ).action((text: string) => context.show('DELETE', `/admin/tokens/${encodeURIComponent(jtiOf(text))}`));
  const audit = add(program, 'audit', 'who changed what');
  add(audit, 'list', 'changes, newest first, each with the jti of the token it was made with')
    .option('--store <apiKey>')
    .option('--limit <number>', 'how many', '100')
    .action((query: QueryInput) => context.show('GET', '/admin/audit', { query }));
}
