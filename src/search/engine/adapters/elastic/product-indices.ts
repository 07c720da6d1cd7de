import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type ElasticConnection, errorType, LONG_TIMEOUT } from '../../../../storage/elastic';
import { indexDefinition } from '../../../../storage/elastic-definitions';

/** Where a store's writes go: aliases of one index each. */
export interface WriteTargets {
  serving: string;
  /** Of the index that is being built to take its place. */
  growing: string | null;
}

export interface IndexTimes {
  /** How long a replica goes by what it knew of a store's indices. */
  knownMs: number;
  /** After a switch, until the old index is deleted: requests that began before have ended by then. */
  graceMs: number;
}

const TIMES: IndexTimes = { knownMs: 1000, graceMs: 60_000 };
const MOST_STORES = 1000;
const DIGITS = 6;

/**
 * The indices of each store: a numbered one that its alias names, and while it is built anew the next number beside it,
 * named by another alias. Searches and writes know the aliases alone.
 */
export class ProductIndices {
  private readonly definition = indexDefinition('products');
  private readonly known: LRUCache<string, WriteTargets>;

  constructor(
    private readonly connection: ElasticConnection,
    private readonly times: IndexTimes = TIMES,
  ) {
    this.known = new LRUCache({ max: MOST_STORES, ttl: times.knownMs });
  }

  /** What searches go to; there may be no such index. */
  serving(store: string): string {
    return this.connection.index(`products-${store}`);
  }

  /** Made where nothing was written of the store before. */
  async targets(store: string): Promise<WriteTargets> {
    const known = this.known.get(store);
    if (known) return known;
    const serving = this.serving(store);
    const names = await this.names(store);
    if (![...names.values()].flat().includes(serving)) await this.create(`${serving}-${numbered(1)}`, serving);
    const growing = [...names.values()].flat().includes(growingAlias(serving)) ? growingAlias(serving) : null;
    const targets = { serving, growing };
    this.known.set(store, targets);
    return targets;
  }

  forget(store: string): void {
    this.known.delete(store);
  }

  /** True where the index was made by an older version of the service. */
  async isOutdated(store: string): Promise<boolean> {
    const index = this.serving(store);
    const found = await this.orNone((client, options) => client.indices.getMapping({ index }, options));
    const mapping = Object.values(found ?? {})[0]?.mappings;
    return mapping !== undefined && Number(mapping._meta?.['schema'] ?? 0) < this.definition.mappings._meta.schema;
  }

  /**
   * Begins an index beside the serving one, in place of one that somebody began before, and waits until every replica writes
   * to both. Answers its alias.
   */
  async begin(store: string): Promise<string> {
    const { serving } = await this.targets(store);
    const names = await this.names(store);
    const leftOver = [...names].filter(([, aliases]) => !aliases.includes(serving)).map(([name]) => name);
    await this.delete(leftOver);
    const last = Math.max(...[...names.keys()].map((name) => Number(name.slice(serving.length + 1))));
    const growing = growingAlias(serving);
    await this.create(`${serving}-${numbered(last + 1)}`, growing);
    this.forget(store);
    await sleep(this.times.knownMs);
    return growing;
  }

  /** Searches change over from one request to the next; the old index is deleted when nobody can be reading it any more. */
  async finish(store: string): Promise<void> {
    const serving = this.serving(store);
    const growing = growingAlias(serving);
    const names = [...(await this.names(store))];
    const old = names.filter(([, aliases]) => aliases.includes(serving)).map(([name]) => name);
    const next = names.filter(([, aliases]) => aliases.includes(growing)).map(([name]) => name);
    if (next.length === 0)
      throw new Error('The index that was being built is gone: it was begun anew or its store removed');
    await this.connection.call((client, options) => client.indices.refresh({ index: next }, options), LONG_TIMEOUT);
    const actions = [
      ...old.map((index) => ({ remove: { index, alias: serving } })),
      ...next.flatMap((index) => [{ add: { index, alias: serving } }, { remove: { index, alias: growing } }]),
    ];
    await this.connection.call((client, options) => client.indices.updateAliases({ actions }, options), LONG_TIMEOUT);
    this.forget(store);
    // Where the process ends before, the next rebuild deletes it.
    setTimeout(() => void this.delete(old).catch(() => undefined), this.times.graceMs).unref();
  }

  /** Gives up what was begun. */
  async abandon(store: string): Promise<void> {
    const growing = growingAlias(this.serving(store));
    const names = await this.names(store);
    await this.delete([...names].filter(([, aliases]) => aliases.includes(growing)).map(([name]) => name));
    this.forget(store);
  }

  async remove(store: string): Promise<void> {
    await this.delete([...(await this.names(store)).keys()]);
    this.forget(store);
  }

  /** The store's indices and the aliases of each. */
  private async names(store: string): Promise<Map<string, string[]>> {
    const index = `${this.serving(store)}-*`;
    const found = await this.connection.call(
      (client, options) => client.indices.getAlias({ index }, options),
      LONG_TIMEOUT,
    );
    return new Map(Object.entries(found).map(([name, { aliases }]) => [name, Object.keys(aliases)]));
  }

  private async create(index: string, alias: string): Promise<void> {
    const request = { index, aliases: { [alias]: {} }, ...this.definition };
    try {
      await this.connection.call((client, options) => client.indices.create(request, options), LONG_TIMEOUT);
    } catch (error) {
      // Another replica was faster.
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
    }
  }

  private async delete(names: string[]): Promise<void> {
    if (names.length === 0) return;
    await this.orNone((client, options) => client.indices.delete({ index: names }, options));
  }

  private async orNone<T>(work: Parameters<typeof this.connection.call<T>>[0]): Promise<T | null> {
    try {
      return await this.connection.call(work, LONG_TIMEOUT);
    } catch (error) {
      if (errorType(error) === 'index_not_found_exception') return null;
      throw error;
    }
  }
}

const growingAlias = (serving: string): string => `${serving}-growing`;
const numbered = (number: number): string => String(number).padStart(DIGITS, '0');
