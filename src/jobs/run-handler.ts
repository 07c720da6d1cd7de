import { traced } from '../shared/tracing';
import { type JobContext, JobFailure, type JobHandler } from './job-queue';
import type { Outcome } from './job-states';

const LONGEST_ERROR = 2000;

/** Never rejects. A handler that fails after its signal while the process stops has released its job. */
export async function runHandler(
  handler: JobHandler,
  context: JobContext,
  isStopping: () => boolean,
): Promise<Outcome> {
  try {
    const { id, kind, store } = context.job;
    const result = await traced(
      () => ({
        name: `job ${kind}`,
        kind: 'whole',
        attributes: { 'vitrine.job.id': id, 'vitrine.job.kind': kind, 'vitrine.store': store },
      }),
      () => handler(context),
    );
    // What is no JSON can't be kept: that is the handler's failure.
    JSON.stringify(result);
    return { type: 'complete', result };
  } catch (error) {
    if (context.signal.aborted && isStopping()) return { type: 'release' };
    const message = error instanceof Error ? error.message : String(error);
    const final = error instanceof JobFailure ? { final: true as const, result: error.result } : {};
    return { type: 'fail', error: message.slice(0, LONGEST_ERROR), ...final };
  }
}
