import { randomBytes } from 'node:crypto';
import { ElasticConnection, type ElasticOptions, LONG_TIMEOUT } from '../../src/storage/elastic/elastic-connection';

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
  for (const name of Object.keys(found)) {
    const request = { index: name };
    // What is deleted a while after it was replaced may go at this moment.
    const settings = { ignore: [404] };
    await connection.call(
      (client, options) => client.indices.delete(request, { ...options, ...settings }),
      LONG_TIMEOUT,
    );
  }
}
