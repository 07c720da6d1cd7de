import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import { refusalOf } from '../../../../storage/elastic/elastic-error';

/** Of the shards that a cluster may have, kept for indices that every store needs, such as those of the next month. */
const RESERVED = 0.1;

interface Health {
  number_of_data_nodes?: number;
  active_shards?: number;
  initializing_shards?: number;
  unassigned_shards?: number;
}

type ClusterSettings = Partial<
  Record<'persistent' | 'transient' | 'defaults', { cluster?: { max_shards_per_node?: string } }>
>;

/** Whether the cluster takes another index of a store without endangering those that all stores need. */
export async function hasRoom(connection: ElasticConnection): Promise<boolean> {
  try {
    return await isRoomLeft(connection);
  } catch (error) {
    // Who may not ask is told by the cluster itself when there is none.
    if (refusalOf(error)?.refusal === 'no_rights') return true;
    throw error;
  }
}

async function isRoomLeft(connection: ElasticConnection): Promise<boolean> {
  const ask = <T>(path: string, querystring: object): Promise<T> =>
    connection.call((client, options) =>
      client.transport.request<T>({ method: 'GET', path, querystring: querystring as Record<string, string> }, options),
    );
  const [health, { transient, persistent, defaults }] = await Promise.all([
    ask<Health>('/_cluster/health', {
      filter_path: 'number_of_data_nodes,active_shards,initializing_shards,unassigned_shards',
    }),
    ask<ClusterSettings>('/_cluster/settings', {
      include_defaults: 'true',
      filter_path: '*.cluster.max_shards_per_node',
    }),
  ]);
  const limits = [transient, persistent, defaults].flatMap((part) => part?.cluster?.max_shards_per_node ?? []);
  const { number_of_data_nodes: nodes = 1, ...shards } = health;
  const used = Object.values(shards).reduce((sum, count) => sum + count, 0);
  return used < Number(limits[0] ?? 1000) * nodes * (1 - RESERVED);
}
