import { LRUCache } from 'lru-cache';
import { cached } from '../../../shared/async/single-flight';
import type { Clock } from '../../../shared/clock';
import { FairOrder } from '../../fair-order';
import type { JobRecords, OpenJob } from './job-records';
import { storeOfId } from './job-turns';

/** How old what is known of open jobs may be when it is decided whose turn it is. */
const OPEN_KNOWN_MS = 500;

/** Milliseconds until a job may be taken: a waiting one when it is due, an active one when its lease is over, no other. */
export function waitOf({ state, runAt, leaseUntil }: OpenJob, now: number): number | null {
  if (state !== 'waiting' && state !== 'active') return null;
  return Math.max(0, (state === 'waiting' ? runAt : leaseUntil) - now);
}

/** Which job comes next: of a store and kind the one that was asked for first, of the stores the one that was served longest ago. */
export class NextJobs {
  private readonly order = new FairOrder();
  /** Every job that has not ended, as of a moment ago. */
  private readonly known = new LRUCache<'open', Promise<OpenJob[]>>({ max: 1, ttl: OPEN_KNOWN_MS });

  constructor(
    private readonly records: JobRecords,
    private readonly clock: Clock,
  ) {}

  /** The job to begin where `id` was handed out. A store whose next job is one of `tried` has to wait. */
  async whoseTurn(kind: string, id: string, tried: ReadonlySet<string>): Promise<string | undefined> {
    // The service's own jobs have no other store beside them.
    if (storeOfId(id) === '*') return tried.has(id) ? undefined : id;
    const next = nextOfStores(await this.openSince(kind, id), (job) => this.isDue(job));
    // A job that was begun is handed out again where its process died.
    const mayBegin = ({ id: first, state }: OpenJob): boolean =>
      !tried.has(first) && (state !== 'active' || first === id);
    const stores = Array.from(next).flatMap(([store, job]) => (mayBegin(job) ? [store] : []));
    return next.get(this.order.order(kind, stores)[0] ?? '')?.id;
  }

  /** The next job of this store, if it may begin. */
  async of(kind: string, store: string): Promise<OpenJob | undefined> {
    const open = (await this.openOf(kind)).filter((job) => storeOfId(job.id) === store && job.state === 'waiting');
    return nextOfStores(open, (job) => this.isDue(job)).get(store);
  }

  /** A job of this store begins. */
  serve(kind: string, store: string): void {
    this.order.serve(kind, store);
    this.lookAgain();
  }

  /** What is known is old. */
  lookAgain(): void {
    this.known.delete('open');
  }

  private isDue(job: OpenJob): boolean {
    return job.state === 'waiting' && waitOf(job, this.clock.now()) === 0;
  }

  /** What is known of before this job was asked for does not tell which of its store was asked for first. */
  private async openSince(kind: string, id: string): Promise<OpenJob[]> {
    const open = await this.openOf(kind);
    if (open.some((job) => job.id === id)) return open;
    this.lookAgain();
    return this.openOf(kind);
  }

  private async openOf(kind: string): Promise<OpenJob[]> {
    const open = await cached(this.known, 'open', () => this.records.open());
    return open.filter((job) => job.kind === kind);
  }
}

/** Of each store the job that has begun, or else the due one that was to run first. */
function nextOfStores(open: readonly OpenJob[], isDue: (job: OpenJob) => boolean): Map<string, OpenJob> {
  const next = new Map<string, OpenJob>();
  const begunFirst = ({ state, runAt }: OpenJob): number => (state === 'active' ? 0 : runAt);
  for (const job of open.toSorted((a, b) => begunFirst(a) - begunFirst(b))) {
    const store = storeOfId(job.id);
    if (!next.has(store) && (job.state === 'active' || isDue(job))) next.set(store, job);
  }
  return next;
}
