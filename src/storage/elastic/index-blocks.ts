import { ApiError } from '../../shared/api-error';
import type { ElasticConnection } from './elastic-connection';

interface Block {
  levels?: string[];
}

type Blocks = Record<string, Block>;

interface BlocksAnswer {
  blocks?: { global?: Blocks; indices?: Record<string, Blocks> };
}

/** Begins the names of indices that one store alone needs. */
export const OF_ONE_STORE = 'products-';
/** Of the indices of months, which are named so. */
const MONTH = /-\d{4}-\d{2}$/;

/**
 * Fails where the cluster takes no writes that every store needs: a disk that is nearly full, an index that was made read-only or is
 * closed. Of months that are over nothing is asked, since hardly anything is written to them; `now`: epoch ms.
 */
export async function assertWritable(connection: ElasticConnection, now: number): Promise<void> {
  const path = `/_cluster/state/blocks/${connection.index('*')}`;
  const querystring = { expand_wildcards: 'all', ignore_unavailable: true };
  const { blocks = {} } = await connection.call((client, options) =>
    client.transport.request<BlocksAnswer>({ method: 'GET', path, querystring }, options),
  );
  const thisMonth = new Date(now).toISOString().slice(0, 7);
  const concernsAll = (index: string): boolean =>
    !index.startsWith(connection.index(OF_ONE_STORE)) && (!MONTH.test(index) || index.endsWith(thisMonth));
  const refused = [
    ...Object.values(blocks.global ?? {}),
    ...Object.entries(blocks.indices ?? {}).flatMap(([index, own]) => (concernsAll(index) ? Object.values(own) : [])),
  ];
  if (refused.some(({ levels = [] }) => levels.includes('write'))) {
    throw new ApiError('unavailable', 'The storage takes no writes', { retryAfter: 1 });
  }
}
