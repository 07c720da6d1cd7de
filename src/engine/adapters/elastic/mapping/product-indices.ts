import { setTimeout as sleep } from 'node:timers/promises';
import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../shared/clock';
import { type ElasticConnection, errorType, LONG_TIMEOUT } from '../../../../storage/elastic/elastic-connection';
import { OF_ONE_STORE } from '../../../../storage/elastic/index-blocks';
import { indexDefinition } from '../../../../storage/elastic/index-definition';

/** Where a store's writes go: aliases of one index each. */
export interface WriteTargets {
  serving: string;
  /** Of the index that is being built to replace it. */
  growing: string | null;
}

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
const DIGITS = 6;

interface FoundIndex {
  name: string;
  aliases: string[];
  createdAt: number;
}

/** A store's indices, by what they are there for. */
interface StoreIndices {
  serving: string[];
  /** Builds that will replace those. */
  building: string[];
  /** Whether replicas write to what is being built. */
  growing: boolean;
  orphaned: string[];
  /** The highest number of any; 0: there is none. */
  last: number;
}

/**
 * The indices of each store: a numbered one that its alias names, and while it is built anew the next number beside it,
 * named by another alias. Searches and writes know the aliases alone.
 */
export class ProductIndices {
  private readonly definition = indexDefinition('products');
  private readonly known: LRUCache<string, WriteTargets>;
  private readonly times: IndexBuildTimes;
  /** Orphaned indices that this process will delete when no request can be reading them. */
  private readonly doomed = new Set<string>();

  constructor(
    private readonly connection: ElasticConnection,
    private readonly clock: Clock,
    times: Partial<IndexBuildTimes> = {},
  ) {
    this.times = { ...TIMES, ...times };
    this.known = new LRUCache({ max: MOST_STORES, ttl: this.times.knownMs });
  }

  /** What searches go to; there may be no such index. */
  serving(store: string): string {
    return this.connection.index(`${OF_ONE_STORE}${store}`);
  }

  /** Made where nothing was written of the store before. */
  async targets(store: string): Promise<WriteTargets> {
    const known = this.known.get(store);
    if (known) return known;
    const asked = performance.now();
    const serving = this.serving(store);
    const found = await this.find(store);
    if (found.serving.length === 0) await this.makeFirst(serving);
    else this.deleteLater(store, found.orphaned);
    const targets = { serving, growing: found.growing ? growingAlias(serving) : null };
    this.known.set(store, targets, { start: asked });
    return targets;
  }

  forget(store: string): void {
    this.known.delete(store);
  }

  /** True where the index was made by an older version of the service. */
  async isOutdated(store: string): Promise<boolean> {
    const request = { index: this.serving(store), ignore_unavailable: true };
    const found = await this.call((client, options) => client.indices.getMapping(request, options));
    const mapping = Object.values(found)[0]?.mappings;
    return mapping !== undefined && Number(mapping._meta?.['schema'] ?? 0) < this.definition.mappings._meta.schema;
  }

  /** Begins an index beside the serving one, replaces an unfinished build, and waits until every replica writes to both. */
  async begin(store: string): Promise<Build> {
    const { serving } = await this.targets(store);
    const found = await this.find(store);
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
  }

  private call<T>(work: Parameters<typeof this.connection.call<T>>[0]): Promise<T> {
    return this.connection.call(work, LONG_TIMEOUT);
  }

  private async find(store: string): Promise<StoreIndices> {
    const serving = this.serving(store);
    const request = { index: `${serving}-*`, filter_path: '*.aliases,*.settings.index.creation_date' };
    const answer = await this.call((client, options) => client.indices.get(request, options));
    const found = Object.entries(answer).map(([name, { aliases = {}, settings }]): FoundIndex => {
      return { name, aliases: Object.keys(aliases), createdAt: Number(settings?.index?.creation_date ?? 0) };
    });
    const oldest = this.clock.now() - this.times.longestBuildMs;
    return sortIndices(serving, found, oldest);
  }

  private async makeFirst(serving: string): Promise<void> {
    const index = `${serving}-${numbered(1)}`;
    try {
      await this.create(index, {});
    } catch (error) {
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
      // Another replica was faster, or died before it added the alias.
      const started = { index, wait_for_status: 'yellow' as const };
      await this.call((client, options) => client.cluster.health(started, options));
    }
    await this.changeAliases([{ add: { index, alias: serving } }]);
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

const growingAlias = (serving: string): string => `${serving}-growing`;
const fillingAlias = (name: string): string => `${name}-filling`;
const numbered = (number: number): string => String(number).padStart(DIGITS, '0');

/** `oldest`: what began to be built before was left by a process that died. */
export function sortIndices(serving: string, found: readonly FoundIndex[], oldest: number): StoreIndices {
  const sorted: StoreIndices = { serving: [], building: [], growing: false, orphaned: [], last: 0 };
  for (const { name, aliases, createdAt } of found) {
    sorted.last = Math.max(sorted.last, Number(name.slice(serving.length + 1)));
    if (aliases.includes(serving)) sorted.serving.push(name);
    else if (aliases.includes(fillingAlias(name)) && createdAt >= oldest) {
      sorted.building.push(name);
      sorted.growing ||= aliases.includes(growingAlias(serving));
    } else sorted.orphaned.push(name);
  }
  return sorted;
}

/** All of it or nothing: an index that somebody began anew has lost the aliases that are to be removed. */
export function switchActions(
  serving: string,
  { old, next, filling }: { old: readonly string[]; next: string; filling: string },
): estypes.IndicesUpdateAliasesAction[] {
  return [
    ...old.map((index) => ({ remove: { index, alias: serving } })),
    { add: { index: next, alias: serving } },
    ...[growingAlias(serving), filling].map((alias) => ({ remove: { index: next, alias, must_exist: true } })),
  ];
}
