import type { Client, ClientOptions } from '@elastic/elasticsearch';
import type { ElasticAccess } from '../../config/server-access';
import { SettingsError } from '../../config/settings';
import { retry } from '../../shared/async/retry';
import type { NodeHealth } from './node-health';
import { type NodesTransport, singleTransport } from './single-transport';

export type Distribution = 'elasticsearch' | 'opensearch';

const LONGEST_TIMEOUT = 600_000;
const ASK_AGAIN_MS = 100;
const LONGEST_ASKED_MS = 2000;
const OLDEST = { elasticsearch: 9, opensearch: 3 };
/** Overload, a cluster without a leader, an index whose shard is just moving. */
const PASSING = new Set([429, 502, 503, 504]);
const NO_ANSWER = new Set(['TimeoutError', 'ConnectionError', 'NoLivingConnectionsError', 'RequestAbortedError']);

/** Whether the same request may work in a moment. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return NO_ANSWER.has(error.name) || PASSING.has(statusOf(error) ?? 0);
}

/** Loaded only here: the embedded default starts without it. */
export function makeClient({ url, apiKey, tls }: ElasticAccess, distribution: Distribution): Client {
  const vendor = require('@elastic/elasticsearch') as typeof import('@elastic/elasticsearch');
  const nodes = url.split(',').map((node) => node.trim());
  // Every request is limited by a signal of its own, which is punctual; the client's timers are coarse.
  const options: ClientOptions = {
    nodes,
    ...(apiKey ? { auth: { apiKey } } : {}),
    ...(tls ? { tls } : {}),
    requestTimeout: LONGEST_TIMEOUT,
    // Replies hold what stores sent as text, so no key of theirs becomes a key of a reply. A search for such keys in each would be wasted.
    disablePrototypePoisoningProtection: true,
    Transport: singleTransport(vendor, { plain: distribution === 'opensearch' }),
  };
  return new vendor.Client(options);
}

export function healthOf(client: Client): NodeHealth {
  return (client.transport as unknown as NodesTransport).health;
}

/** Asks what answers at the address. Throws SettingsError, one line, where it can't be worked with. */
export async function recognise(
  client: Client,
  { url, startWithinMs }: { url: string; startWithinMs: number },
): Promise<Distribution> {
  const address = withoutPassword(url);
  let answer: unknown;
  try {
    answer = await firstAnswer(client, startWithinMs);
  } catch (cause) {
    throw new SettingsError(`ELASTICSEARCH_URL ${address}: ${startProblem(cause)}`, { cause });
  }
  const { version } = (answer ?? {}) as { version?: { number?: string; distribution?: string } };
  const distribution = version?.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch';
  const major = Number(version?.number?.split('.')[0] ?? Number.NaN);
  if (major >= OLDEST[distribution]) return distribution;
  const found = version?.number ? `${distribution} ${version.number}` : 'something else';
  throw new SettingsError(
    `ELASTICSEARCH_URL ${address} is ${found}: vitrine needs Elasticsearch ${OLDEST.elasticsearch} or OpenSearch ${OLDEST.opensearch}, or newer`,
  );
}

function firstAnswer(client: Client, withinMs: number): Promise<unknown> {
  const until = performance.now() + withinMs;
  const ask = (): Promise<unknown> => {
    const left = Math.max(ASK_AGAIN_MS, Math.round(until - performance.now()));
    // Not all of the time for one node: the next attempt asks another.
    return client.info({}, { signal: AbortSignal.timeout(Math.min(left, LONGEST_ASKED_MS)) });
  };
  return retry(ask, { forMs: withinMs, pauseMs: ASK_AGAIN_MS, steady: true, again: isPassing });
}

function startProblem(error: unknown): string {
  const status = statusOf(error);
  if (status === 401) {
    return 'the API key, or the user or the password, is wrong or missing (ELASTICSEARCH_API_KEY, or https://user:password@host:9200)';
  }
  if (status === 403) return 'the user has no right to ask for the version';
  if (status) return `it answered ${status}`;
  return `it does not answer (${error instanceof Error ? error.message : String(error)})`;
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/g, '//');
}

export function statusOf(error: unknown): number | undefined {
  return (error as { statusCode?: number }).statusCode;
}
