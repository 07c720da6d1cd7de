import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { SettingsError } from '../../config/settings';
import { ApiError } from '../../shared/api-error';
import { TooLate, within } from '../../shared/async/within';
import { makeClient, ready, startProblem, unusable } from './redis-client';

export interface RedisSetup {
  url: string;
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
/** A connection that is silent for so long is replaced: the server behind it may be gone. */
const SILENT_MS = 3000;
/** Redis answers that it can't serve right now. */
const NOT_NOW = /^(LOADING|OOM|MISCONF|READONLY|MASTERDOWN|NOREPLICAS|BUSY|TRYAGAIN|CLUSTERDOWN) /;

/**
 * The connection to Redis. A command is answered within its limit or fails with `unavailable`. While Redis is known to be down, commands
 * fail at once. When it is back, commands work again without a restart.
 */
export class RedisConnection {
  private answering = true;
  private closed = false;
  private corked: Redis['stream'] | null = null;
  private readonly listeners = new Set<(up: boolean) => void>();
  private wake: () => void = () => undefined;

  private constructor(
    private readonly client: Redis,
    private readonly setup: RedisSetup,
  ) {
    client.on('ready', () => this.wake());
    client.on('close', () => this.setAnswering(false));
    void this.watch();
  }

  /** Throws SettingsError, one line, where this Redis can't be used: unreachable, access denied, too old, a replica. */
  static async open(setup: RedisSetup): Promise<RedisConnection> {
    const client = makeClient(setup.url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false });
    try {
      await ready(client, setup.startWithinMs ?? START_WITHIN_MS);
      const refusal = unusable(await client.info());
      if (refusal) throw new SettingsError(`REDIS_URL: ${refusal}`);
      // Fails where the user may not write. The key has expired at once, so it is never seen.
      await client.eval("return redis.call('SET', KEYS[1], '', 'PXAT', 1)", 1, `${setup.prefix}:start`);
    } catch (error) {
      client.disconnect();
      if (error instanceof SettingsError) throw error;
      throw new SettingsError(`REDIS_URL: ${startProblem(setup.url, error)}`, { cause: error });
    }
    return new RedisConnection(client, setup);
  }

  /** Whether the last commands were answered in time. */
  get up(): boolean {
    return this.answering;
  }

  get prefix(): string {
    return this.setup.prefix;
  }

  key(...parts: string[]): string {
    return [this.setup.prefix, ...parts].join(':');
  }

  /** Throws ApiError `unavailable` where Redis is down or takes longer than the limit; the command may still be carried out then. */
  async run<T>(work: (redis: Redis) => Promise<T>, limitMs = this.setup.limitMs ?? LIMIT_MS): Promise<T> {
    if (!this.answering) throw unavailable();
    try {
      this.cork();
      return await within(limitMs, work(this.client));
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError' && !NOT_NOW.test(error.message)) throw error;
      if (error instanceof TooLate) this.setAnswering(false);
      throw unavailable(error);
    }
  }

  /** The listener hears whenever Redis goes down or comes back. */
  onChange(listener: (up: boolean) => void): void {
    this.listeners.add(listener);
  }

  /** A connection of its own without limits, for blocking commands; its owner closes it. */
  waiting(): Redis {
    return makeClient(this.setup.url, { maxRetriesPerRequest: null });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    this.client.disconnect();
  }

  /** Sends the commands of one turn of the event loop in one write: one for each took a tenth of the work of an event. */
  private cork(): void {
    const { stream } = this.client;
    if (this.corked === stream) return;
    this.corked = stream;
    stream.cork();
    setImmediate(() => {
      this.corked = null;
      stream.uncork();
    });
  }

  /** Pings now and then, and often while Redis is down, so that no request has to find out. */
  private async watch(): Promise<void> {
    let answered = Date.now();
    while (!this.closed) {
      try {
        await within(SILENT_MS, this.client.ping());
        answered = Date.now();
        this.setAnswering(true);
      } catch {
        this.setAnswering(false);
        if (!this.closed && Date.now() - answered > SILENT_MS) {
          answered = Date.now();
          this.client.disconnect(true);
        }
      }
      await this.pause(this.answering ? PING_EVERY_MS : PING_AGAIN_MS);
    }
  }

  private async pause(ms: number): Promise<void> {
    const early = new AbortController();
    this.wake = () => early.abort();
    await sleep(ms, undefined, { signal: early.signal, ref: false }).catch(() => undefined);
  }

  private setAnswering(up: boolean): void {
    if (this.answering === up || this.closed) return;
    this.answering = up;
    if (!up) this.wake();
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

function unavailable(cause?: unknown): ApiError {
  return new ApiError('unavailable', 'Redis does not answer', { retryAfter: 1, cause });
}
