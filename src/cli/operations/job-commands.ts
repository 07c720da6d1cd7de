import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { retry } from '../../shared/async/retry';
import { CliError, type QueryInput } from '../admin-client';
import { type ProgressDisplay, progressDisplay } from '../progress';
import { add, type CliContext, type StoreOption, storePath } from '../context';

const ENDED = new Set(['completed', 'failed', 'cancelled']);
const ASK_EVERY_MS = 500;
/** A job goes on while the service is restarted, and so does whoever waits for it. */
const PATIENTLY = {
  times: 60,
  pauseMs: 1000,
  steady: true,
  again: (error: unknown): boolean => error instanceof CliError && error.mayPass,
};

const jobPath = (id: string, rest = ''): string => `/admin/jobs/${encodeURIComponent(id)}${rest}`;

interface ShownJob {
  kind: string;
  state: string;
  progress: { done: number; total: number };
  rate: number | null;
  secondsLeft: number | null;
  error?: string;
  result?: unknown;
}

/** The job that a reply names, once it has ended; how far it is is shown meanwhile. */
export async function ended(context: CliContext, reply: unknown): Promise<ShownJob> {
  const { jobId } = reply as { jobId: string };
  const client = context.client();
  const ask = (): Promise<unknown> => client.call('GET', jobPath(jobId));
  let display: ProgressDisplay | undefined;
  try {
    for (;;) {
      const job = (await (display ? retry(ask, PATIENTLY) : ask())) as ShownJob;
      display ??= progressDisplay(job.kind);
      if (job.progress.done > 0) display.show({ ...job.progress, rate: job.rate, secondsLeft: job.secondsLeft });
      if (ENDED.has(job.state)) return job;
      await sleep(ASK_EVERY_MS);
    }
  } finally {
    display?.end();
  }
}

/** Prints the job's id, or with `wait` the job once it has ended; fails where the job failed. */
async function started(context: CliContext, reply: unknown, wait: boolean | undefined): Promise<void> {
  const { jobId } = reply as { jobId: string };
  if (!wait) return context.print({ jobId });
  const job = await ended(context, reply);
  context.print(job);
  if (job.state !== 'completed') throw new CliError(`The job is ${job.state}${job.error ? `: ${job.error}` : ''}`);
}

export function addJobCommands(program: Command, context: CliContext): void {
  const jobs = add(program, 'jobs', 'background work').alias('job');
  add(jobs, 'list', 'jobs, newest first')
    .option('--store <apiKey>')
    .option('--kind <kind>')
    .option('--state <state>', 'waiting, active, completed, failed or cancelled')
    .option('--limit <number>', 'of a page, 100 without it')
    .option('--after <id>', 'the last job of the page before')
    .action((query: QueryInput) => context.show('GET', '/admin/jobs', { query }));
  add(jobs, 'show <id>', 'one job').action((id: string) => context.show('GET', jobPath(id)));
  add(jobs, 'watch <id>', 'how far it is until it has ended; fails where the job does').action((jobId: string) =>
    started(context, { jobId }, true),
  );
  for (const step of ['cancel', 'retry']) {
    jobs.command(`${step} <id>`).action((id: string) => context.show('POST', jobPath(id, `/${step}`)));
  }
}

export function addScheduleCommands(program: Command, context: CliContext): void {
  const schedules = add(program, 'schedules', 'what the service does again and again').alias('schedule');
  const path = (kind: string, step: string): string => `/admin/schedules/${encodeURIComponent(kind)}/${step}`;
  add(schedules, 'list', 'what is done, how often, and the last job').action(() =>
    context.show('GET', '/admin/schedules'),
  );
  for (const step of ['pause', 'resume']) {
    schedules.command(`${step} <kind>`).action((kind: string) => context.show('POST', path(kind, step)));
  }
  add(schedules, 'run <kind>', 'now')
    .option('--wait', 'until it is done')
    .action(async (kind: string, { wait }: { wait?: true }) =>
      started(context, await context.client().call('POST', path(kind, 'run')), wait),
    );
}

type ReindexOptions = StoreOption & { wait?: true; force?: true };

export function addReindexCommands(program: Command, context: CliContext): void {
  const reindex = add(program, 'reindex', 'make the index of products anew, check it, then serve with it')
    .requiredOption('--store <apiKey>')
    .option('--force', 'although it finds other products than before')
    .option('--wait', 'until it is done')
    .action(async ({ store, wait, force }: ReindexOptions) => {
      const query = force ? { query: { force: 'true' } } : {};
      await started(context, await context.client().call('POST', storePath(store, '/reindex'), query), wait);
    });
  add(reindex, 'rollback', 'serve with the index before, which is kept for 24 hours').action(
    (_options: object, command: Command) => {
      const { store } = command.optsWithGlobals<StoreOption>();
      return context.show('POST', storePath(store, '/reindex/rollback'));
    },
  );
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
