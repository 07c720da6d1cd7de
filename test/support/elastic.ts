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

/** They stand in its address. */
const NAMES_IN_A_REQUEST = 50;

/** Removes what a test has made. */
export async function dropIndices(connection: ElasticConnection): Promise<void> {
  const all = { index: connection.index('*'), expand_wildcards: 'all' as const };
  for (;;) {
    const found = await connection.call((client, options) => client.indices.get(all, options), LONG_TIMEOUT);
    const names = Object.keys(found);
    if (names.length === 0) return;
    for (let from = 0; from < names.length; from += NAMES_IN_A_REQUEST) {
      const index = names.slice(from, from + NAMES_IN_A_REQUEST);
      // What is deleted a while after it was replaced may go at this moment; the rest of these is found again.
      const settings = { ignore: [404] };
      await connection.call(
        (client, options) => client.indices.delete({ index }, { ...options, ...settings }),
        LONG_TIMEOUT,
      );
    }
  }
}
