import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Redis, RedisOptions } from 'ioredis';
import { SettingsError } from '../../config/settings';
import { ApiError } from '../../shared/api-error';
import { unusable } from './redis-refusals';

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
const LOOK_EVERY_MS = 1000;
const LOOK_AGAIN_MS = 50;
/** A connection that is silent for so long is given up for a new one: what it led to may be gone. */
const SILENT_MS = 3000;
/** A Redis that can't serve right now, as it says itself. */
const NOT_NOW = /^(LOADING|OOM|MISCONF|READONLY|MASTERDOWN|NOREPLICAS|BUSY|TRYAGAIN|CLUSTERDOWN) /;

/**
 * Redis for everything that must not wait for it: a command is answered within its limit or fails with `unavailable`, and as long as
 * Redis is known to be down commands fail at once. It comes back by itself.
 */
export class RedisConnection {
  private answering = true;
  private closed = false;
  private gathering: Redis['stream'] | null = null;
  private readonly listeners = new Set<(up: boolean) => void>();
  private wake: () => void = () => undefined;

  private constructor(
    private readonly client: Redis,
    private readonly setup: RedisSetup,
  ) {
    client.on('ready', () => this.wake());
    client.on('close', () => this.turn(false));
    void this.watch();
  }

  /** Throws SettingsError with one line where this Redis can't be used: not there, not let in, too old, a replica. */
  static async open(setup: RedisSetup): Promise<RedisConnection> {
    const client = connect(setup.url, { enableOfflineQueue: false, autoResendUnfulfilledCommands: false });
    try {
      await ready(client, setup.startWithinMs ?? START_WITHIN_MS);
      const refusal = unusable(await client.info());
      if (refusal) throw new SettingsError(`REDIS_URL: ${refusal}`);
      // What a user without rights may not do.
      await client.eval("return redis.call('SET', KEYS[1], '', 'PX', 1)", 1, `${setup.prefix}:start`);
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

  /** Throws ApiError `unavailable` where Redis is down or takes longer than the limit; what was sent may still be carried out then. */
  async run<T>(work: (redis: Redis) => Promise<T>, limitMs = this.setup.limitMs ?? LIMIT_MS): Promise<T> {
    if (!this.answering) throw unavailable(undefined);
    try {
      this.gather();
      return await within(limitMs, work(this.client));
    } catch (error) {
      if (error instanceof Error && error.name === 'ReplyError' && !NOT_NOW.test(error.message)) throw error;
      if (error instanceof TooLate) this.turn(false);
      throw unavailable(error);
    }
  }

  /** Told whenever it goes down or comes back. */
  onChange(listener: (up: boolean) => void): void {
    this.listeners.add(listener);
  }

  /** A connection of one's own that waits as long as it takes, for blocking commands; its owner closes it. */
  waiting(): Redis {
    return connect(this.setup.url, { maxRetriesPerRequest: null });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    this.client.disconnect();
  }

  /** What is sent in the same turn of the event loop goes in one write: each by itself took a tenth of the work of an event. */
  private gather(): void {
    const { stream } = this.client;
    if (this.gathering === stream) return;
    this.gathering = stream;
    stream.cork();
    setImmediate(() => {
      this.gathering = null;
      stream.uncork();
    });
  }

  /** Asks now and then, and while it is down often, so that nobody's request has to find out. */
  private async watch(): Promise<void> {
    let answered = Date.now();
    while (!this.closed) {
      try {
        await within(SILENT_MS, this.client.ping());
        answered = Date.now();
        this.turn(true);
      } catch {
        this.turn(false);
        if (!this.closed && Date.now() - answered > SILENT_MS) {
          answered = Date.now();
          this.client.disconnect(true);
        }
      }
      await this.pause(this.answering ? LOOK_EVERY_MS : LOOK_AGAIN_MS);
    }
  }

  private async pause(ms: number): Promise<void> {
    const early = new AbortController();
    this.wake = () => early.abort();
    await wait(ms, undefined, { signal: early.signal, ref: false }).catch(() => undefined);
  }

  private turn(up: boolean): void {
    if (this.answering === up || this.closed) return;
    this.answering = up;
    if (!up) this.wake();
    for (const listener of this.listeners) listener(up);
  }
}

/** Runs as one step of Redis. Sent once, then called by its digest. */
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

class TooLate extends Error {
  override readonly name = 'TooLate';
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('unavailable', 'Redis does not answer', { retryAfter: 1, cause });
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    // Where this process itself was held up, the answer may be there and not yet read: the poll before `setImmediate` does that.
    timer = setTimeout(() => setImmediate(() => reject(new TooLate(`No answer within ${ms} ms`))), ms);
  });
  // Whoever gave up waiting does not hear of a failure that comes later.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Manners = Pick<RedisOptions, 'enableOfflineQueue' | 'autoResendUnfulfilledCommands' | 'maxRetriesPerRequest'>;

function connect(url: string, manners: Manners): Redis {
  const { Redis: Client } = require('ioredis') as typeof import('ioredis');
  const client = new Client(url, {
    connectTimeout: 2000,
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 50, 500),
    // The primary became a replica: connect anew, to whoever is the primary now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...manners,
  });
  // Without a listener every failed attempt is printed; what goes wrong is told by the commands.
  client.on('error', () => undefined);
  return client;
}

/** Resolves when it serves; rejects with the reason where it refuses us, or did not come up for a while. */
async function ready(client: Redis, withinMs: number): Promise<void> {
  let reason: unknown;
  const refused = new Promise<never>((_resolve, reject) => {
    client.on('error', (error: Error) => {
      reason = error;
      if (/^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|DB index))/.test(error.message)) reject(error);
    });
  });
  refused.catch(() => undefined);
  const up = new Promise<void>((resolve) => {
    client.once('ready', resolve);
  });
  try {
    await within(withinMs, Promise.race([up, refused]));
  } catch (error) {
    throw error instanceof TooLate ? (reason ?? error) : error;
  }
}

function startProblem(url: string, error: unknown): string {
  const place = URL.canParse(url) ? new URL(url).host : 'the given address';
  const { code, message = String(error) } = error as { code?: string; message?: string };
  if (/^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/.test(message)) {
    return `Redis at ${place} does not accept this user and password`;
  }
  if (message.startsWith('NOPERM')) return `Redis at ${place} lacks rights for this user: ${message}`;
  return `Redis at ${place} can't be reached: ${code ?? message}`;
}
