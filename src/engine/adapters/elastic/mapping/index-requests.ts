import type { estypes } from '@elastic/elasticsearch';
import { type ElasticConnection, LONG_TIMEOUT, unavailable } from '../../../../storage/elastic/elastic-connection';
import { ElasticError } from '../../../../storage/elastic/elastic-error';
import type { IndexDefinition } from '../../../../storage/elastic/index-definition';
import type { RefusalKind } from '../../../../storage/elastic/refusals';
import { FOUND_FIELDS, sortIndices, type StoreIndices, toFoundIndices } from './store-indices';

/** What is asked of the cluster about numbered indices and their aliases. */
export class IndexRequests {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly definition: IndexDefinition,
  ) {}

  /** `oldest`: as of `sortIndices`. */
  async find(serving: string, oldest: number): Promise<StoreIndices> {
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
    const found = sortIndices(serving, toFoundIndices(answer), oldest);
    if (found.alien !== null) throw this.refused('alien_index', found.alien);
    return found;
  }

  /** Null where there is no such index. Throws where somebody else made it. */
  async uuidOf(index: string): Promise<string | null> {
    const request = { index, filter_path: FOUND_FIELDS, ignore_unavailable: true };
    const [found] = toFoundIndices(await this.call((client, options) => client.indices.get(request, options)));
    if (found && !found.isOurs) throw this.refused('alien_index', index);
    return found?.uuid ?? null;
  }

  /** Resolves when the index can be written. Until then no alias that others go by may name it. */
  async create(index: string, aliases: Record<string, object>): Promise<void> {
    await this.call((client, options) => client.indices.create({ index, aliases, ...this.definition }, options));
  }

  /** One that another replica is making. */
  async untilStarted(index: string): Promise<void> {
    const started = { index, wait_for_status: 'yellow' as const };
    await this.call((client, options) => client.cluster.health(started, options));
  }

  async changeAliases(actions: estypes.IndicesUpdateAliasesAction[]): Promise<void> {
    await this.call((client, options) => client.indices.updateAliases({ actions }, options));
  }

  /** Adds every field of this version to an index of an older one. */
  async widen(serving: string[]): Promise<void> {
    const { properties = {} } = this.definition.mappings;
    await this.call((client, options) => client.indices.putMapping({ index: serving, properties }, options));
  }

  async refresh(index: string): Promise<void> {
    await this.call((client, options) => client.indices.refresh({ index }, options));
  }

  async count(index: string, query: NonNullable<estypes.CountRequest['query']>): Promise<number> {
    return (await this.call((client, options) => client.count({ index, query }, options))).count;
  }

  refused(kind: RefusalKind, index: string): Error {
    const what = `The index ${index}`;
    this.connection.refusals.note(kind, what);
    return unavailable(new ElasticError(`${kind}: ${what}`, undefined, undefined, kind));
  }

  private call<T>(work: Parameters<typeof this.connection.call<T>>[0]): Promise<T> {
    return this.connection.call(work, LONG_TIMEOUT);
  }
}
