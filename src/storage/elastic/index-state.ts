import { type ElasticConnection, LONG_TIMEOUT } from './elastic-connection';

/** Changes with every write to an index or a family of indices: how many operations each has taken, as the server counts them. */
export async function stateOf(connection: ElasticConnection, index: string): Promise<string> {
  const { indices = {} } = await connection.call(
    (client, options) => client.indices.stats({ index, metric: 'indexing', level: 'shards' }, options),
    LONG_TIMEOUT,
  );
  const states = Object.entries(indices).map(([name, { shards = {} }]) => [
    name,
    ...Object.values(shards).map((copies) => Math.max(...copies.map(({ seq_no }) => seq_no?.max_seq_no ?? -1))),
  ]);
  return JSON.stringify(states.toSorted());
}
