import { Injectable } from '@nestjs/common';
import { Storage } from '../../storage/storage';
import { ApiError } from '../../shared/api-error';
import { within } from '../../shared/async/within';
import { type RefusalKind, REFUSALS } from '../../storage/elastic/refusals';
import { MOST_PROCESSES } from '../../storage/elastic/sequence';
import { Metrics } from './metrics';

/** Resolves where the dependency works. */
export type ReadinessCheck = () => Promise<unknown>;

export interface ReadyReport {
  status: 'ready';
  dependencies: Record<string, 'up' | 'down'>;
  /** Stores in trouble of their own, and which; absent: none is. */
  stores?: Record<string, string>;
  /** Why a dependency is down that is not needed, where that is known. */
  reasons?: Record<string, string>;
}

/** Milliseconds. A dependency that takes longer to answer is down. */
const LIMIT_MS = 1000;

/** Whether the service can do its work, by dependency. Capabilities add checks of their own dependencies. */
@Injectable()
export class Readiness {
  private stores: () => Record<string, string> = () => ({});
  private readonly checks = new Map<string, { name: string; check: ReadinessCheck; needed: boolean }>();

  constructor(
    storage: Storage,
    private readonly metrics: Metrics,
  ) {
    storage.choose({
      embedded: () => undefined,
      // Without Redis searches are neutral, so requests may still come.
      production: ({ elastic, redis }) => {
        const kinds = Object.keys(REFUSALS) as RefusalKind[];
        const count = (kind: RefusalKind): number => elastic.refusals.count(kind);
        metrics.counter('elasticsearch_refusals_total', 'What Elasticsearch refused, by kind.', { kinds, count });
        const down = (): number => elastic.nodes.down;
        metrics.gauge('elasticsearch_nodes_down', 'Addresses in ELASTICSEARCH_URL that do not answer.', down);
        const writing = `Processes that write events, when this one last looked; at most ${MOST_PROCESSES} can.`;
        metrics.gauge('elasticsearch_writing_processes', writing, () => elastic.writingProcesses);
        const ping: ReadinessCheck = () => redis.run((client) => client.ping());
        const writes: ReadinessCheck = async () => {
          if (redis.writes.refusal !== null)
            throw new ApiError('unavailable', `It takes no writes: ${redis.writes.refusal}`);
        };
        this.add('redis', ping, { needed: false });
        this.add('redis', writes, { needed: false, part: 'writes' });
        this.export({ name: 'redis_up', help: 'Whether Redis answers in time: 1 or 0.', check: ping });
        this.export({ name: 'redis_writable', help: 'Whether Redis takes writes: 1 or 0.', check: writes });
      },
    });
  }

  /**
   * A dependency with several parts is up where all of them are; a check replaces the one before it of the same part. `needed: false`:
   * without it the service does less and is still ready.
   */
  add(
    name: string,
    check: ReadinessCheck,
    { needed = true, part = '' }: { needed?: boolean; part?: string } = {},
  ): void {
    this.checks.set(`${name} ${part}`, { name, check, needed });
  }

  /** `stores`: which of them are in trouble of their own, by apiKey. They take no replica out of service. */
  onReport(stores: () => Record<string, string>): void {
    this.stores = stores;
  }

  /** A gauge of a check, which runs whenever metrics are read. */
  export({ name, help, check }: { name: string; help: string; check: ReadinessCheck }): void {
    this.metrics.gauge(name, help, async () => ((await problemOf(check)) === null ? 1 : 0));
  }

  /**
   * `{ status, dependencies: { storage: 'up' } }`; 503 with the same dependencies where one that is needed is down. `reasons` of those that
   * are down and say why.
   */
  async report(): Promise<ReadyReport> {
    const found = await Promise.all(
      Array.from(this.checks.values(), async ({ name, needed, check }) => ({
        name,
        needed,
        problem: await problemOf(check),
      })),
    );
    const stores = this.stores();
    const troubled = Object.keys(stores).length > 0 ? { stores } : {};
    const down = found.filter(({ problem }) => problem !== null);
    const dependencies: Record<string, 'up' | 'down'> = {};
    for (const { name } of found) dependencies[name] = down.some((other) => other.name === name) ? 'down' : 'up';
    const said = down.flatMap(({ name, problem }) => (problem instanceof ApiError ? [[name, problem.message]] : []));
    const reasons = said.length > 0 ? { reasons: Object.fromEntries(said) as Record<string, string> } : {};
    if (!down.some(({ needed }) => needed)) return { status: 'ready', dependencies, ...reasons, ...troubled };
    throw new ApiError('unavailable', 'A dependency is down', {
      extra: { status: 'unready', dependencies, ...reasons, ...troubled },
    });
  }
}

/** Why a dependency is down; null where it is up. */
async function problemOf(check: ReadinessCheck): Promise<Error | null> {
  try {
    await within(LIMIT_MS, check());
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
