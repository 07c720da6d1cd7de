import type { Command } from 'commander';
import { add, type CliContext, type StoreOption, storePath } from '../context';

interface MetricsOptions extends StoreOption {
  from?: string;
  to?: string;
  csv?: true;
  by?: string;
}

/** `<noun> metrics`: days of a store, as JSON or CSV. */
export function addMetricsCommand(parent: Command, context: CliContext, description: string): Command {
  return add(parent, 'metrics', description)
    .requiredOption('--store <apiKey>')
    .option('--from <day>')
    .option('--to <day>')
    .option('--csv', 'as CSV')
    .action(({ store, from, to, csv, by }: MetricsOptions) =>
      context.show('GET', storePath(store, `/metrics/${parent.name()}`), {
        query: { from, to, by, format: csv ? 'csv' : undefined },
      }),
    );
}

export function addSearchCommands(program: Command, context: CliContext): void {
  const search = add(program, 'search', 'what shoppers search');
  const counted = 'searches, what found nothing, clicks, carts, orders and revenue, by day and by query';
  addMetricsCommand(search, context, counted).option('--by <rows>', 'rows of the CSV: day or query');
}
