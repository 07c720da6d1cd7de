import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, errorType } from '../../../../storage/elastic/elastic-connection';
import { OF_ONE_STORE } from '../../../../storage/elastic/shared-indices';
import type { IndexDefinition } from '../../../../storage/elastic/index-definition';
import { INDEX_KEPT_MS } from '../../../search-engine';
import { type Build, type Filled, INDEX_BUILD_TIMES, type IndexBuildTimes } from './index-build';
import type { IndexMemory } from './index-memory';
import { IndexRequests } from './index-requests';
import { deleteIndices } from './index-upkeep';
import {
  fillingAlias,
  growingAlias,
  numbered,
  rollBackActions,
  type StoreIndices,
  switchActions,
} from './store-indices';

const MOST_STORES = 1000;

/**
 * The indices of each store, or of each pool of stores: a numbered one that its alias names, and while it is built anew the next number beside
 * it, named by another alias. Searches and writes know the aliases alone.
 */
export class ProductIndices {
  private readonly known: LRUCache<string, string[]>;
  /** Stores whose serving index takes every field of this version. */
  private readonly widened = new LRUCache<string, string>({ max: MOST_STORES });
  /** Indices that the memory is known to have. */
  private readonly remembered = new LRUCache<string, true>({ max: MOST_STORES });
  private readonly times: IndexBuildTimes;
  private readonly requests: IndexRequests;
  /** Orphaned indices that this process will delete when no request can be reading them. */
  private readonly doomed = new Set<string>();

  constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
    private readonly memory: IndexMemory,
    private readonly definition: IndexDefinition,
    times: Partial<IndexBuildTimes> = {},
  ) {
    this.requests = new IndexRequests(connection, definition);
    this.times = { ...INDEX_BUILD_TIMES, ...times };
    this.known = new LRUCache({ max: MOST_STORES, ttl: this.times.knownMs });
  }

  /** Of what is made from now on. */
  get schema(): number {
    return this.definition.mappings._meta.schema;
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
    if (!isThere && growing.length === 0) throw this.requests.refused('index_missing', serving);
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
    if (await this.memory.of(store)) throw this.requests.refused('index_missing', this.serving(store));
  }

  forget(store: string): void {
    this.known.delete(store);
  }

  forgetAll(): void {
    this.known.clear();
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
    return isKnown && found.schema >= this.schema ? 'current' : 'outdated';
  }

  /** Begins an index beside the serving one, replaces an unfinished build, and waits until every replica writes to both. */
  async begin(store: string): Promise<Build> {
    let found = await this.find(store);
    if (found.serving.length === 0 && (await this.makeFirst(store))) found = await this.find(store);
    await deleteIndices(this.connection, [...found.building, ...found.orphaned]);
    const build = await this.beginNext(store, found.last + 1);
    await sleep(this.times.knownMs);
    return build;
  }

  /** The same for a store that is served elsewhere. Of what an earlier move has left nothing stays. */
  async beginAside(store: string): Promise<Build> {
    const { last } = await this.find(store);
    await this.remove(store);
    return this.beginNext(store, last + 1);
  }

  private async beginNext(store: string, number: number): Promise<Build> {
    const serving = this.serving(store);
    const name = `${serving}-${numbered(number)}`;
    const alias = fillingAlias(name);
    await this.requests.create(name, { [alias]: {} });
    // A move that was not brought to its end has left it where it was.
    const elsewhere = { remove: { index: `${serving}-*`, alias: growingAlias(serving), must_exist: false } };
    await this.requests.changeAliases([elsewhere, { add: { index: name, alias: growingAlias(serving) } }]);
    this.forget(store);
    return { name, alias };
  }

  /** What was built aside can serve; replicas that do not know it yet go on writing to it by the alias they know. */
  async serveAside(store: string, { name }: Build): Promise<void> {
    await this.remember(store, name);
    await this.requests.changeAliases([{ add: { index: name, alias: this.serving(store) } }]);
    this.forget(store);
  }

  /** Every replica knows by now that it serves. */
  async endAside(store: string, { name, alias }: Build): Promise<void> {
    const aliases = [growingAlias(this.serving(store)), alias];
    await this.requests.changeAliases(aliases.map((one) => ({ remove: { index: name, alias: one } })));
  }

  /**
   * Searches change over from one request to the next; the old index is kept for a day, or where `keep` is false deleted when no request can
   * be reading it: what can't be written to would keep every write from being taken. Throws where the build is no longer the one that
   * replicas write to, or does not have the products it was filled with.
   */
  async finish(store: string, { name, alias }: Build, { filled, keep }: Filled): Promise<void> {
    const serving = this.serving(store);
    await this.requests.refresh(name);
    // Products that were removed since are still remembered.
    assertFilled(await this.requests.count(name, { term: { part: 0 } }), filled);
    const { serving: old, building, kept, schema } = await this.find(store);
    if (!building.includes(name))
      throw new Error('The index that was being built is no longer the one to be switched to');
    await this.remember(store, name);
    const keptUntil = keep && schema >= this.schema ? this.clock.now() + INDEX_KEPT_MS : null;
    await this.requests.changeAliases(switchActions(serving, { old, next: name, filling: alias, kept, keptUntil }));
    this.forget(store);
    this.deleteLater(store, [...(keptUntil ? [] : old), ...(kept ? [kept.name] : [])]);
  }

  /** False where none is kept. */
  async rollBack(store: string): Promise<boolean> {
    const { serving: current, kept } = await this.find(store);
    if (!kept || kept.until <= this.clock.now()) return false;
    await this.remember(store, kept.name);
    await this.requests.changeAliases(rollBackActions(this.serving(store), { current, kept }));
    this.forget(store);
    this.deleteLater(store, current);
    return true;
  }

  /** Deletes the index that was kept long enough, and those that nobody needs any more. */
  async removeOld(store: string): Promise<void> {
    const { kept, orphaned } = await this.find(store);
    this.deleteLater(store, orphaned);
    if (!kept || kept.until > this.clock.now()) return;
    await this.requests.changeAliases([{ remove: { index: kept.name, alias: kept.alias } }]);
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
    await this.memory.forget(store);
    this.forget(store);
    this.remembered.delete(store);
  }

  private find(store: string): Promise<StoreIndices> {
    return this.requests.find(this.serving(store), this.clock.now() - this.times.longestBuildMs);
  }

  private async remember(store: string, index: string): Promise<void> {
    const uuid = await this.requests.uuidOf(index);
    if (uuid === null) throw this.requests.refused('index_missing', index);
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
    if (uuid === null || schema >= this.schema || this.widened.get(store) === uuid) return;
    await this.requests.widen(serving);
    this.widened.set(store, uuid);
  }

  /** False where there was one, and is no more: what would be made now has none of what was in it. */
  private async makeFirst(store: string): Promise<boolean> {
    const serving = this.serving(store);
    const index = `${serving}-${numbered(1)}`;
    const made = await this.memory.of(store);
    // Remembered and not yet serving: another replica is just making it, or died before it added the alias.
    if (made !== null && made[0] !== (await this.requests.uuidOf(index))) return false;
    try {
      if (made === null) await this.requests.create(index, {});
    } catch (error) {
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
      // Another replica was faster.
      await this.requests.untilStarted(index);
    }
    // Before the alias: what serves is always remembered.
    await this.remember(store, index);
    await this.requests.changeAliases([{ add: { index, alias: serving } }]);
    return true;
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

export function assertFilled(products: number, filled: number): void {
  if (products < filled) throw new Error(`The index that was built has ${products} products instead of ${filled}`);
}
