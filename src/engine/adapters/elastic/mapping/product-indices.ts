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
import { OF_ONE_STORE } from '../../../../storage/elastic/shared-indices';
import { indexDefinition } from '../../../../storage/elastic/index-definition';
import { INDEX_KEPT_MS } from '../../../search-engine';
import { type Build, INDEX_BUILD_TIMES, type IndexBuildTimes } from './index-build';
import type { IndexMemory } from './index-memory';
import { deleteIndices } from './index-upkeep';
import {
  fillingAlias,
  FOUND_FIELDS,
  growingAlias,
  numbered,
  rollBackActions,
  sortIndices,
  type StoreIndices,
  switchActions,
  toFoundIndices,
} from './store-indices';

const MOST_STORES = 1000;

/**
 * The indices of each store: a numbered one that its alias names, and while it is built anew the next number beside it,
 * named by another alias. Searches and writes know the aliases alone.
 */
export class ProductIndices {
  private readonly definition = indexDefinition('products');
  private readonly known: LRUCache<string, string[]>;
  /** Stores whose serving index takes every field of this version. */
  private readonly widened = new LRUCache<string, string>({ max: MOST_STORES });
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
    this.times = { ...INDEX_BUILD_TIMES, ...times };
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
      await this.widen(store, found);
    }
    const kept = found.kept && found.kept.until > this.clock.now() ? [found.kept.alias] : [];
    const targets = [...(isThere ? [serving] : []), ...growing, ...kept];
    this.known.set(store, targets, { start: asked });
    return targets;
  }

  /** Else a switch between the writes to them may have left the index that is kept without one. */
  async areStillTargets(store: string, targets: readonly string[]): Promise<boolean> {
    return !targets.includes(growingAlias(this.serving(store))) || (await this.find(store)).growing;
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
    await deleteIndices(this.connection, [...found.building, ...found.orphaned]);
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
    await this.refresh({ name });
    // Products that were removed since are still remembered.
    const query = { term: { part: 0 } };
    const { count } = await this.call((client, options) => client.count({ index: name, query }, options));
    if (count < filled) throw new Error(`The index that was built has ${count} products instead of ${filled}`);
    const { serving: old, building, kept, schema } = await this.find(store);
    if (!building.includes(name))
      throw new Error('The index that was being built is no longer the one to be switched to');
    await this.remember(store, name);
    const keptUntil = schema >= this.definition.mappings._meta.schema ? this.clock.now() + INDEX_KEPT_MS : null;
    await this.changeAliases(switchActions(serving, { old, next: name, filling: alias, kept, keptUntil }));
    this.forget(store);
    this.deleteLater(store, [...(keptUntil ? [] : old), ...(kept ? [kept.name] : [])]);
  }

  async refresh({ name }: Pick<Build, 'name'>): Promise<void> {
    await this.call((client, options) => client.indices.refresh({ index: name }, options));
  }

  /** False where none is kept. */
  async rollBack(store: string): Promise<boolean> {
    const { serving: current, kept } = await this.find(store);
    if (!kept || kept.until <= this.clock.now()) return false;
    await this.remember(store, kept.name);
    await this.changeAliases(rollBackActions(this.serving(store), { current, kept }));
    this.forget(store);
    this.deleteLater(store, current);
    return true;
  }

  /** Deletes the index that was kept long enough, and those that nobody needs any more. */
  async removeOld(store: string): Promise<void> {
    const { kept, orphaned } = await this.find(store);
    this.deleteLater(store, orphaned);
    if (!kept || kept.until > this.clock.now()) return;
    await this.changeAliases([{ remove: { index: kept.name, alias: kept.alias } }]);
    this.forget(store);
    this.deleteLater(store, [kept.name]);
  }

  /** Deletes the build, unless it serves. */
  async abandon(store: string, { name }: Build): Promise<void> {
    const { building } = await this.find(store);
    await deleteIndices(
      this.connection,
      building.filter((index) => index === name),
    );
    this.forget(store);
  }

  async remove(store: string): Promise<void> {
    const { serving, building, orphaned, kept } = await this.find(store);
    await deleteIndices(this.connection, [...serving, ...building, ...orphaned, ...(kept ? [kept.name] : [])]);
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

  /** An index that an older version made takes the documents of this one until it is made anew. It stays outdated: its own lack fields. */
  private async widen(store: string, { serving, uuid, schema }: StoreIndices): Promise<void> {
    const { _meta, properties = {} } = this.definition.mappings;
    if (uuid === null || schema >= _meta.schema || this.widened.get(store) === uuid) return;
    await this.call((client, options) => client.indices.putMapping({ index: serving, properties }, options));
    this.widened.set(store, uuid);
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
    await this.call((client, options) => client.indices.create({ index, aliases, ...this.definition }, options));
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
      await deleteIndices(
        this.connection,
        orphaned.filter((name) => own.includes(name)),
      );
    };
    setTimeout(() => void work().catch(() => undefined), this.times.graceMs).unref();
  }
}
