import { ApiError } from '../../shared/api-error';
import type { ElasticConnection } from './elastic-connection';
import { MONTH, OF_ONE_STORE } from './shared-indices';

interface Block {
  levels?: string[];
}

type Blocks = Record<string, Block>;

interface BlocksAnswer {
  blocks?: { global?: Blocks; indices?: Record<string, Blocks> };
}

/**
 * Fails where the cluster takes no writes that every store needs: a disk that is nearly full, an index that was made read-only or is
 * closed, or gone, or this month's that can't be made. Of months that are over nothing is asked, since hardly anything is written to them; `now`: epoch ms.
 */
export async function assertWritable(connection: ElasticConnection, now: number): Promise<void> {
  await connection.shared.assertThere(`${connection.index('*')},-${connection.index(OF_ONE_STORE)}*`);
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
  // Also where no request asks for it: a replica that is taken out of service for this would never find out that it is over.
  await connection.ensureMonth(now);
}
