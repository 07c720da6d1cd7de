import { randomBytes } from 'node:crypto';
import { ElasticConnection, type ElasticOptions, LONG_TIMEOUT } from '../../src/storage/elastic';

/**
 * A connection with a prefix of its own, on a server that others use too; patient, because a test server that was just
 * started on a busy machine is slow.
 */
export function openElastic(url: string, options: Partial<ElasticOptions> = {}): Promise<ElasticConnection> {
  const prefix = `t${randomBytes(6).toString('hex')}`;
  return ElasticConnection.open({ url, prefix, timeoutMs: LONG_TIMEOUT, ...options });
}

/** Removes what a test has made. */
export async function dropIndices(connection: ElasticConnection): Promise<void> {
  const index = connection.index('*');
  const all = { index, expand_wildcards: 'all' as const };
  const found = await connection.call((client, options) => client.indices.get(all, options), LONG_TIMEOUT);
  const names = Object.keys(found);
  if (names.length === 0) return;
  await connection.call((client, options) => client.indices.delete({ index: names }, options), LONG_TIMEOUT);
}
