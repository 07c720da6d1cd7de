import type { Redis, RedisOptions } from 'ioredis';
import { TooLate, within } from '../../shared/async/within';

type Options = Pick<RedisOptions, 'enableOfflineQueue' | 'autoResendUnfulfilledCommands' | 'maxRetriesPerRequest'>;

/** GETEX, SET with NX and GET, and what BullMQ recommends. */
const OLDEST = [6, 2] as const;
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

/** Why a Redis can't be used, from what INFO says of it; null where it can. */
export function unusable(info: string): string | null {
  const fields = new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
    }),
  );
  const version = fields.get('redis_version') ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    return `Redis ${version} is too old: ${OLDEST.join('.')} or newer is required`;
  }
  if (fields.get('redis_mode') === 'cluster')
    return 'this is a Redis cluster: a single Redis (or a primary) is required';
  if (fields.get('role') === 'slave') return 'this Redis is a replica and takes no writes: the primary is required';
  // A profile whose recent events were evicted would look whole, and lack events.
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction' && Number(fields.get('maxmemory') ?? 0) > 0) {
    return `maxmemory-policy is ${policy}, which drops what is still needed: noeviction is required`;
  }
  return null;
}
