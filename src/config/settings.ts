import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type Environment, givenSettings, mistypedSettings } from './given-settings';
import { cloudAddress, type ElasticAccess, elasticAccess, type RedisAccess, redisAccess } from './server-access';
import { SettingsError } from './settings-error';
import { headersIn, tracingOf, type TracingSettings } from './tracing-settings';

export { type Environment } from './given-settings';
export { SettingsError } from './settings-error';

/** Addresses used in links handed out: absolute, without a slash at the end. */
type PublicUrls = Record<'public' | 'events' | 'search' | 'searchAlt' | 'inspect' | 'ads', string>;

/** The service's settings, read once at the start. Also the injection token for them. */
export abstract class Settings {
  abstract readonly port: number;
  /** Where a worker answers health and metrics; null: nowhere, so that many workers fit on one machine. */
  abstract readonly workerPort: number | null;
  abstract readonly host: string;
  /** Absolute. */
  abstract readonly dataDir: string;
  /** Production: there are servers. */
  abstract readonly storage: 'embedded' | 'production';
  abstract readonly servers: { elasticsearch: ElasticAccess; redis: RedisAccess } | null;
  /** Begins the name of every index and key, so that installations can share servers. */
  abstract readonly indexPrefix: string;
  abstract readonly urls: PublicUrls;
  /** As given; `loadSecrets` makes what is missing. The first signs, all verify. */
  abstract readonly adminSecrets: readonly string[] | null;
  abstract readonly linkSecrets: readonly string[] | null;
  /** Of production: `web` leaves jobs to workers, a `worker` answers no requests. The embedded service is always both. */
  abstract readonly role: 'all' | 'web' | 'worker';
  /** Number of proxies in front, or the addresses and CIDRs whose `X-Forwarded-For` is believed. */
  abstract readonly trustProxy: number | readonly string[] | null;
  /** Whether a service without any store gets the demo store. */
  abstract readonly demo: boolean;
  /** Milliseconds between being asked to end and taking no more connections. */
  abstract readonly drainMs: number;
  /** Memory for the hits of queries that are asked again; 0: none are kept. */
  abstract readonly keptSearchesBytes: number;
  abstract readonly logLevel: LogLevel;
  /** Null: nothing is traced, and nothing of that is loaded. */
  abstract readonly tracing: TracingSettings | null;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const DEFAULT_PORT = 3000;
const LONE_WORKER =
  'ELASTICSEARCH_URL and REDIS_URL are missing: a worker shares them with the service, and the embedded service does its jobs itself';

const PROXY_WORDS = new Set(['loopback', 'linklocal', 'uniquelocal']);

const isProxyEntry = (entry: string): boolean => PROXY_WORDS.has(entry) || isAddressRange(entry);

/** An address, or a CIDR. */
export function isAddressRange(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const words = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const hasProtocol = (url: string, protocol: RegExp): boolean =>
  URL.canParse(url) && protocol.test(new URL(url).protocol) && new URL(url).hostname !== '';

/** `takes`: what is accepted, for the message. */
const text = (isValid: (value: string) => boolean, takes: string): z.ZodString => z.string().refine(isValid, takes);

const address = text((value) => {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
}, 'an absolute http or https URL without query, such as https://search.store.example')
  .transform((value) => value.replace(/\/+$/, ''))
  .optional();

const secrets = z
  .string()
  .transform(words)
  .refine(
    (list) => list.length >= 1 && list.length <= 2 && list.every((secret) => secret.length >= 32),
    'one or two secrets of at least 32 characters each, separated by a comma',
  )
  .optional();

const oneOf = <const T extends readonly [string, ...string[]]>(values: T): z.ZodEnum<{ [K in T[number]]: K }> =>
  z.enum(values, { error: `one of ${values.join(', ')}` });

const file = text((path) => !path.includes('\0'), 'the path of a file').optional();

const environment = z.object({
  PORT: text((port) => /^\d{1,5}$/.test(port) && Number(port) <= 65_535, 'a port number from 0 to 65535')
    .transform(Number)
    .optional(),
  HOST: text((host) => /^[\w.:-]+$/.test(host), 'a host name or an IP address to listen on').default('127.0.0.1'),
  DATA_DIR: text((path) => !path.includes('\0'), 'the path of a folder').default('./data'),
  ELASTICSEARCH_URL: text(
    (urls) => words(urls).length > 0 && words(urls).every((url) => hasProtocol(url, /^https?:$/)),
    'http or https URLs of one cluster separated by commas, such as https://user:password@host:9200',
  ).optional(),
  ELASTICSEARCH_CLOUD_ID: text(
    (id) => cloudAddress(id) !== null,
    'a cloud id, such as shop:ZXhhbXBsZS5jb20kYWJj',
  ).optional(),
  ELASTICSEARCH_API_KEY: text(
    (key) => /^[\w+/=-]{16,}$/.test(key),
    'an API key as Elasticsearch gives it out ("encoded"), in base64',
  ).optional(),
  ELASTICSEARCH_CA_FILE: file,
  ELASTICSEARCH_CERT_FILE: file,
  ELASTICSEARCH_KEY_FILE: file,
  REDIS_URL: text(
    (url) => hasProtocol(url, /^rediss?:$/),
    'a redis or rediss URL, such as redis://user:password@host:6379/0',
  ).optional(),
  REDIS_CA_FILE: file,
  REDIS_CERT_FILE: file,
  REDIS_KEY_FILE: file,
  REDIS_SENTINELS: text(
    (list) => words(list).length > 0 && words(list).every((entry) => /^[\w.-]+:\d{1,5}$/.test(entry)),
    'hosts with ports separated by commas, such as sentinel-1:26379,sentinel-2:26379',
  )
    .transform((list) =>
      words(list).map((entry) => {
        const [host = '', port] = entry.split(':');
        return { host, port: Number(port) };
      }),
    )
    .optional(),
  REDIS_SENTINEL_PASSWORD: z.string().optional(),
  INDEX_PREFIX: text(
    (prefix) => /^[a-z][a-z0-9-]{0,31}$/.test(prefix),
    'a name of up to 32 lower-case letters, digits and hyphens that begins with a letter',
  ).default('vitrine'),
  PUBLIC_URL: address,
  EVENTS_URL: address,
  SEARCH_URL: address,
  SEARCH_ALT_URL: address,
  INSPECT_URL: address,
  ADS_URL: address,
  ADMIN_SECRET: secrets,
  LINK_SECRET: secrets,
  ROLE: oneOf(['all', 'web', 'worker']).default('all'),
  TRUST_PROXY: z
    .string()
    .transform(words)
    .refine(
      (list) => (list.length === 1 && /^\d{1,2}$/.test(list[0] ?? '')) || (list.length > 0 && list.every(isProxyEntry)),
      'the number of proxies in front, or their addresses and CIDRs separated by commas',
    )
    .transform((list) => (/^\d+$/.test(list[0] ?? '') ? Number(list[0]) : list))
    .optional(),
  DEMO: oneOf(['on', 'off']).optional(),
  DRAIN_SECONDS: text(
    (seconds) => /^\d{1,3}$/.test(seconds) && Number(seconds) <= 300,
    'whole seconds from 0 to 300 in which a process that is asked to end still serves',
  )
    .transform(Number)
    .default(0),
  KEPT_SEARCHES_MB: text(
    (size) => /^\d{1,5}$/.test(size),
    'whole megabytes for the hits of queries that are asked again, from 0 (none are kept) to 99999',
  )
    .transform(Number)
    .default(96),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_HEADERS: text(
    (list) => headersIn(list) !== null,
    'headers as name=value separated by commas, values percent-encoded',
  )
    .transform((list) => headersIn(list) ?? {})
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('vitrine'),
  OTEL_TRACES_SAMPLER_ARG: text(
    (share) => /^(0|1|0?\.\d+|1\.0+)$/.test(share),
    'the share of requests that is traced, from 0 to 1',
  )
    .transform(Number)
    .default(1),
});

type Values = z.infer<typeof environment>;

/** Not repeated in messages: a secret that is too short is still a secret, and so is the password in a mistyped address. */
const SECRETS = new Set([
  'ADMIN_SECRET',
  'LINK_SECRET',
  'ELASTICSEARCH_URL',
  'ELASTICSEARCH_API_KEY',
  'REDIS_URL',
  'REDIS_SENTINEL_PASSWORD',
  'OTEL_EXPORTER_OTLP_HEADERS',
]);

function readEnvironment(env: Environment): Values {
  const given = givenSettings(env, SECRETS);
  const result = environment.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path: [name = ''], message }) => {
    const found = SECRETS.has(String(name)) ? 'is not accepted' : `is "${given[String(name)]}"`;
    return `${String(name)} ${found}: it takes ${message}`;
  });
  throw new SettingsError(problems.join('; '));
}

/** Elasticsearch and Redis are set together, and with them secrets that all replicas share. */
function serversOf(values: Values): Settings['servers'] {
  const [elasticsearch, redis] = [elasticAccess(values), redisAccess(values)];
  if (!elasticsearch && !redis) return null;
  const pair = (missing: string, set: string): string =>
    `${missing} is missing: ${set} is set, and the two go together. Set both, or neither for the embedded engine`;
  if (!redis) throw new SettingsError(pair('REDIS_URL', 'ELASTICSEARCH_URL'));
  if (!elasticsearch) throw new SettingsError(pair('ELASTICSEARCH_URL', 'REDIS_URL'));
  const { ADMIN_SECRET, LINK_SECRET } = values;
  const missing = Object.entries({ ADMIN_SECRET, LINK_SECRET }).flatMap(([name, value]) => (value ? [] : [name]));
  if (missing.length === 0) return { elasticsearch, redis };
  throw new SettingsError(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing: with Elasticsearch and Redis, all replicas are given the same ones, of at least 32 characters`,
  );
}

function ownAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Reads the environment. Throws SettingsError naming every wrong or missing setting and what is accepted. */
export function loadSettings(env: Environment = process.env): Settings {
  const values = readEnvironment(env);
  const servers = serversOf(values);
  if (values.ROLE === 'worker' && !servers) throw new SettingsError(LONE_WORKER);
  const port = values.PORT ?? DEFAULT_PORT;
  const own = values.PUBLIC_URL ?? ownAddress(values.HOST, port);
  return {
    port,
    workerPort: values.PORT ?? null,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    storage: servers ? 'production' : 'embedded',
    servers,
    indexPrefix: values.INDEX_PREFIX,
    urls: {
      public: own,
      events: values.EVENTS_URL ?? own,
      search: values.SEARCH_URL ?? own,
      searchAlt: values.SEARCH_ALT_URL ?? own,
      inspect: values.INSPECT_URL ?? own,
      ads: values.ADS_URL ?? own,
    },
    adminSecrets: values.ADMIN_SECRET ?? null,
    linkSecrets: values.LINK_SECRET ?? null,
    role: values.ROLE,
    trustProxy: values.TRUST_PROXY ?? null,
    // An installation for production has stores of its own.
    demo: (values.DEMO ?? (servers ? 'off' : 'on')) === 'on',
    drainMs: values.DRAIN_SECONDS * 1000,
    keptSearchesBytes: values.KEPT_SEARCHES_MB * 1_000_000,
    logLevel: values.LOG_LEVEL,
    tracing: tracingOf(values),
  };
}

/** Names of all that may be set, without those of files that hold secrets. */
export const settingNames: readonly string[] = Object.keys(environment.shape);

/** Read by the command line beside these. */
const OF_THE_CLIENT = ['VITRINE_URL', 'VITRINE_TOKEN'];

/** Lines for the log about variables that look like settings, and are none. */
export const mistypedIn = (env: Environment): string[] =>
  mistypedSettings(env, { known: [...settingNames, ...OF_THE_CLIENT], secrets: SECRETS });

/** The only place that reads `process.env`. */
export const processEnvironment = (): Environment => process.env;

/** What the command line adds: where the running service is, and a token for it. */
export function loadClientSettings(env: Environment = process.env): { url?: string; token?: string } {
  return {
    ...(env['VITRINE_URL'] ? { url: env['VITRINE_URL'].replace(/\/+$/, '') } : {}),
    ...(env['VITRINE_TOKEN'] ? { token: env['VITRINE_TOKEN'] } : {}),
  };
}
