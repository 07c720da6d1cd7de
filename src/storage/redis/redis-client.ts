import type { Redis, RedisOptions } from 'ioredis';
import type { RedisAccess } from '../../config/server-access';
import { TooLate, within } from '../../shared/async/within';

type Options = Pick<RedisOptions, 'enableOfflineQueue' | 'autoResendUnfulfilledCommands' | 'maxRetriesPerRequest'>;

type Address = Pick<
  RedisOptions,
  | 'host'
  | 'port'
  | 'db'
  | 'username'
  | 'password'
  | 'tls'
  | 'name'
  | 'sentinels'
  | 'sentinelPassword'
  | 'sentinelTLS'
  | 'enableTLSForSentinelMode'
  | 'failoverDetector'
>;

/** GETEX, SET with NX and GET, and what BullMQ recommends. */
const OLDEST = [6, 2] as const;
const DEFAULT_PORT = 6379;
/** The answer of a Redis that will not let us in later either. */
const REFUSED = /^(WRONGPASS|NOAUTH|NOPERM|ERR (AUTH|invalid password|DB index))/;

/** Loaded only here: the embedded default starts without it. */
export function makeClient(access: RedisAccess, options: Options): Redis {
  const { Redis: Client } = require('ioredis') as typeof import('ioredis');
  const client = new Client({
    ...addressOf(access),
    connectTimeout: 2000,
    disconnectTimeout: 200,
    retryStrategy: (times) => Math.min(times * 50, 500),
    // The primary became a replica: connect anew, to whoever is the primary now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    ...options,
  });
  // Without a listener every failed attempt is printed. The commands tell what went wrong.
  client.on('error', () => hearAll(client.stream));
  return client;
}

const unheard = (): void => undefined;

/**
 * A TLS socket may tell of a second error. ioredis listens to the first only, and an error that nobody hears ends the process. Sockets to
 * sentinels are of ioredis alone, and are not heard.
 */
function hearAll(socket: Redis['stream'] | undefined): void {
  if (socket && !socket.listeners('error').includes(unheard)) socket.on('error', unheard);
}

/** With sentinels they say where the primary is, now and whenever the connection ends; the URL says who we are there. */
function addressOf({ url, tls, sentinels }: RedisAccess): Address {
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  const secure = protocol === 'rediss:' ? { ...tls } : null;
  const ours: Address = {
    ...(secure ? { tls: secure } : {}),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    db: Number(pathname.slice(1)) || 0,
  };
  if (!sentinels) return { ...ours, host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || DEFAULT_PORT };
  return {
    ...ours,
    sentinels: sentinels.hosts,
    name: hostname,
    // A primary that hangs, or is cut off, closes no connection.
    failoverDetector: true,
    ...(sentinels.password ? { sentinelPassword: sentinels.password } : {}),
    ...(secure ? { enableTLSForSentinelMode: true, sentinelTLS: secure } : {}),
  };
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
export function startProblem({ url, sentinels }: RedisAccess, error: unknown): string {
  const { host: own, hostname } = new URL(url);
  const host = sentinels
    ? `${hostname} (of the sentinels ${sentinels.hosts.map((one) => `${one.host}:${one.port}`).join(', ')})`
    : own;
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
  if (fields.get('redis_mode') === 'cluster') {
    return 'this is a Redis Cluster, on whose nodes the keys that one script changes would lie apart: a single Redis is required, or a primary that sentinels watch (REDIS_SENTINELS)';
  }
  if (fields.get('role') === 'slave') return 'this Redis is a replica and takes no writes: the primary is required';
  // A profile whose recent events were evicted would look whole, and lack events.
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction' && Number(fields.get('maxmemory') ?? 0) > 0) {
    return `maxmemory-policy is ${policy}, which drops what is still needed: noeviction is required`;
  }
  return null;
}
