import type { Clock } from '../../../shared/clock';
import { FairOrder } from '../../fair-order';
import type { Job } from '../../job-queue';
import type { JobRecords, OpenJob } from './job-records';
import { storeOfId } from './job-turns';

/** How old what is known of open jobs may be when it is decided whose turn it is; or so many times as old as reading it took. */
const OPEN_KNOWN_MS = 500;
const TIMES_READING = 20;
/** What takes less to read is read for every decision. */
const CHEAP_MS = 20;

/** Jobs of a kind that are handed out again at once: more than are done until the next time. */
const MOST_OF_KIND = 1000;

/** Every job that has not ended, by its id, as of a moment ago, and what this process has done since. */
interface KnownOpen {
  jobs: Promise<Map<string, OpenJob>>;
  /** Those whose run is over since. */
  ended: Set<string>;
  /** As `performance.now()`. */
  until: number;
  tookMs: number;
}

/** Milliseconds until a job may be taken: a waiting one when it is due, an active one when its lease is over, no other. */
export function waitOf({ state, runAt, leaseUntil }: OpenJob, now: number): number | null {
  if (state !== 'waiting' && state !== 'active') return null;
  return Math.max(0, (state === 'waiting' ? runAt : leaseUntil) - now);
}

/** Which job comes next: of a store and kind the one that was asked for first, of the stores the one that was served longest ago. */
export class NextJobs {
  private readonly order = new FairOrder();
  private known: KnownOpen | null = null;
  /** Given out by `whoseTurn` and not over: another hand of this process is given another one. */
  private readonly underWay = new Set<string>();

  constructor(
    private readonly records: JobRecords,
    private readonly clock: Clock,
  ) {}

  /** The job to begin where `id` was handed out, until `over`. A store whose next job is one of `tried`, or under way here, has to wait. */
  async whoseTurn(kind: string, id: string, tried: ReadonlySet<string>): Promise<string | undefined> {
    // The service's own jobs have no other store beside them.
    if (storeOfId(id) === '*') return tried.has(id) ? undefined : id;
    const next = nextOfStores(await this.openSince(kind, id), (job) => this.isDue(job));
    // A job that was begun is handed out again where its process died.
    const mayBegin = ({ id: first, state }: OpenJob): boolean =>
      !tried.has(first) && !this.underWay.has(first) && (state !== 'active' || first === id);
    const stores = Array.from(next).flatMap(([store, job]) => (mayBegin(job) ? [store] : []));
    const chosen = next.get(this.order.order(kind, stores)[0] ?? '')?.id;
    if (chosen !== undefined) this.underWay.add(chosen);
    return chosen;
  }

  /** The next job of this store, if it may begin. */
  async of(kind: string, store: string): Promise<OpenJob | undefined> {
    const open = (await this.openOf(kind)).filter((job) => storeOfId(job.id) === store && job.state === 'waiting');
    return nextOfStores(open, (job) => this.isDue(job)).get(store);
  }

  /** A job begins. */
  serve({ id, kind, store }: Job): void {
    this.order.serve(kind, store);
    this.note((jobs) => {
      const job = jobs.get(id);
      if (job) jobs.set(id, { ...job, state: 'active' });
    });
  }

  /** Nothing is done with what `whoseTurn` answered any more. */
  over(id: string): void {
    this.underWay.delete(id);
  }

  /** A run of a job has ended. */
  ended(id: string): void {
    this.known?.ended.add(id);
    this.note((jobs) => jobs.delete(id));
  }

  /** What is known is old. */
  lookAgain(): void {
    this.known = null;
  }

  /** With thousands of jobs, reading all of them after each one took longer than the jobs: what is known is changed instead. */
  private note(change: (jobs: Map<string, OpenJob>) => void): void {
    const { known } = this;
    if (!known || known.tookMs < CHEAP_MS) this.lookAgain();
    else void known.jobs.then(change, () => undefined);
  }

  private isDue(job: OpenJob): boolean {
    return job.state === 'waiting' && waitOf(job, this.clock.now()) === 0;
  }

  /** What is known of before this job was asked for does not tell which of its store was asked for first. */
  private async openSince(kind: string, id: string): Promise<OpenJob[]> {
    const open = await this.openOf(kind);
    if (this.known?.ended.has(id) === true || open.some((job) => job.id === id)) return open;
    this.lookAgain();
    return this.openOf(kind);
  }

  private async openOf(kind: string): Promise<OpenJob[]> {
    if (!this.known || performance.now() >= this.known.until) this.known = this.read();
    const open = await this.known.jobs;
    return Array.from(open.values()).filter((job) => job.kind === kind);
  }

  private read(): KnownOpen {
    const since = performance.now();
    const jobs = this.records.open().then((open) => {
      known.tookMs = performance.now() - since;
      known.until = performance.now() + Math.max(OPEN_KNOWN_MS, TIMES_READING * known.tookMs);
      return new Map(open.map((job) => [job.id, job]));
    });
    const known: KnownOpen = { jobs, ended: new Set(), until: Infinity, tookMs: 0 };
    jobs.catch(() => {
      if (this.known === known) this.lookAgain();
    });
    return known;
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

/** Of each kind so many that are to run first. */
export function firstOfKinds(open: readonly OpenJob[], most = MOST_OF_KIND): OpenJob[] {
  const counts = new Map<string, number>();
  return open
    .toSorted((a, b) => a.runAt - b.runAt)
    .filter(({ kind }) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count <= most;
    });
}
