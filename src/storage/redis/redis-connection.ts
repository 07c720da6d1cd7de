import { createHash } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import type { RedisAccess } from '../../config/server-access';
import { SettingsError } from '../../config/settings';
import { ApiError } from '../../shared/api-error';
import { TooLate, within } from '../../shared/async/within';
import { makeClient, ready, startProblem, unusable } from './redis-client';
import { RedisLane } from './redis-lane';
import { RedisWrites, refusalOf } from './redis-writes';

export interface RedisSetup extends RedisAccess {
  /** Leads every key, so that several installations may share a Redis. */
  prefix: string;
  /** Longest wait for a command, milliseconds; default 50. */
  limitMs?: number;
  /** Longest wait for a Redis that is not there yet at the start, milliseconds; default 5,000. */
  startWithinMs?: number;
}

const LIMIT_MS = 50;
const START_WITHIN_MS = 5000;
const PING_EVERY_MS = 1000;
const PING_AGAIN_MS = 50;
/** For a ping after a command that was given up. */
const PING_WITHIN_MS = 100;
/** How long something slow is asked for apart, and of how many that is remembered. */
const APART_MS = 60_000;
const MOST_SLOW = 1000;
/** A connection that is silent for so long is replaced: the server behind it may be gone. */
const SILENT_MS = 3000;
/** Redis answers that it can't serve right now. */
const NOT_NOW = /^(LOADING|READONLY|MASTERDOWN|BUSY|TRYAGAIN|CLUSTERDOWN) /;

/**
 * The connection to Redis. A command is answered within its limit or fails with `unavailable`, alone: only a connection that is closed, or
 * that says nothing at all while answers are due, makes Redis down for everybody. Then commands fail at once. When it is back, they work again
 * without a restart. A command that Redis refuses because it is full fails with `unavailable`, too, alone.
 */
export class RedisConnection {
  /** Whether it takes what makes it larger. */
  readonly writes = new RedisWrites();
  private answering = true;
  private closed = false;
  private doubted = false;
  private apartLane: RedisLane | null = null;
  private readonly lane: RedisLane;
  /** Of what was slow when it was asked for last. */
  private readonly slow = new LRUCache<string, true>({ max: MOST_SLOW, ttl: APART_MS });
  private readonly listeners = new Set<(up: boolean) => void>();
  private wake: () => void = () => undefined;

  private constructor(
    private readonly client: Redis,
    private readonly setup: RedisSetup,
  ) {
    this.lane = new RedisLane(client, () => void this.doubt());
    client.on('ready', () => this.wake());
    client.on('close', () => this.setAnswering(false));
    void this.watch();
  }

  /** Throws SettingsError, one line, where this Redis can't be used: unreachable, access denied, too old, a replica. */
  static async open(setup: RedisSetup): Promise<RedisConnection> {
    const client = makeClient(setup, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false });
    let full: string | null = null;
    try {
      await ready(client, setup.startWithinMs ?? START_WITHIN_MS);
      const problem = unusable(await client.info());
      if (problem) throw new SettingsError(`REDIS_URL: ${problem}`);
      // Fails where the user may not write. The key has expired at once, so it is never seen.
      const write = client.eval("return redis.call('SET', KEYS[1], '', 'PXAT', 1)", 1, `${setup.prefix}:start`);
      full = await refusalIn(write);
    } catch (error) {
      client.disconnect();
      if (error instanceof SettingsError) throw error;
      throw new SettingsError(`REDIS_URL: ${startProblem(setup, error)}`, { cause: error });
    }
    const connection = new RedisConnection(client, setup);
    if (full !== null) connection.writes.refused(full);
    return connection;
  }

  /** Whether Redis answers. */
  get up(): boolean {
    return this.answering;
  }

  get prefix(): string {
    return this.setup.prefix;
  }

  key(...parts: string[]): string {
    return [this.setup.prefix, ...parts].join(':');
  }

  /**
   * Throws ApiError `unavailable` where Redis is down or takes longer than the limit; the command may still be carried out then. What has a
   * limit of its own is no shopper's, and goes on a second connection, so that nobody's command waits behind it.
   */
  run<T>(work: (redis: Redis) => Promise<T>, limitMs?: number): Promise<T> {
    return limitMs === undefined
      ? this.guard(() => this.lane.run(work, this.limitMs))
      : this.guard(() => this.apart().run(work, limitMs));
  }

  /** Runs what uses a connection of its owner (`waiting`), as `run` does what uses ours. */
  runElsewhere<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
    return this.guard(() => within(limitMs, work()));
  }

  /**
   * The same as `run` for one of many things some of which may be big: what was too slow once is asked for on the second connection for a
   * minute.
   */
  async runFor<T>(name: string, work: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      const lane = this.slow.has(name) ? this.apart() : this.lane;
      return await this.guard(() => lane.run(work, this.limitMs));
    } catch (error) {
      if (error instanceof ApiError && error.cause instanceof TooLate) this.slow.set(name, true);
      throw error;
    }
  }

  /** The listener hears whenever Redis goes down or comes back. */
  onChange(listener: (up: boolean) => void): void {
    this.listeners.add(listener);
  }

  /** A connection of its own without limits, for blocking commands; its owner closes it. */
  waiting(): Redis {
    return makeClient(this.setup, { maxRetriesPerRequest: null });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    this.client.disconnect();
    this.apartLane?.client.disconnect();
  }

  private get limitMs(): number {
    return this.setup.limitMs ?? LIMIT_MS;
  }

  private async guard<T>(work: () => Promise<T>): Promise<T> {
    if (!this.answering) throw unavailable();
    try {
      return await work();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== null) this.writes.refused(refusal);
      else if (error instanceof Error && error.name === 'ReplyError' && !NOT_NOW.test(error.message)) throw error;
      throw unavailable(error);
    }
  }

  /** Made when it is needed first; commands wait until it is connected. */
  private apart(): RedisLane {
    this.apartLane ??= new RedisLane(
      makeClient(this.setup, { autoResendUnfulfilledCommands: false, maxRetriesPerRequest: 1 }),
    );
    return this.apartLane;
  }

  /** A command was given up: Redis is down where not even a ping is answered, nor any part of an answer arrives. */
  private async doubt(): Promise<void> {
    if (this.doubted || !this.answering) return;
    this.doubted = true;
    const { stream } = this.client;
    const before = stream.bytesRead;
    this.client.ping().catch(() => undefined);
    await sleep(PING_WITHIN_MS, undefined, { ref: false });
    // What has arrived meanwhile is read first.
    await nextTurn();
    this.doubted = false;
    if (this.client.stream === stream && stream.bytesRead === before) this.setAnswering(false);
  }

  /** Asks now and then, and often while Redis is down, so that no request has to find out. */
  private async watch(): Promise<void> {
    let answered = performance.now();
    while (!this.closed) {
      try {
        await within(SILENT_MS, this.tryWriting());
        answered = performance.now();
        this.setAnswering(true);
      } catch {
        this.setAnswering(false);
        if (!this.closed && performance.now() - answered > SILENT_MS) {
          answered = performance.now();
          this.client.disconnect(true);
        }
      }
      await this.pause(this.answering ? PING_EVERY_MS : PING_AGAIN_MS);
    }
  }

  /** A ping that is a write. What it writes has expired already. */
  private async tryWriting(): Promise<void> {
    const refusal = await refusalIn(this.client.set(this.key('probe'), '', 'PXAT', 1));
    if (refusal === null) this.writes.taken();
    else this.writes.refused(refusal);
  }

  private async pause(ms: number): Promise<void> {
    const early = new AbortController();
    this.wake = () => early.abort();
    await sleep(ms, undefined, { signal: early.signal, ref: false }).catch(() => undefined);
  }

  private setAnswering(up: boolean): void {
    if (this.answering === up || this.closed) return;
    this.answering = up;
    if (!up) {
      this.wake();
      // Nobody has to wait for the end of each one's limit.
      this.lane.giveUp();
    }
    for (const listener of this.listeners) listener(up);
  }
}

/** A Lua script, run as one atomic step. Sent once, then called by its digest. */
export class RedisScript {
  private readonly digest: string;

  constructor(private readonly lua: string) {
    this.digest = createHash('sha1').update(lua).digest('hex');
  }

  async run(redis: Redis, keys: string[], values: (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(this.lua, keys.length, ...keys, ...values);
    }
  }
}

/** Why a write was refused by a Redis that answers; null where it was done. */
async function refusalIn(write: Promise<unknown>): Promise<string | null> {
  try {
    await write;
    return null;
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null) throw error;
    return refusal;
  }
}

function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', 'Redis does not answer', { retryAfter: 1, cause });
}
