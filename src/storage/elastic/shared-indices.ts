import type { Client, TransportRequestOptions } from '@elastic/elasticsearch';
import { SettingsError } from '../../config/settings';
import { ApiError } from '../../shared/api-error';
import { SingleFlight } from '../../shared/async/single-flight';
import { ElasticError, refusalOf } from './elastic-error';
import { definedIndices } from './index-definition';
import type { Refusals } from './refusals';

/** Of the connection. */
interface Cluster {
  readonly refusals: Refusals;
  call<T>(request: (client: Client, options: TransportRequestOptions) => Promise<T>, timeoutMs?: number): Promise<T>;
  isOurs(index: string): Promise<boolean>;
  index(name: string): string;
}

/** Of the mappings of an index: what is known of the installation beside it. */
interface Meta {
  schema?: unknown;
  /** Names, without the prefix, of the indices that all stores need and that have been made. */
  installed?: unknown;
}

/** Begins the names of indices that one store alone needs. */
export const OF_ONE_STORE = 'products-';

/** After the name of an index; the user's rights are those of names that begin with the prefix. */
const SUFFIX = '.there';

/** Ends the names of indices of months. */
export const MONTH = /-\d{4}-\d{2}$/;

const NOT_MADE_ANEW = 'and not made anew, empty: restore from a snapshot, as docs/operations.md says';

/** For a request about the cluster's state, milliseconds. */
const NAMED_WITHIN_MS = 30_000;

const HEALTH = { level: 'indices', filter_path: 'indices.*.status', expand_wildcards: 'all' };

interface HealthAnswer {
  indices?: Record<string, { status: string }>;
}

export const aliasFor = (index: string): string => `${index}${SUFFIX}`;

/**
 * The indices that all stores need, each with an alias that is made and goes with it. What is written and read names the alias, so that a lost
 * index does not come to be again by a write, empty and in the cluster's own way, and that of one that somebody else made in its stead nothing
 * is shown. What is read of one that is gone is `unavailable`, never nothing.
 */
export class SharedIndices {
  private readonly names = new Set<string>();
  private readonly naming = new SingleFlight<void>();

  constructor(private readonly connection: Cluster) {}

  /** `index`: a full name, as everywhere here. */
  add(index: string): void {
    this.names.add(index);
  }

  has(index: string): boolean {
    return this.names.has(index);
  }

  /** Of one of them, or of its alias: the index. */
  named(name: string): string | undefined {
    const index = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : name;
    return this.names.has(index) ? index : undefined;
  }

  /** Undefined where the index is not one of them. */
  aliasOf(index: string): string | undefined {
    return this.names.has(index) ? aliasFor(index) : undefined;
  }

  /**
   * Fails where an index was made before and is there no more, naming all that are gone: those that are left remember, those of months too. A
   * process that made it anew, empty, would hide what was lost, and stand in the way of the snapshot. Nothing is remembered before the first
   * start has come to its end; months alone are none that has just begun, since theirs are made after the others.
   */
  async assertNotLost(index: string): Promise<void> {
    const metas = await this.metas();
    if (metas.has(index)) return;
    const known = this.known(metas);
    const ours = Array.from(metas).flatMap(([name, { schema }]) => (typeof schema === 'number' ? [name] : []));
    const monthsAlone = ours.length > 0 && ours.every((name) => MONTH.test(name));
    if (!known.has(index) && !monthsAlone) return;
    const gone = [...known.add(index)].filter((name) => !metas.has(name)).toSorted();
    const [was, it, itIs] = gone.length > 1 ? ['were', 'them', 'They are'] : ['was', 'it', 'It is'];
    const problem = `The ${indices(gone)} ${was} made before and ${areOrIs(gone)} gone (index_lost)`;
    throw new SettingsError(
      `${problem}: restore ${it} from a snapshot, as docs/operations.md says. ${itIs} not made anew, empty`,
    );
  }

  /** Writes down, in each of them and in the latest of each family of months, which there are: what `assertNotLost` goes by. */
  async remember(): Promise<void> {
    const metas = await this.metas();
    const known = this.known(metas);
    for (const index of this.names) known.add(index);
    const installed = Array.from(known, (index) => this.shortName(index)).toSorted();
    for (const index of [...this.names, ...latestMonths([...metas.keys()])]) {
      const meta = metas.get(index);
      if (!meta || namesIn(meta.installed).length === installed.length) continue;
      const request = { index, _meta: { ...meta, installed } };
      await this.connection.call((client, options) => client.indices.putMapping(request, options), NAMED_WITHIN_MS);
    }
  }

  /** Gives an index its alias: one that a version before this one made, or that was restored without. */
  async name(index: string): Promise<void> {
    const request = { index, name: aliasFor(index) };
    await this.connection.call((client, options) => client.indices.putAlias(request, options), NAMED_WITHIN_MS);
  }

  /** Counts and tells that some are gone. One that is there again without its alias gets that. */
  lost(...gone: string[]): ElasticError {
    const said = `The ${indices(gone)} ${areOrIs(gone)} gone`;
    const error = new ElasticError(said, 404, 'index_not_found_exception', 'index_lost');
    this.connection.refusals.note('index_lost', error.message);
    for (const index of gone) this.naming.run(index, () => this.nameAgain(index)).catch(() => undefined);
    return error;
  }

  /**
   * Fails with `unavailable` and their names where some are not there or somebody else's, or one of these or of a month can't be read. `index`: a
   * pattern of them.
   */
  async assertThere(index: string): Promise<void> {
    const [aliased] = await Promise.all([this.aliased(), this.assertReadable(index)]);
    for (const name of this.names) if (!aliased.has(name)) await this.assertOurs(name);
  }

  private async assertOurs(index: string): Promise<void> {
    try {
      await this.nameAgain(index);
    } catch (error) {
      const alien = refusalOf(error);
      throw alien ? unusable(alien, ' was made by somebody else: delete or rename it, and restore ours') : error;
    }
  }

  private async assertReadable(index: string): Promise<void> {
    const request = { method: 'GET', path: `/_cluster/health/${index}`, querystring: HEALTH };
    const { indices: found = {} } = await this.connection.call((client, options) =>
      client.transport.request<HealthAnswer>(request, options),
    );
    const gone = [...this.names].filter((name) => !found[name]);
    if (gone.length > 0) throw unusable(this.lost(...gone), ` ${NOT_MADE_ANEW}`);
    const red = Object.keys(found).find((name) => found[name]?.status === 'red');
    if (red === undefined) return;
    const error = new ElasticError(`The index ${red} can't be read`, 503, undefined, 'index_unreadable');
    this.connection.refusals.note('index_unreadable', error.message);
    throw unusable(error);
  }

  /** Full names of those that the others remember. */
  private known(metas: ReadonlyMap<string, Meta>): Set<string> {
    const names = Array.from(metas.values()).flatMap(({ installed }) => namesIn(installed));
    return new Set(names.map((name) => this.connection.index(name)));
  }

  /**
   * Of every index of this installation but those of one store, by its full name. Others may share the server, and begin their names with a
   * longer prefix.
   */
  private async metas(): Promise<Map<string, Meta>> {
    const request = {
      index: `${this.connection.index('*')},-${this.connection.index(OF_ONE_STORE)}*`,
      expand_wildcards: 'all' as const,
      filter_path: '*.mappings._meta',
    };
    const found = await this.connection.call(
      (client, options) => client.indices.getMapping(request, options),
      NAMED_WITHIN_MS,
    );
    const ours = Object.entries(found).filter(([index]) => this.isDefined(index));
    return new Map(ours.map(([index, { mappings }]) => [index, mappings._meta ?? {}]));
  }

  /** Those that have their alias, which is of none that somebody else made. */
  private async aliased(): Promise<Set<string>> {
    const index = this.connection.index('*');
    const request = { index, name: aliasFor(index), expand_wildcards: 'all' as const };
    const found = await this.connection.call((client, options) => client.indices.getAlias(request, options));
    return new Set(Object.keys(found));
  }

  private isDefined(index: string): boolean {
    return this.names.has(index) || definedIndices().has(this.shortName(index).replace(MONTH, ''));
  }

  private shortName(index: string): string {
    return index.slice(this.connection.index('').length);
  }

  private async nameAgain(index: string): Promise<void> {
    if (await this.connection.isOurs(index)) await this.name(index);
  }
}

const namesIn = (installed: unknown): string[] => (Array.isArray(installed) ? installed.map(String) : []);

const areOrIs = (names: readonly string[]): string => (names.length > 1 ? 'are' : 'is');

function indices(names: readonly string[]): string {
  if (names.length < 2) return `index ${names.join('')}`;
  return `indices ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Of each family, by its name. */
function latestMonths(names: readonly string[]): string[] {
  const latest = new Map<string, string>();
  for (const name of names.filter((one) => MONTH.test(one)).toSorted()) latest.set(name.replace(MONTH, ''), name);
  return [...latest.values()];
}

/** `todo`: what whoever runs it can do. */
function unusable(cause: ElasticError, todo = ''): ApiError {
  return new ApiError('unavailable', `${cause.message}${todo}`, { retryAfter: 1, cause });
}

/** The index that a request named, where an error says that there is none of that name. */
export function missingIndex(error: unknown): string | undefined {
  const { body } = Object(error) as { body?: { error?: { type?: unknown; index?: unknown } } };
  return body?.error?.type === 'index_not_found_exception' ? String(body.error.index) : undefined;
}
