import { readFileSync } from 'node:fs';
import { SettingsError } from './settings-error';

/** PEM texts: whose certificates are believed beside the system's, and the certificate with its key that we show. */
export interface TlsAccess {
  ca?: string;
  cert?: string;
  key?: string;
}

/** How Elasticsearch is reached. */
export interface ElasticAccess {
  /** One address, or several of one cluster separated by commas; user and password may be in it. */
  url: string;
  /** Instead of user and password: encoded, as Elasticsearch gives it out. */
  apiKey?: string;
  tls?: TlsAccess;
}

/** How Redis is reached. */
export interface RedisAccess {
  /** With `sentinels` its host is the name of the primary. */
  url: string;
  tls?: TlsAccess;
  /** Who knows where the primary is. */
  sentinels?: { hosts: { host: string; port: number }[]; password?: string };
}

/** The settings of both, as given. */
export interface ServerSettings {
  ELASTICSEARCH_URL?: string | undefined;
  ELASTICSEARCH_CLOUD_ID?: string | undefined;
  ELASTICSEARCH_API_KEY?: string | undefined;
  ELASTICSEARCH_CA_FILE?: string | undefined;
  ELASTICSEARCH_CERT_FILE?: string | undefined;
  ELASTICSEARCH_KEY_FILE?: string | undefined;
  REDIS_URL?: string | undefined;
  REDIS_CA_FILE?: string | undefined;
  REDIS_CERT_FILE?: string | undefined;
  REDIS_KEY_FILE?: string | undefined;
  REDIS_SENTINELS?: { host: string; port: number }[] | undefined;
  REDIS_SENTINEL_PASSWORD?: string | undefined;
}

/** Null where no address is given. Throws SettingsError where two settings contradict each other. */
export function elasticAccess(settings: ServerSettings): ElasticAccess | null {
  const { ELASTICSEARCH_URL, ELASTICSEARCH_CLOUD_ID, ELASTICSEARCH_API_KEY } = settings;
  if (ELASTICSEARCH_URL && ELASTICSEARCH_CLOUD_ID) {
    throw new SettingsError(
      'ELASTICSEARCH_URL and ELASTICSEARCH_CLOUD_ID are both set: each says where the cluster is',
    );
  }
  const url = ELASTICSEARCH_URL ?? (ELASTICSEARCH_CLOUD_ID && cloudAddress(ELASTICSEARCH_CLOUD_ID));
  const tls = tlsAccess('ELASTICSEARCH', settings);
  if (!url) {
    refuseAlone('ELASTICSEARCH', settings, 'ELASTICSEARCH_URL or ELASTICSEARCH_CLOUD_ID');
    return null;
  }
  if (ELASTICSEARCH_API_KEY && /\/\/[^/]*@/.test(url)) {
    throw new SettingsError('ELASTICSEARCH_API_KEY is set, and ELASTICSEARCH_URL has a user: one of them is enough');
  }
  if (tls && !url.startsWith('https:'))
    throw new SettingsError(`ELASTICSEARCH_URL takes https where ${ofTls(tls)} is given`);
  return { url, ...(ELASTICSEARCH_API_KEY ? { apiKey: ELASTICSEARCH_API_KEY } : {}), ...(tls ? { tls } : {}) };
}

/** The same for Redis. */
export function redisAccess(settings: ServerSettings): RedisAccess | null {
  const { REDIS_URL: url, REDIS_SENTINELS: hosts, REDIS_SENTINEL_PASSWORD: password } = settings;
  const tls = tlsAccess('REDIS', settings);
  if (!url) {
    refuseAlone('REDIS', settings, 'REDIS_URL');
    return null;
  }
  if (password && !hosts) throw new SettingsError('REDIS_SENTINEL_PASSWORD is set, and REDIS_SENTINELS is missing');
  if (tls && !url.startsWith('rediss:')) throw new SettingsError(`REDIS_URL takes rediss where ${ofTls(tls)} is given`);
  const sentinels = hosts && { hosts, ...(password ? { password } : {}) };
  return { url, ...(tls ? { tls } : {}), ...(sentinels ? { sentinels } : {}) };
}

const ofTls = ({ ca }: TlsAccess): string => (ca === undefined ? 'a client certificate' : 'a CA');

/** What says how, without an address. */
function refuseAlone(server: 'ELASTICSEARCH' | 'REDIS', settings: ServerSettings, address: string): void {
  const alone = Object.entries(settings).find(([name, value]) => name.startsWith(`${server}_`) && value !== undefined);
  if (alone) throw new SettingsError(`${alone[0]} is set, and ${address} is missing`);
}

function tlsAccess(server: 'ELASTICSEARCH' | 'REDIS', settings: ServerSettings): TlsAccess | null {
  const [ca, cert, key] = (['CA', 'CERT', 'KEY'] as const).map((part) => {
    const name = `${server}_${part}_FILE` as const;
    const path = settings[name];
    return path === undefined ? undefined : readPem(name, path);
  });
  if ((cert === undefined) !== (key === undefined)) {
    throw new SettingsError(
      `${server}_CERT_FILE and ${server}_KEY_FILE go together: a client certificate is shown with its key`,
    );
  }
  const access = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  };
  return Object.keys(access).length > 0 ? access : null;
}

function readPem(name: string, path: string): string {
  const text = readTextFile(name, path);
  if (!text.includes('-----BEGIN ')) throw new SettingsError(`${name} ${path} is not accepted: it takes a file in PEM`);
  return text;
}

/** Throws SettingsError that names the setting. */
export function readTextFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw new SettingsError(`${name} ${path} can't be read: ${why}`, { cause });
  }
}

/** `name:base64 of host$elasticsearch$kibana`, as the cloud console shows it; a port may stand behind host or id. Null where it is none. */
export function cloudAddress(id: string): string | null {
  const [host = '', elasticsearch = ''] = Buffer.from(id.slice(id.indexOf(':') + 1), 'base64')
    .toString('utf8')
    .split('$');
  const [domain = '', sharedPort] = host.split(':');
  const [node = '', ownPort] = elasticsearch.split(':');
  const port = ownPort ?? sharedPort ?? '443';
  const isName = (text: string): boolean => /^[\w.-]+$/.test(text);
  return isName(domain) && isName(node) && /^\d{1,5}$/.test(port) ? `https://${node}.${domain}:${port}` : null;
}
