import type { Command } from 'commander';
import { add, type CliContext, type StoreOption, storePath } from '../context';

interface WhyOptions extends StoreOption {
  query: string;
  product: string;
  user?: string;
  filter?: string;
  channel?: string;
  source?: string;
  template?: string;
  ofVersion?: string;
}

export function addWhyCommand(program: Command, context: CliContext): void {
  add(program, 'why', 'why a product ranks where it does, or is not there')
    .requiredOption('--store <apiKey>')
    .requiredOption('--query <terms>', 'what is searched')
    .requiredOption('--product <productId>')
    .option('--user <userId>', 'whose search it is')
    .option('--filter <filter>', 'as a search takes it')
    .option('--channel <salesChannel>')
    .option('--source <source>')
    .option('--template <name>', 'ranks with this template, as if it served')
    .option('--of-version <version>', 'of the template; the newest without it')
    .action(({ store, query, product, user, filter, channel, source, template, ofVersion }: WhyOptions) =>
      context.show('GET', storePath(store, '/why'), {
        query: {
          query,
          productId: product,
          userId: user,
          filter,
          salesChannel: channel,
          source,
          template,
          version: ofVersion,
        },
      }),
    );
}
