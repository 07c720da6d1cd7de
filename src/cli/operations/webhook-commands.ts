import type { Command } from 'commander';
import { CliError } from '../admin-client';
import { add, type CliContext, storePath } from '../context';
import { ended } from './job-commands';

interface Shown {
  id: string;
  url: string;
  events: string[];
}

interface SetOptions {
  id: string;
  events: string;
  secret?: string;
}

/** Webhooks are one list; a command changes one of it and leaves the others, and their secrets, as they are. */
export function addWebhookCommands(program: Command, context: CliContext): void {
  const webhook = add(program, 'webhook', 'where a store is told what ends or goes wrong');
  add(webhook, 'list <apiKey>', 'the webhooks of a store, and how their last deliveries went').action(
    (apiKey: string) => context.show('GET', webhooksOf(apiKey)),
  );
  add(webhook, 'set <apiKey> <url>', 'add or change one; a new one’s secret is shown here alone')
    .option('--id <id>', 'its name', 'default')
    .requiredOption(
      '--events <events>',
      'of import.ended, reindex.ended, job.failed, budget.spent, catalog.shrank, by commas',
    )
    .option('--secret <secret>', 'what signs; made where there is none')
    .action(async (apiKey: string, url: string, { id, events, secret }: SetOptions) => {
      const set = { id, url, events: events.split(',').map((one) => one.trim()), ...(secret ? { secret } : {}) };
      const others = await known(context, apiKey);
      await put(context, apiKey, [...others.filter((one) => one.id !== id), set]);
    });
  add(webhook, 'remove <apiKey> <id>', 'tell it no more').action(async (apiKey: string, id: string) => {
    const all = await known(context, apiKey);
    if (!all.some((one) => one.id === id)) throw new CliError(`There is no webhook "${id}"`);
    await put(
      context,
      apiKey,
      all.filter((one) => one.id !== id),
    );
  });
  add(webhook, 'test <apiKey> <id>', 'send one a test, and wait for what it answers').action(
    async (apiKey: string, id: string) => {
      const path = `${webhooksOf(apiKey)}/${encodeURIComponent(id)}/test`;
      const job = await ended(context, await context.client().call('POST', path));
      context.print(job);
      if (job.state !== 'completed') throw new CliError(job.error ?? `The job ${job.state}`);
    },
  );
}

const webhooksOf = (apiKey: string): string => storePath(apiKey, '/webhooks');

async function known(context: CliContext, apiKey: string): Promise<Shown[]> {
  const { webhooks } = (await context.client().call('GET', webhooksOf(apiKey))) as { webhooks: Shown[] };
  return webhooks.map(({ id, url, events }) => ({ id, url, events }));
}

const put = (context: CliContext, apiKey: string, webhooks: object[]): Promise<void> =>
  context.show('PUT', webhooksOf(apiKey), { body: { webhooks } });
