import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, unavailable } from '../../../../storage/elastic/elastic-connection';
import { ElasticError } from '../../../../storage/elastic/elastic-error';
import { OF_ONE_STORE } from '../../../../storage/elastic/shared-indices';
import type { RefusalKind } from '../../../../storage/elastic/refusals';
import { IndexHealth } from '../../../index-health';
import type { Clock } from '../../../../shared/clock';
import { Growth } from '../locations/growth';
import type { Locations } from '../locations/location-directory';
import { POOL } from '../locations/pool-names';
import type { StoreLocations } from '../locations/store-locations';
import type { IndexBuildTimes } from './index-build';
import type { IndexMemory } from './index-memory';
import { FOUND_FIELDS, type FoundIndex, sortIndices, toFoundIndices } from './store-indices';

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

interface TroubleParts {
  memory: IndexMemory;
  directory: Locations;
  locations: Pick<StoreLocations, 'grown' | 'hasOutgrown' | 'ownFrom'>;
  /** Of an index that is made from now on. */
  schema: number;
  times: IndexBuildTimes;
}

/**
 * The indices of stores and of pools as the cluster tells of them, all at once: so many requests whatever the number of stores. What has become wrong
 * is counted and told with what is refused.
 */
export class IndexTroubles extends IndexHealth {
  private readonly growth: Growth;
  private known: ReadonlyMap<string, Trouble> = new Map();
  /** By the alias that searches go to. */
  private aliens: ReadonlyMap<string, Trouble> = new Map();

  constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
    private readonly parts: TroubleParts,
  ) {
    super();
    const { locations } = parts;
    this.growth = new Growth(locations.ownFrom, (store, products) => locations.hasOutgrown(store, products));
  }

  override async troubles(): Promise<Map<string, string>> {
    const found = await this.find();
    for (const [name, { kind, index }] of found) {
      if (this.known.get(name)?.kind !== kind) this.connection.refusals.note(kind, `The index ${index}`);
    }
    this.known = found;
    const aliens = Array.from(found).filter(([, { kind }]) => kind === 'alien_index');
    this.aliens = new Map(aliens.map(([name, trouble]) => [this.aliasOf(name), trouble]));
    return this.ofStores(new Map(Array.from(found, ([name, { kind }]) => [name, kind])));
  }

  /** Throws where somebody else's index was last seen in the stead of this one: what is in it is nobody's to show. */
  assertOurs(alias: string): void {
    const trouble = this.aliens.get(alias);
    if (!trouble) return;
    throw unavailable(new ElasticError(`The index ${trouble.index}`, undefined, undefined, trouble.kind));
  }

  /** Gone, or made by an older version or by somebody else; with something to delete; or too large for its pool. */
  override async due(): Promise<ReadonlySet<string>> {
    const { memory, directory, schema, locations, times } = this.parts;
    const now = this.clock.now();
    const [indices, made, moved, large] = await Promise.all([
      this.indices(),
      memory.all(),
      directory.due({ now, oldestBuild: this.oldest(), oldestLeaving: now - times.graceMs }),
      // While a pool can't be read, nobody is moved; what is the matter with it is found below.
      locations.grown().catch(() => []),
    ]);
    const names = new Set<string>();
    for (const [name, own] of this.byName(indices)) {
      const { serving, uuid, schema: isOf, orphaned, kept } = sortIndices(this.aliasOf(name), own, this.oldest());
      const isKnown = uuid !== null && (made.get(name)?.includes(uuid) ?? true);
      const isLeft = orphaned.length > 0 || (kept !== null && kept.until <= now);
      if (serving.length === 0 || !isKnown || isOf < schema || isLeft) names.add(name);
    }
    const there = this.byName(indices);
    for (const name of made.keys()) if (!there.has(name)) names.add(name);
    const stores = await this.ofStores(new Map(Array.from(names, (name) => [name, name])));
    return new Set([...stores.keys(), ...moved, ...large]);
  }

  override onGrown(tell: (store: string) => void): void {
    this.growth.onGrown(tell);
  }

  /** So many products were written to a store. */
  wrote(store: string, products: number): void {
    this.growth.wrote(store, products);
  }

  private async find(): Promise<Map<string, Trouble>> {
    const [indices, blocks, red, made] = await Promise.all([
      this.indices(),
      this.blocks(),
      this.red(),
      this.parts.memory.all(),
    ]);
    // Where an alias names two, the one that somebody else made decides.
    const inOrder = indices.toSorted((a, b) => Number(b.isOurs) - Number(a.isOurs));
    const serving = new Map(
      inOrder.flatMap((index) => this.servedBy(index).map((name): [string, FoundIndex] => [name, index])),
    );
    const troubles = new Map<string, Trouble>();
    for (const name of made.keys()) {
      if (serving.has(name) || (await this.isElsewhere(name))) continue;
      troubles.set(name, { kind: 'index_missing', index: this.aliasOf(name) });
    }
    for (const [name, { name: index, isOurs }] of serving) {
      const kind = isOurs ? (blocks.get(index) ?? (red.has(index) ? 'index_unreadable' : undefined)) : 'alien_index';
      if (kind) troubles.set(name, { kind, index });
    }
    return troubles;
  }

  /** A store that was moved, by a process that ended before it could forget the index it had. */
  private async isElsewhere(name: string): Promise<boolean> {
    if (name.startsWith(POOL)) return false;
    const record = await this.parts.directory.read(name, 0);
    return record !== null && record.serving !== 'own';
  }

  /** What is known of indices, by store: of a pool it concerns every store that is in it. */
  private async ofStores(known: ReadonlyMap<string, string>): Promise<Map<string, string>> {
    const pools = new Set([...known.keys()].filter((name) => name.startsWith(POOL)));
    const pooled = await this.parts.directory.storesIn(pools);
    const own = Array.from(known).filter(([name]) => !pools.has(name));
    return new Map([
      ...own,
      ...Array.from(pooled, ([store, pool]): [string, string] => [store, known.get(pool) ?? '']),
    ]);
  }

  private aliasOf(name: string): string {
    return this.connection.index(`${OF_ONE_STORE}${name}`);
  }

  private oldest(): number {
    return this.clock.now() - this.parts.times.longestBuildMs;
  }

  /** By the store or the pool that they are of. */
  private byName(indices: readonly FoundIndex[]): Map<string, FoundIndex[]> {
    const start = this.connection.index(OF_ONE_STORE).length;
    const all = new Map<string, FoundIndex[]>();
    for (const index of indices) {
      const [name = index.name.slice(start).split('-')[0] ?? ''] = this.servedBy(index);
      all.set(name, [...(all.get(name) ?? []), index]);
    }
    return all;
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

  /** The store or pool an index serves: one, by its alias, or by its name where it is in the alias's stead. */
  private servedBy({ name, aliases }: FoundIndex): string[] {
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
