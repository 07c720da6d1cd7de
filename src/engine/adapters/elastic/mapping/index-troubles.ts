import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { ElasticError } from '../../../../storage/elastic/elastic-error';
import { OF_ONE_STORE } from '../../../../storage/elastic/shared-indices';
import type { RefusalKind } from '../../../../storage/elastic/refusals';
import { IndexHealth } from '../../../index-health';
import type { IndexMemory } from './index-memory';
import { FOUND_FIELDS, type FoundIndex, toFoundIndices } from './store-indices';

/** Milliseconds: the question is about every store, and is asked by none that waits. */
const PATIENCE = 2000;
const CLOSED = '4';
const DISK_FULL = '12';

type BlocksAnswer = { blocks?: { indices?: Record<string, Record<string, { levels?: string[] }>> } };

interface Trouble {
  kind: RefusalKind;
  /** Full name. */
  index: string;
}

/** The indices of stores as the cluster tells of them, all at once. What has become wrong is counted and told with what is refused. */
export class IndexTroubles extends IndexHealth {
  private known: ReadonlyMap<string, Trouble> = new Map();

  constructor(
    private readonly connection: ElasticConnection,
    private readonly memory: IndexMemory,
  ) {
    super();
  }

  override async troubles(): Promise<Map<string, string>> {
    const found = await this.find();
    for (const [store, { kind, index }] of found) {
      if (this.known.get(store)?.kind !== kind) this.connection.refusals.note(kind, `The index ${index}`);
    }
    this.known = found;
    return new Map(Array.from(found, ([store, { kind }]) => [store, kind]));
  }

  /** Throws where somebody else's index was last seen in the stead of this store's: what is in it is nobody's to show. */
  assertOurs(store: string): void {
    const trouble = this.known.get(store);
    if (trouble?.kind !== 'alien_index') return;
    throw unavailable(new ElasticError(`The index ${trouble.index}`, undefined, undefined, trouble.kind));
  }

  private async find(): Promise<Map<string, Trouble>> {
    const [indices, blocks, red, made] = await Promise.all([
      this.indices(),
      this.blocks(),
      this.red(),
      this.memory.stores(),
    ]);
    // Where an alias names two, the one that somebody else made decides.
    const inOrder = indices.toSorted((a, b) => Number(b.isOurs) - Number(a.isOurs));
    const serving = new Map(
      inOrder.flatMap((index) => this.storesOf(index).map((store): [string, FoundIndex] => [store, index])),
    );
    const troubles = new Map<string, Trouble>();
    for (const store of made) {
      const index = this.connection.index(`${OF_ONE_STORE}${store}`);
      if (!serving.has(store)) troubles.set(store, { kind: 'index_missing', index });
    }
    for (const [store, { name, isOurs }] of serving) {
      const kind = isOurs ? (blocks.get(name) ?? (red.has(name) ? 'index_unreadable' : undefined)) : 'alien_index';
      if (kind) troubles.set(store, { kind, index: name });
    }
    return troubles;
  }

  private async indices(): Promise<FoundIndex[]> {
    const request: estypes.IndicesGetRequest = {
      index: this.connection.index(`${OF_ONE_STORE}*`),
      filter_path: FOUND_FIELDS,
      expand_wildcards: ['open', 'closed'],
    };
    return toFoundIndices(
      await this.connection.call((client, options) => client.indices.get(request, options), PATIENCE),
    );
  }

  /** The stores an index serves: one, by its alias, or by its name where it is in the alias's stead. */
  private storesOf({ name, aliases }: FoundIndex): string[] {
    const start = this.connection.index(OF_ONE_STORE);
    return [name, ...aliases]
      .filter((one) => one.startsWith(start) && !one.slice(start.length).includes('-'))
      .map((one) => one.slice(start.length));
  }

  private async blocks(): Promise<Map<string, RefusalKind>> {
    const path = `/_cluster/state/blocks/${this.connection.index(`${OF_ONE_STORE}*`)}`;
    const querystring = { expand_wildcards: 'all', ignore_unavailable: true };
    const { blocks = {} } = await this.connection.call(
      (client, options) => client.transport.request<BlocksAnswer>({ method: 'GET', path, querystring }, options),
      PATIENCE,
    );
    return new Map(
      Object.entries(blocks.indices ?? {}).flatMap(([index, own]): [string, RefusalKind][] => {
        if (own[CLOSED]) return [[index, 'index_closed']];
        if (own[DISK_FULL]) return [[index, 'disk_full']];
        const blocked = Object.values(own).some(
          ({ levels = [] }) => levels.includes('write') || levels.includes('read'),
        );
        return blocked ? [[index, 'read_only']] : [];
      }),
    );
  }

  private async red(): Promise<Set<string>> {
    const { indices = {} } = await this.connection.call(
      (client, options) =>
        client.cluster.health(
          { index: this.connection.index(`${OF_ONE_STORE}*`), level: 'indices', filter_path: 'indices.*.status' },
          options,
        ),
      PATIENCE,
    );
    return new Set(Object.entries(indices).flatMap(([index, { status }]) => (status === 'red' ? [index] : [])));
  }
}
