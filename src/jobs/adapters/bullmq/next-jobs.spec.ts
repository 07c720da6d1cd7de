import { SystemClock } from '../../../shared/clock';
import type { Job } from '../../job-queue';
import type { JobRecords, OpenJob } from './job-records';
import { firstOfKinds, NextJobs } from './next-jobs';

const KIND = 'learning.run';
const SLOW_MS = 60;

const openJob = (id: string, runAt = 0): OpenJob => ({ id, kind: KIND, state: 'waiting', runAt, leaseUntil: 0 });
/** `store`: at most what follows the uuid of an id. */
const idOf = (number: number, store: string): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}.${store}`;

/** Jobs of as many stores, how often they were read, and what a process does with them. */
function aQueue(stores: number, readMs: number) {
  let reads = 0;
  const jobs = Array.from({ length: stores }, (_, number) => openJob(idOf(number, `store${number}`), number));
  const open = async (): Promise<OpenJob[]> => {
    reads += 1;
    await new Promise((resolve) => setTimeout(resolve, readMs));
    return jobs.map((job) => ({ ...job }));
  };
  const next = new NextJobs({ open } as unknown as JobRecords, new SystemClock());
  /** The clock stands but for what reading takes. */
  const whoseTurn = async (handedOut: string): Promise<string | undefined> => {
    const answer = next.whoseTurn(KIND, handedOut, new Set());
    await jest.advanceTimersByTimeAsync(2 * readMs);
    return answer;
  };
  const work = async (): Promise<string> => {
    const id = (await whoseTurn(jobs[0]?.id ?? '')) ?? '';
    next.serve({ id, kind: KIND, store: id.slice(37) } as Job);
    const at = jobs.findIndex((job) => job.id === id);
    if (at > 0) jobs.splice(at, 1);
    next.ended(id);
    next.over(id);
    return id.slice(37);
  };
  return { work, whoseTurn, over: (id: string) => next.over(id), reads: () => reads };
}

describe('whose turn it is', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is read for every job where that costs little', async () => {
    const { work, reads } = aQueue(5, 0);
    for (let times = 0; times < 3; times += 1) await work();
    expect(reads()).toBe(3);
  });

  it('is known of many jobs after one look, and changes with what this process does', async () => {
    const { work, reads } = aQueue(5, SLOW_MS);
    const served = [];
    for (let times = 0; times < 5; times += 1) served.push(await work());
    expect(served.toSorted()).toEqual(['store0', 'store1', 'store2', 'store3', 'store4']);
    expect(reads()).toBe(1);
  });

  it('is another one for each hand of a process, from one look', async () => {
    const { whoseTurn, over, reads } = aQueue(3, SLOW_MS);
    const first = idOf(0, 'store0');
    const given = [await whoseTurn(first), await whoseTurn(first), await whoseTurn(first)];
    expect(given).toEqual([first, idOf(1, 'store1'), idOf(2, 'store2')]);
    expect([await whoseTurn(first), reads()]).toEqual([undefined, 1]);
    over(first);
    expect(await whoseTurn(first)).toBe(first);
  });

  it('is read again for a job that is not known', async () => {
    const { whoseTurn, reads } = aQueue(2, SLOW_MS);
    await whoseTurn(idOf(0, 'store0'));
    await whoseTurn(idOf(7, 'store7'));
    expect(reads()).toBe(2);
  });
});

test('of each kind those that are to run first are handed out again', () => {
  const others = Array.from({ length: 3 }, (_, at) => ({ ...openJob(`other${at}`, at), kind: 'other' }));
  const open = [openJob('c', 3), openJob('a', 1), ...others, openJob('b', 2)];
  expect(firstOfKinds(open, 2).map(({ id }) => id)).toEqual(['other0', 'a', 'other1', 'b']);
});
