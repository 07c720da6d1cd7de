import { setTimeout as sleep } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock';
import {
  type ElasticConnection,
  errorType,
  LONG_TIMEOUT,
  unavailable,
} from '../../../../storage/elastic/elastic-connection';
import { ElasticError } from '../../../../storage/elastic/elastic-error';
import type { RefusalKind } from '../../../../storage/elastic/refusals';
import { OF_ONE_STORE } from '../../../../storage/elastic/index-blocks';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import type { IndexMemory } from './index-memory';
import {
  fillingAlias,
  FOUND_FIELDS,
  growingAlias,
  numbered,
  sortIndices,
  type StoreIndices,
  switchActions,
  toFoundIndices,
} from './store-indices';

/** An index that is being built beside the serving one. */
export interface Build {
  name: string;
  /** Whoever fills the index writes to this alias. It goes with the index, so nobody fills a newer build by mistake. */
  alias: string;
}

export interface IndexBuildTimes {
  /** How long a replica uses what it knows of a store's indices. */
  knownMs: number;
  /** After a switch, until the old index is deleted: requests that began before have ended by then. */
  graceMs: number;
  /** A build that takes longer was left by a process that died. */
  longestBuildMs: number;
}

const TIMES: IndexBuildTimes = { knownMs: 1000, graceMs: 60_000, longestBuildMs: 86_400_000 };
const MOST_STORES = 1000;

/**
 * The indices of each store: a numbered one that its alias names, and while it is built anew the next number beside it,
 * named by another alias. Searches and writes know the aliases alone.
 */
export class ProductIndices {
  private readonly definition = indexDefinition('products');
  private readonly known: LRUCache<string, string[]>;
  /** Indices that the memory is known to have. */
  private readonly remembered = new LRUCache<string, true>({ max: MOST_STORES });
  private readonly times: IndexBuildTimes;
  /** Orphaned indices that this process will delete when no request can be reading them. */
  private readonly doomed = new Set<string>();

  constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
    private readonly memory: IndexMemory,
    times: Partial<IndexBuildTimes> = {},
  ) {
    this.times = { ...TIMES, ...times };
    this.known = new LRUCache({ max: MOST_STORES, ttl: this.times.knownMs });
  }

  /** What searches go to; there may be no such index. */
  serving(store: string): string {
    return this.connection.index(`${OF_ONE_STORE}${store}`);
  }

  /**
   * Where a store's writes go: aliases of one index each, of the one that serves and the one being built to replace it. Made where nothing
   * was written of the store before. Of an index that is gone, only the one that is being built in its stead is left.
   */
  async targets(store: string): Promise<string[]> {
    const known = this.known.get(store);
    if (known) return known;
    const asked = performance.now();
    const serving = this.serving(store);
    const found = await this.find(store);
    const growing = found.growing ? [growingAlias(serving)] : [];
    const isThere = found.serving.length > 0 || (await this.makeFirst(store));
    if (!isThere && growing.length === 0) throw this.refused('index_missing', serving);
    if (found.uuid !== null) {
      this.deleteLater(store, found.orphaned);
      await this.adopt(store, found.uuid);
    }
    const targets = [...(isThere ? [serving] : []), ...growing];
    this.known.set(store, targets, { start: asked });
    return targets;
  }

  /** Throws where a store's index is gone: nothing that is answered without it would be true. */
  async assertNeverMade(store: string): Promise<void> {
    if (await this.memory.of(store)) throw this.refused('index_missing', this.serving(store));
  }

  forget(store: string): void {
    this.known.delete(store);
  }

  /**
   * `gone`: there was one. `outdated`: made by an older version of the service, or put there by somebody else, from a snapshot for one.
   * Throws where the index was made by somebody else under our name.
   */
  async state(store: string): Promise<'new' | 'gone' | 'outdated' | 'current'> {
    const [found, made] = await Promise.all([this.find(store), this.memory.of(store)]);
    if (found.serving.length === 0 || found.uuid === null) {
      if (made === null) return 'new';
      this.connection.refusals.note('index_missing', this.serving(store));
      return 'gone';
    }
    if (made === null) await this.adopt(store, found.uuid);
    const isKnown = made === null || made.includes(found.uuid);
    return isKnown && found.schema >= this.definition.mappings._meta.schema ? 'current' : 'outdated';
  }

  /** Begins an index beside the serving one, replaces an unfinished build, and waits until every replica writes to both. */
  async begin(store: string): Promise<Build> {
    const serving = this.serving(store);
    let found = await this.find(store);
    if (found.serving.length === 0 && (await this.makeFirst(store))) found = await this.find(store);
    await this.delete([...found.building, ...found.orphaned]);
    const name = `${serving}-${numbered(found.last + 1)}`;
    const alias = fillingAlias(name);
    await this.create(name, { [alias]: {} });
    await this.changeAliases([{ add: { index: name, alias: growingAlias(serving) } }]);
    this.forget(store);
    await sleep(this.times.knownMs);
    return { name, alias };
  }

  /**
   * Searches change over from one request to the next; the old index is deleted when no request can be reading it. Throws where
   * the build is no longer the one that replicas write to, or does not have the products it was filled with.
   */
  async finish(store: string, { name, alias }: Build, filled: number): Promise<void> {
    const serving = this.serving(store);
    await this.call((client, options) => client.indices.refresh({ index: name }, options));
    // Products that were removed since are still remembered.
    const query = { term: { part: 0 } };
    const { count } = await this.call((client, options) => client.count({ index: name, query }, options));
    if (count < filled) throw new Error(`The index that was built has ${count} products instead of ${filled}`);
    const { serving: old, building } = await this.find(store);
    if (!building.includes(name))
      throw new Error('The index that was being built is no longer the one to be switched to');
    await this.remember(store, name);
    await this.changeAliases(switchActions(serving, { old, next: name, filling: alias }));
    this.forget(store);
    this.deleteLater(store, old);
  }

  /** Deletes the build, unless it serves. */
  async abandon(store: string, { name }: Build): Promise<void> {
    const { building } = await this.find(store);
    await this.delete(building.filter((index) => index === name));
    this.forget(store);
  }

  async remove(store: string): Promise<void> {
    const { serving, building, orphaned } = await this.find(store);
    await this.delete([...serving, ...building, ...orphaned]);
    this.forget(store);
    this.remembered.delete(store);
  }

  private call<T>(work: Parameters<typeof this.connection.call<T>>[0]): Promise<T> {
    return this.connection.call(work, LONG_TIMEOUT);
  }

  private async find(store: string): Promise<StoreIndices> {
    const serving = this.serving(store);
    const answer = await this.call((client, options) =>
      client.indices.get(
        {
          index: [serving, `${serving}-*`],
          filter_path: FOUND_FIELDS,
          expand_wildcards: ['open', 'closed'],
          ignore_unavailable: true,
        },
        options,
      ),
    );
    const oldest = this.clock.now() - this.times.longestBuildMs;
    const found = sortIndices(serving, toFoundIndices(answer), oldest);
    if (found.alien !== null) throw this.refused('alien_index', found.alien);
    return found;
  }

  /** Null where there is no such index. Throws where somebody else made it. */
  private async uuidOf(index: string): Promise<string | null> {
    const request = { index, filter_path: FOUND_FIELDS, ignore_unavailable: true };
    const [found] = toFoundIndices(await this.call((client, options) => client.indices.get(request, options)));
    if (found && !found.isOurs) throw this.refused('alien_index', index);
    return found?.uuid ?? null;
  }

  private async remember(store: string, index: string): Promise<void> {
    const uuid = await this.uuidOf(index);
    if (uuid === null) throw this.refused('index_missing', index);
    await this.memory.add(store, uuid);
    this.remembered.set(store, true);
  }

  /** Remembers an index that serves and was made before its memory was. */
  private async adopt(store: string, uuid: string): Promise<void> {
    if (this.remembered.has(store)) return;
    if ((await this.memory.of(store)) === null) await this.memory.add(store, uuid);
    this.remembered.set(store, true);
  }

  private refused(kind: RefusalKind, index: string): Error {
    const what = `The index ${index}`;
    this.connection.refusals.note(kind, what);
    return unavailable(new ElasticError(`${kind}: ${what}`, undefined, undefined, kind));
  }

  /** False where there was one, and is no more: what would be made now has none of what was in it. */
  private async makeFirst(store: string): Promise<boolean> {
    const serving = this.serving(store);
    const index = `${serving}-${numbered(1)}`;
    const made = await this.memory.of(store);
    // Remembered and not yet serving: another replica is just making it, or died before it added the alias.
    if (made !== null && made[0] !== (await this.uuidOf(index))) return false;
    try {
      if (made === null) await this.create(index, {});
    } catch (error) {
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
      // Another replica was faster.
      const started = { index, wait_for_status: 'yellow' as const };
      await this.call((client, options) => client.cluster.health(started, options));
    }
    // Before the alias: what serves is always remembered.
    await this.remember(store, index);
    await this.changeAliases([{ add: { index, alias: serving } }]);
    return true;
  }

  /** Resolves when the index can be written. Until then no alias that others go by may name it. */
  private async create(index: string, aliases: Record<string, object>): Promise<void> {
    const request = { index, aliases, ...this.definition };
    await this.call((client, options) => client.indices.create(request, options));
  }

  private async changeAliases(actions: estypes.IndicesUpdateAliasesAction[]): Promise<void> {
    await this.call((client, options) => client.indices.updateAliases({ actions }, options));
  }

  /** Where this process ends first, the next one that writes deletes them. */
  private deleteLater(store: string, names: readonly string[]): void {
    const own = names.filter((name) => !this.doomed.has(name));
    if (own.length === 0) return;
    for (const name of own) this.doomed.add(name);
    const work = async (): Promise<void> => {
      for (const name of own) this.doomed.delete(name);
      // Looked at again: a store that was removed and made anew begins with the same number.
      const { orphaned } = await this.find(store);
      await this.delete(orphaned.filter((name) => own.includes(name)));
    };
    setTimeout(() => void work().catch(() => undefined), this.times.graceMs).unref();
  }

  /** One by one: where another process deletes one of them at the same time, a request for several would leave the others. */
  private async delete(names: readonly string[]): Promise<void> {
    for (const index of names) {
      try {
        await this.call((client, options) => client.indices.delete({ index }, options));
      } catch (error) {
        if (errorType(error) !== 'index_not_found_exception') throw error;
      }
    }
  }
}
