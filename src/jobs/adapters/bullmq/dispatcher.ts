import type { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RedisConnection } from '../../../storage/redis/redis-connection';

export interface Dispatch {
  id: string;
  kind: string;
  turn: number;
  /** 0: now. */
  delayMs: number;
}

export interface DispatcherOptions {
  /** After so long BullMQ hands what a dead process had taken to another. */
  stalledMs: number;
}

const TICKS = 'ticks';
/** Handing out may take longer than a request may: nobody waits for it. */
const LIMIT_MS = 1000;
const CLOSE_WITHIN_MS = 1000;

/** Hands out ids of jobs over Redis. Whatever Redis loses is handed out again from the records. */
export class Dispatcher {
  private readonly connection: Redis;
  private readonly queues = new Map<string, Queue>();
  private readonly workers: Worker[] = [];

  constructor(
    private readonly redis: RedisConnection,
    private readonly options: DispatcherOptions,
  ) {
    this.connection = redis.waiting();
  }

  /** Throws where Redis is down. Handing out the same turn again is harmless. */
  async send(jobs: Dispatch[]): Promise<void> {
    for (const kind of new Set(jobs.map((job) => job.kind))) {
      const ofKind = jobs.filter((job) => job.kind === kind);
      const entries = ofKind.map(({ id, turn, delayMs }) => ({
        name: kind,
        data: { id },
        // BullMQ takes one entry of a name: what was handed out with a delay can still be handed out at once.
        opts: { jobId: `${id}~${turn}${delayMs > 0 ? '~later' : ''}`, delay: delayMs },
      }));
      await this.redis.run(() => this.queue(kind).addBulk(entries), LIMIT_MS);
    }
  }

  /** `take` is called with the id of every job of this kind that is handed out, to so many at a time. */
  work(kind: string, concurrency: number, take: (id: string) => Promise<void>): void {
    this.open<{ id: string }>(kind, concurrency, ({ id }) => take(id));
  }

  /** `due` is called every `ms`, in one process. */
  async every(name: string, ms: number): Promise<void> {
    const queue = this.queue(TICKS);
    const known = await this.redis.run(() => queue.getJobScheduler(name), LIMIT_MS);
    if (known?.every === ms) return;
    await this.redis.run(() => queue.upsertJobScheduler(name, { every: ms }, { data: { name } }), LIMIT_MS);
  }

  onTick(due: (name: string) => Promise<void>): void {
    this.open<{ name: string }>(TICKS, 1, ({ name }) => due(name));
  }

  /** Takes no more. What is being worked on is not waited for. */
  async stopWork(): Promise<void> {
    await soon(this.workers.map((worker) => worker.close(true)));
  }

  async close(): Promise<void> {
    await this.stopWork();
    await soon(Array.from(this.queues.values(), (queue) => queue.close()));
    this.connection.disconnect();
  }

  private queue(kind: string): Queue {
    let queue = this.queues.get(kind);
    if (!queue) {
      const { Queue: Made } = require('bullmq') as typeof import('bullmq');
      queue = new Made(kind, {
        connection: this.connection,
        prefix: this.prefix,
        defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
      });
      // Redis being down is told by the calls, and by the connection.
      queue.on('error', () => undefined);
      this.queues.set(kind, queue);
    }
    return queue;
  }

  private open<T>(kind: string, concurrency: number, work: (data: T) => Promise<void>): void {
    const { Worker: Made } = require('bullmq') as typeof import('bullmq');
    const { stalledMs } = this.options;
    const worker = new Made<T>(kind, ({ data }) => work(data), {
      connection: this.connection,
      prefix: this.prefix,
      concurrency,
      lockDuration: stalledMs,
      stalledInterval: stalledMs,
      // Records count attempts, and decide when it is enough.
      maxStalledCount: 1000,
    });
    worker.on('error', () => undefined);
    this.workers.push(worker);
  }

  private get prefix(): string {
    return this.redis.key('jobs');
  }
}

/** BullMQ waits for ever where Redis is down. */
async function soon(all: Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_WITHIN_MS);
  });
  await Promise.race([Promise.allSettled(all), late]);
  clearTimeout(timer);
}
