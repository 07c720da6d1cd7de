import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError, type QueryInput } from './admin-client';
import type { CliContext } from './context';

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const LOOK_EVERY = 500;

const jobPath = (id: string, rest = ''): string => `/admin/jobs/${encodeURIComponent(id)}${rest}`;

/** Prints the job's id, or with `wait` the job once it has ended; fails where the job failed. */
async function started(context: CliContext, reply: unknown, wait: boolean | undefined): Promise<void> {
  const { jobId } = reply as { jobId: string };
  if (!wait) {
    context.print({ jobId });
    return;
  }
  const client = context.client();
  for (;;) {
    const job = (await client.call('GET', jobPath(jobId))) as { state: string; error?: string };
    if (ENDED.has(job.state)) {
      context.print(job);
      if (job.state !== 'completed') throw new CliError(`The job ${job.state}${job.error ? `: ${job.error}` : ''}`);
      return;
    }
    await pause(LOOK_EVERY);
  }
}

export function addJobCommands(program: Command, context: CliContext): void {
  const jobs = program.command('jobs').description('background work');
  jobs
    .command('list')
    .description('jobs, newest first')
    .option('--store <apiKey>')
    .option('--kind <kind>')
    .option('--state <state>', 'waiting, active, completed, failed or cancelled')
    .action(async (query: QueryInput) => context.print(await context.client().call('GET', '/admin/jobs', { query })));
  jobs
    .command('show <id>')
    .description('one job')
    .action(async (id: string) => context.print(await context.client().call('GET', jobPath(id))));
  for (const step of ['cancel', 'retry']) {
    jobs
      .command(`${step} <id>`)
      .action(async (id: string) => context.print(await context.client().call('POST', jobPath(id, `/${step}`))));
  }
}

export function addBehaviourCommands(program: Command, context: CliContext): void {
  program
    .command('events')
    .description('what shoppers did')
    .command('import <file>')
    .description('bring along history: NDJSON, each line an event with its name and its own timestamp')
    .requiredOption('--store <apiKey>')
    .option('--wait', 'until it is done')
    .action(async (file: string, { store, wait }: { store: string; wait?: true }) => {
      const path = `/admin/stores/${encodeURIComponent(store)}/events/imports`;
      await started(context, await context.client().upload(path, file, 'application/x-ndjson'), wait);
    });
  program
    .command('vectors')
    .description('behaviour vectors')
    .command('rebuild')
    .description('make them again from the event log, all or one')
    .requiredOption('--store <apiKey>')
    .option('--user <userId>')
    .option('--device <deviceId>')
    .option('--wait', 'until it is done')
    .action(async (options: { store: string; user?: string; device?: string; wait?: true }) => {
      const path = `/admin/stores/${encodeURIComponent(options.store)}/vectors/rebuild`;
      const body = { userId: options.user, deviceId: options.device };
      await started(context, await context.client().call('POST', path, { body }), options.wait);
    });
}
