import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError, type QueryInput } from './admin-client';
import { add, type CliContext, type StoreOption, storePath } from './context';

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const ASK_EVERY_MS = 500;

const jobPath = (id: string, rest = ''): string => `/admin/jobs/${encodeURIComponent(id)}${rest}`;

/** Prints the job's id, or with `wait` the job once it has ended; fails where the job failed. */
async function started(context: CliContext, reply: unknown, wait: boolean | undefined): Promise<void> {
  const { jobId } = reply as { jobId: string };
  if (!wait) return context.print({ jobId });
  const client = context.client();
  for (;;) {
    const job = (await client.call('GET', jobPath(jobId))) as { state: string; error?: string };
    if (ENDED.has(job.state)) {
      context.print(job);
      if (job.state !== 'completed') throw new CliError(`The job ${job.state}${job.error ? `: ${job.error}` : ''}`);
      return;
    }
    await sleep(ASK_EVERY_MS);
  }
}

export function addJobCommands(program: Command, context: CliContext): void {
  const jobs = add(program, 'jobs', 'background work');
  add(jobs, 'list', 'jobs, newest first')
    .option('--store <apiKey>')
    .option('--kind <kind>')
    .option('--state <state>', 'waiting, active, completed, failed or cancelled')
    .action((query: QueryInput) => context.show('GET', '/admin/jobs', { query }));
  add(jobs, 'show <id>', 'one job').action((id: string) => context.show('GET', jobPath(id)));
  for (const step of ['cancel', 'retry']) {
    jobs.command(`${step} <id>`).action((id: string) => context.show('POST', jobPath(id, `/${step}`)));
  }
}

type RebuildOptions = StoreOption & { wait?: true; user?: string; device?: string };

export function addBehaviourCommands(program: Command, context: CliContext): void {
  const events = add(program, 'events', 'what shoppers did');
  add(events, 'import <file>', 'bring along history: NDJSON, each line an event with its name and its own timestamp')
    .requiredOption('--store <apiKey>')
    .option('--wait', 'until it is done')
    .action(async (file: string, { store, wait }: StoreOption & { wait?: true }) => {
      const path = storePath(store, '/events/imports');
      await started(context, await context.client().upload(path, file, 'application/x-ndjson'), wait);
    });
  const vectors = add(program, 'vectors', 'behaviour vectors');
  add(vectors, 'rebuild', 'make them again from the event log, all or one')
    .requiredOption('--store <apiKey>')
    .option('--user <userId>')
    .option('--device <deviceId>')
    .option('--wait', 'until it is done')
    .action(async ({ store, user: userId, device: deviceId, wait }: RebuildOptions) => {
      const path = storePath(store, '/vectors/rebuild');
      await started(context, await context.client().call('POST', path, { body: { userId, deviceId } }), wait);
    });
}
