import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { within } from '../../../shared/async/within';
import type { RedisConnection } from '../../../storage/redis/redis-connection';

export interface Dispatch {
  id: string;
  kind: string;
  /** 0: now. */
  delayMs: number;
}

/** What becomes of a job that was handed out: null where BullMQ is done with it, else after how many milliseconds it hands it out again. */
export type HandOutAgain = number | null;

export interface JobHands {
  take(id: string): Promise<HandOutAgain>;
  done(id: string): void;
}

const TICKS = 'ticks';
/** Handing out may take longer than other commands, because no request waits for it. */
const LIMIT_MS = 1000;
const CLOSE_WITHIN_MS = 1000;
const RETRY_MS = 1000;
/** A tick may come so much later than its time. */
const LATE_MS = 10_000;

/** Loaded when the first queue is opened: the embedded service starts without it. */
const bullmq = (): typeof import('bullmq') => require('bullmq') as typeof import('bullmq');

/** Hands out ids of jobs through BullMQ, which has one entry for each job. Entries that Redis loses are made again from the records. */
export class Dispatcher {
  private readonly connection: Redis;
  private readonly queues = new Map<string, Queue>();
  private readonly workers: Worker[] = [];
  private readonly underWay = new Set<Promise<unknown>>();
  private giveUp: () => void = () => undefined;
  private readonly givenUp = new Promise<null>((resolve) => {
    this.giveUp = () => resolve(null);
  });

  /** `lockMs`: after so long BullMQ hands out again what a dead process had. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly lockMs: number,
  ) {
    this.connection = redis.waiting();
    // A worker that can't take what waits would try again at once, and again.
    redis.writes.onChange((refusal) => {
      for (const worker of this.workers) void (refusal === null ? worker.resume() : worker.pause(true));
    });
  }

  /** Throws where Redis is down. Sending a job again is harmless. */
  async send(jobs: Dispatch[]): Promise<void> {
    for (const kind of new Set(jobs.map((job) => job.kind))) {
      const entries = jobs
        .filter((job) => job.kind === kind)
        .map(({ id, delayMs }) => ({ name: kind, data: { id }, opts: { jobId: id, delay: delayMs } }));
      const sent = await this.redis.runElsewhere(() => this.queue(kind).addBulk(entries), LIMIT_MS);
      // An entry that was there may wait for a later time than the record has now. Where it does not wait, `promote` rejects.
      const due = sent.filter((_, index) => entries[index]?.opts.delay === 0);
      await this.redis.runElsewhere(() => Promise.allSettled(due.map((entry) => entry.promote())), LIMIT_MS);
    }
  }

  /**
   * `take` is called with the id of every job of this kind that is handed out, for so many at a time; `done` once there is no entry of the
   * job any more: what was sent between the two was taken for the entry that was about to go.
   */
  work(kind: string, concurrency: number, { take, done }: JobHands): void {
    const worker = this.open<{ id: string }>(kind, concurrency, ({ id }) => take(id));
    worker.on('completed', ({ data }) => done(data.id));
  }

  /** From now on `onTick` is called with the name about every `ms` milliseconds, in one process. */
  async every(name: string, ms: number): Promise<void> {
    const queue = this.queue(TICKS);
    const known = await this.redis.runElsewhere(() => queue.getJobScheduler(name), LIMIT_MS);
    // Its next time is long over where a full Redis did not take it, and far ahead where the clock stepped back.
    const isSoon = Math.abs((known?.next ?? 0) - Date.now()) < ms + LATE_MS;
    if (known?.every === ms && isSoon) return;
    await this.redis.runElsewhere(() => queue.upsertJobScheduler(name, { every: ms }, { data: { name } }), LIMIT_MS);
  }

  onTick(tick: (name: string) => Promise<void>): void {
    this.open<{ name: string }>(TICKS, 1, async ({ name }) => {
      await tick(name);
      return null;
    });
  }

  /** Takes no more from the moment it is called, and waits for what is being worked on, but not longer than `withinMs`. */
  async close(withinMs: number): Promise<void> {
    const idle = Promise.allSettled(this.workers.map((worker) => worker.close()));
    await within(withinMs, Promise.allSettled(this.underWay)).catch(this.giveUp);
    // BullMQ waits for ever where Redis is down.
    const closed = idle.then(() => Promise.allSettled(Array.from(this.queues.values(), (queue) => queue.close())));
    await within(CLOSE_WITHIN_MS, closed).catch(() => undefined);
    this.connection.disconnect();
  }

  private queue(kind: string): Queue {
    let queue = this.queues.get(kind);
    if (!queue) {
      const defaultJobOptions = { removeOnComplete: true, removeOnFail: true };
      const { connection, prefix } = this;
      queue = new (bullmq().Queue)(kind, { connection, prefix, defaultJobOptions });
      // That Redis is down is told by the calls, and by the connection.
      queue.on('error', () => undefined);
      this.queues.set(kind, queue);
    }
    return queue;
  }

  private open<T>(name: string, concurrency: number, work: (data: T) => Promise<HandOutAgain>): Worker<T> {
    const { DelayedError, Worker: BullWorker } = bullmq();
    const worker = new BullWorker<T>(
      name,
      async (entry, token) => {
        const working = work(entry.data);
        this.underWay.add(working);
        const againMs = await Promise.race([working, this.givenUp]).finally(() => this.underWay.delete(working));
        if (againMs === null) return;
        await entry.moveToDelayed(Date.now() + againMs, token);
        throw new DelayedError();
      },
      {
        connection: this.connection,
        prefix: this.prefix,
        concurrency,
        lockDuration: this.lockMs,
        // After Redis was down, or full.
        runRetryDelay: RETRY_MS,
        stalledInterval: Math.ceil(this.lockMs / 3),
        // Records count attempts, and decide when it is enough.
        maxStalledCount: 1000,
      },
    );
    worker.on('error', () => undefined);
    this.workers.push(worker);
    if (this.redis.writes.refusal !== null) void worker.pause(true);
    return worker;
  }

  private get prefix(): string {
    return this.redis.key('jobs');
  }
}
