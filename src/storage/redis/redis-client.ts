import type { Redis, RedisOptions } from 'ioredis';
import { TooLate, within } from '../../shared/async/within';

type Options = Pick<RedisOptions, 'enableOfflineQueue' | 'autoResendUnfulfilledCommands' | 'maxRetriesPerRequest'>;

/** The answer of a Redis that will not let us in later either. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|DB index))/;

/** Loaded only here: the embedded default starts without it. */
export function makeClient(url: string, options: Options): Redis {
  const { Redis: Client } = require('ioredis') as typeof import('ioredis');
  const client = new Client(url, {
    connectTimeout: 2000,
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 50, 500),
    // The primary became a replica: connect anew, to whoever is the primary now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...options,
  });
  // Without a listener every failed attempt is printed. The commands tell what went wrong.
  client.on('error', () => undefined);
  return client;
}

/** Resolves when it serves. Rejects with the reason where it refuses us, or did not come up within the time. */
export async function ready(client: Redis, withinMs: number): Promise<void> {
  let reason: unknown;
  const up = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    client.on('error', (error: Error) => {
      reason = error;
      if (REFUSED.test(error.message)) reject(error);
    });
  });
  try {
    await within(withinMs, up);
  } catch (error) {
    throw error instanceof TooLate ? (reason ?? error) : error;
  }
}

/** What is wrong at an address, for whoever starts the service. */
export function startProblem(url: string, error: unknown): string {
  const host = URL.canParse(url) ? new URL(url).host : 'the given address';
  const { code, message = String(error) } = error as { code?: string; message?: string };
  if (/^(WRONGPASS|NOAUTH|ERR AUTH|ERR invalid password)/.test(message)) {
    return `Redis at ${host} does not accept this user and password`;
  }
  if (message.startsWith('NOPERM')) return `Redis at ${host} lacks rights for this user: ${message}`;
  return `Redis at ${host} can't be reached: ${code ?? message}`;
}
