import type { Job } from '../jobs/job-queue';

type PacedJob = Pick<Job, 'state' | 'progress' | 'countedFrom' | 'attempts' | 'startedAt' | 'endedAt'>;

/** How fast it goes, or went, and how long it has to go. */
export function paceOf(job: PacedJob, now: number): { rate: number | null; secondsLeft: number | null } {
  const { state, progress, endedAt } = job;
  const { done, total } = progress;
  const from = countingOf(job);
  const until = endedAt === undefined ? now : Date.parse(endedAt);
  const seconds = from ? (until - Date.parse(from.at)) / 1000 : 0;
  if (!from || seconds <= 0 || done <= from.done) return { rate: null, secondsLeft: null };
  const rate = (done - from.done) / seconds;
  const isKnown = state === 'active' && total > done;
  return { rate: Math.round(rate * 100) / 100, secondsLeft: isKnown ? Math.ceil((total - done) / rate) : null };
}

/** Where counting began. What has ended and said only once how far it was is taken from its beginning, unless an earlier attempt may have done it. */
function countingOf({ state, progress, countedFrom, attempts, startedAt }: PacedJob): PacedJob['countedFrom'] | null {
  if (state === 'waiting') return null;
  if (countedFrom && progress.done > countedFrom.done) return countedFrom;
  return state === 'active' || attempts > 1 || startedAt === undefined ? null : { done: 0, at: startedAt };
}
