import type { Client, estypes, TransportRequestOptions } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import type { ElasticAccess } from '../../config/server-access';
import { SettingsError } from '../../config/settings';
import { ApiError } from '../../shared/api-error';
import { Coalesced } from '../../shared/async/coalesced';
import { retry } from '../../shared/async/retry';
import { within } from '../../shared/async/within';
import { cached } from '../../shared/async/single-flight';
import { type Distribution, healthOf, isPassing, makeClient, recognise, statusOf } from './elastic-client';
import { ElasticError, withoutBodies } from './elastic-error';
import { alien, type IndexDefinition, refuseNewer } from './index-definition';
import type { NodeHealth } from './node-health';
import { monthsAhead } from './months-ahead';
import { untilOpen } from './opening';
import { OverwrittenDocuments } from './overwritten-documents';
import { Refusals } from './refusals';
import { aliasFor, missingIndex, SharedIndices } from './shared-indices';

export interface ElasticOptions extends ElasticAccess {
  /** Begins the name of every index of this installation. */
  prefix: string;
  /** Milliseconds that a request may take where nothing else is said: a search must be able to answer 503 within a second. */
  timeoutMs?: number;
  /** Longest wait for a cluster that is not there yet at the start, milliseconds; default 5,000. */
  startWithinMs?: number;
}

export type Query = NonNullable<estypes.SearchRequest['query']>;

type Request<T> = (client: Client, options: TransportRequestOptions) => Promise<T>;

const DEFAULT_TIMEOUT = 800;
/** For jobs and for changes of the cluster's own state. Milliseconds. */
export const LONG_TIMEOUT = 30_000;
const START_WITHIN = 5000;
const ASK_AGAIN_MS = 100;
const MOST_MEMBERS = 1000;

/**
 * The connection to Elasticsearch or OpenSearch. A request fails with ApiError `unavailable` where it gets no answer in time, or the cluster
 * is down or overloaded. Every other error is an ElasticError, which holds nothing of what was sent or answered, and is nobody's fault who
 * called the service. What it refuses is counted by kind. No request is sent twice.
 * When the cluster is back, requests work again without a restart.
 */
export class ElasticConnection {
  /** What the cluster refused, for those who run it. */
  readonly refusals = new Refusals();
  /** Those that write events, when this process last looked; 0: it has not. */
  writingProcesses = 0;
  /** Full names of those that all stores need, besides families. */
  readonly shared = new SharedIndices(this);
  /** Upkeep of indices whose documents are written over. */
  readonly overwritten = new OverwrittenDocuments(this);
  /** By name: families of indices, one for each month. */
  private readonly families = new Map<string, IndexDefinition>();
  private readonly refreshes = new LRUCache<string, Coalesced<unknown>>({ max: MOST_MEMBERS });
  /** Indices of families that are there. */
  private readonly members = new LRUCache<string, Promise<void>>({ max: MOST_MEMBERS });

  private constructor(
    private readonly client: Client,
    readonly distribution: Distribution,
    /** With passwords and keys: for a thread that opens a connection of its own, and nothing else. */
    readonly options: Readonly<ElasticOptions & Required<Pick<ElasticOptions, 'timeoutMs' | 'startWithinMs'>>>,
  ) {}

  /** Asks who answers at the address. Throws SettingsError, one line, where it can't be worked with. */
  static async open(given: ElasticOptions): Promise<ElasticConnection> {
    const options = { timeoutMs: DEFAULT_TIMEOUT, startWithinMs: START_WITHIN, ...given };
    const plain = makeClient(options, 'opensearch');
    await healthOf(plain).check();
    const distribution = await recognise(plain, options);
    if (distribution === 'opensearch') return new ElasticConnection(plain, distribution, options);
    await plain.close();
    const client = makeClient(options, distribution);
    await healthOf(client).check();
    return new ElasticConnection(client, distribution, options);
  }

  /** Of the addresses: which of them answer. */
  get nodes(): NodeHealth {
    return healthOf(this.client);
  }

  /** Milliseconds that a request may take where nothing else is said. */
  get timeoutMs(): number {
    return this.options.timeoutMs;
  }

  /**
   * Milliseconds that a request may take for somebody who waits until then (as `performance.now()`). Throws `unavailable` where nobody waits
   * any more.
   */
  timeLeft(until = Infinity): number {
    const left = until - performance.now();
    if (left <= 0) throw unavailable('Nobody waits for this any more');
    return Math.min(this.options.timeoutMs, Math.ceil(left));
  }

  /** What is asked for several callers at once, as long as this one of them waits (until then, as `performance.now()`). Else `unavailable`. */
  async inTime<T>(until: number | undefined, ask: () => Promise<T>): Promise<T> {
    return within(this.timeLeft(until), ask(), () => unavailable('Elasticsearch did not answer in time'));
  }

  /** The full name of an index of this installation. */
  index(name: string): string {
    return `${this.options.prefix}-${name}`;
  }

  /** Runs one request: `connection.call((client, options) => client.search(body, options))`. */
  async call<T>(request: Request<T>, timeoutMs = this.options.timeoutMs): Promise<T> {
    // Not `AbortSignal.timeout`: each of those stays until its time is over, and under load they are thousands.
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      return await request(this.client, { signal: abort.signal });
    } catch (error) {
      const plain = withoutBodies(error);
      const lost = this.shared.named(missingIndex(error) ?? '');
      if (lost !== undefined) throw unavailable(this.shared.lost(lost));
      if (plain instanceof ElasticError && plain.refusal) this.refusals.note(plain.refusal, plain.message);
      if (isPassing(error)) throw unavailable(plain);
      throw plain;
    } finally {
      clearTimeout(timer);
    }
  }

  /** `T`: the documents it finds; `A`: the aggregations it answers. */
  search<T, A = Record<string, estypes.AggregationsAggregate>>(
    request: estypes.SearchRequest,
    timeoutMs = this.options.timeoutMs,
  ): Promise<estypes.SearchResponse<T, A>> {
    // Of several indices one that can't be read is not one with nothing in it.
    const alias = this.shared.aliasOf(String(request.index));
    const whole = { allow_partial_search_results: false, ...request, ...(alias === undefined ? {} : { index: alias }) };
    return untilOpen(timeoutMs, () => this.call((client, options) => client.search<T, A>(whole, options), timeoutMs));
  }

  /**
   * Makes every write acknowledged so far visible to searches; costs next to nothing where there was none. Callers at the same time share it.
   * `index`: a full name or pattern.
   */
  async refresh(index: string, timeoutMs = LONG_TIMEOUT): Promise<void> {
    const key = `${timeoutMs} ${index}`;
    const ask = (): Promise<unknown> =>
      this.call((client, options) => client.indices.refresh({ index }, options), timeoutMs);
    const refresh = this.refreshes.get(key) ?? new Coalesced(ask);
    this.refreshes.set(key, refresh);
    await within(timeoutMs, refresh.run(), () => unavailable('A refresh took too long'));
  }

  /**
   * Creates an index where there is none, and adds what a newer definition adds to one there is. Throws SettingsError
   * where the index was made by a newer version or in a way that can't be changed, or was lost, or the user may not create it.
   */
  async ensureIndex(name: string, definition: IndexDefinition): Promise<void> {
    const index = this.index(name);
    try {
      await this.shared.assertNotLost(index);
      const request = { index, ...definition, aliases: { [aliasFor(index)]: {} } };
      await this.call((client, options) => client.indices.create(request, options), LONG_TIMEOUT);
    } catch (error) {
      if (statusOf(error) === 403) {
        const problem = `ELASTICSEARCH_URL: the user has no right to create the index ${index}`;
        throw new SettingsError(problem, { cause: error });
      }
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
      await this.untilStarted(index);
      await this.upgrade(index, definition);
      await this.shared.name(index);
    }
    this.shared.add(index);
  }

  /**
   * The same for a family of indices, `<name>-<year>-<month>`. Each is created from the definition when it is first written to, or ahead by
   * `prepareMonths`. Existing ones get what a newer definition adds.
   */
  async ensureFamily(name: string, definition: IndexDefinition): Promise<void> {
    this.families.set(name, definition);
    await this.ensureTemplate(name, definition);
    await this.upgrade(`${this.index(name)}-*`, definition);
  }

  /** For indices that the cluster makes by itself, and for older versions of the service, which leave it to the cluster. */
  private async ensureTemplate(name: string, definition: IndexDefinition): Promise<void> {
    const template = this.index(name);
    const index = `${template}-*`;
    const found = await this.call(
      (client, options) => client.indices.getIndexTemplate({ name: template }, { ...options, ignore: [404] }),
      LONG_TIMEOUT,
    );
    const schema = Number(found.index_templates?.[0]?.index_template.template?.mappings?._meta?.['schema'] ?? 0);
    refuseNewer(index, schema, definition);
    if (schema < definition.mappings._meta.schema) {
      const request = { name: template, index_patterns: [index], priority: 500, template: definition };
      await this.call((client, options) => client.indices.putIndexTemplate(request, options), LONG_TIMEOUT);
    }
  }

  /**
   * Creates an index of a family by its definition, whether or not the template is still there. Asks once of each index, until
   * `forgetMember`. Fails where the index is somebody else's. `index`: a full name.
   */
  ensureMember(index: string): Promise<void> {
    return cached(this.members, index, () => this.createMember(index));
  }

  /** Of an index that was there, and is no more. */
  forgetMember(index: string): void {
    this.members.delete(index);
  }

  /** This month's index of every family is there, or is made now: what can't be made takes no events. `now`: epoch ms. */
  async ensureMonth(now: number): Promise<void> {
    const [month] = monthsAhead(now);
    await Promise.all(Array.from(this.families.keys(), (name) => this.ensureMember(`${this.index(name)}-${month}`)));
  }

  /** Makes this month's and the next month's index of every family, so that none is made while a shopper waits; `now`: epoch ms. */
  async prepareMonths(now: number): Promise<void> {
    for (const [name, definition] of this.families) {
      await this.ensureTemplate(name, definition);
      for (const month of monthsAhead(now)) {
        const index = `${this.index(name)}-${month}`;
        this.forgetMember(index);
        await this.ensureMember(index);
      }
    }
  }

  private async createMember(index: string): Promise<void> {
    if (await this.isOurs(index)) return;
    const family = [...this.families].find(([name]) => index.startsWith(`${this.index(name)}-`));
    try {
      await this.call((client, options) => client.indices.create({ index, ...family?.[1] }, options), LONG_TIMEOUT);
    } catch (error) {
      if (errorType(error) !== 'resource_already_exists_exception') throw error;
      await this.isOurs(index);
    }
  }

  /** False where there is no such index. Throws `unavailable` where it is somebody else's. */
  async isOurs(index: string): Promise<boolean> {
    const request = { index, ignore_unavailable: true };
    const found = await this.call((client, options) => client.indices.getMapping(request, options), LONG_TIMEOUT);
    for (const [name, { mappings }] of Object.entries(found)) {
      if (typeof mappings._meta?.['schema'] === 'number') continue;
      const error = new ElasticError(`The index ${name}`, undefined, undefined, 'alien_index');
      this.refusals.note('alien_index', error.message);
      throw unavailable(error);
    }
    return Object.keys(found).length > 0;
  }

  async close(): Promise<void> {
    this.overwritten.close();
    await this.client.close();
  }

  /** Waits for an index that another replica is just creating, or that a cluster has not opened yet after its start. */
  private async untilStarted(index: string): Promise<void> {
    const search = () => this.search({ index, size: 0 }, LONG_TIMEOUT);
    const again = (error: unknown): boolean => error instanceof ApiError;
    await retry(search, { forMs: LONG_TIMEOUT, pauseMs: ASK_AGAIN_MS, steady: true, again });
  }

  private async upgrade(index: string, definition: IndexDefinition): Promise<void> {
    const { mappings } = definition;
    const found = await this.call((client, options) => client.indices.getMapping({ index }, options), LONG_TIMEOUT);
    for (const [name, { mappings: own }] of Object.entries(found)) {
      const schema: unknown = own._meta?.['schema'];
      if (typeof schema !== 'number') throw alien(name);
      refuseNewer(name, schema, definition);
      if (schema === mappings._meta.schema) continue;
      try {
        await this.call(
          (client, options) => client.indices.putMapping({ index: name, ...mappings }, options),
          LONG_TIMEOUT,
        );
      } catch (cause) {
        const problem = `The index ${name} can't be brought from schema ${schema} to ${mappings._meta.schema}`;
        throw new SettingsError(problem, { cause });
      }
    }
  }
}

/** `version_conflict_engine_exception` and the like; undefined where the error is none of the server's. */
export function errorType(error: unknown): string | undefined {
  return error instanceof ElasticError ? error.type : undefined;
}

/** What a caller is told when the cluster can't answer. `reason`: the error behind it, or what it would say; nothing of a body. */
export function unavailable(reason?: unknown): ApiError {
  const cause = typeof reason === 'string' ? new Error(reason) : reason;
  return new ApiError('unavailable', 'The storage does not answer at the moment; try again', { retryAfter: 1, cause });
}
