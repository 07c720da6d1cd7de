import { type BatchedCall, Batcher } from '../../shared/async/batcher';
import { within } from '../../shared/async/within';
import { traced } from '../../shared/tracing';
import { apart } from './apart';
import { type ElasticConnection, unavailable } from './elastic-connection';
import { ElasticError } from './elastic-error';
import { isOpening, mayWait, untilOpen } from './opening';
import { refusalKind } from './refusals';

/** A document as it is, and its state, which a write may name as the one it expects. */
export interface Found<T> {
  source: T;
  seqNo: number;
  primaryTerm: number;
}

/** Names one document; `_index` is a full name. */
export interface DocumentLocation {
  _index: string;
  _id: string;
  routing?: string;
}

interface ReadRequest {
  locations: readonly DocumentLocation[];
  /** As `performance.now()`. */
  until: number;
}

type ReadCall = BatchedCall<ReadRequest, (Found<unknown> | null)[]>;

interface Reads {
  requests: Batcher<ReadRequest, (Found<unknown> | null)[]>;
  /** Full names of indices that could not be read although somebody waited for them. */
  lost: Set<string>;
}

/** Requests under way at once; what is asked for meanwhile shares the next one. So a single read waits for nobody. */
const REQUESTS = 2;
/** Documents of one request, unless one caller asks for more. */
const REQUEST_SIZE = 1000;
const TIMEOUT_MS = 5000;
/** A request that takes longer keeps no other from being sent. */
const SLOW_MS = 300;

/**
 * Reads by id of many callers, batched into one `_mget`: of all that use a connection, whatever they read. A request costs the cluster more
 * than the few documents of it. A read sees every write that was acknowledged before it was asked for, also those no search would see yet.
 */
export class ReadBatcher {
  private static readonly shared = new WeakMap<ElasticConnection, Reads>();

  private constructor(
    private readonly reads: Reads,
    private readonly timeoutMs: number,
  ) {}

  /** `timeoutMs`: how long a read may take. */
  static of(connection: ElasticConnection, timeoutMs = TIMEOUT_MS): ReadBatcher {
    const reads = ReadBatcher.shared.get(connection) ?? readsOf(connection);
    ReadBatcher.shared.set(connection, reads);
    return new ReadBatcher(reads, timeoutMs);
  }

  /** For reads that are long or many, so that nobody waits for those. */
  static apart(connection: ElasticConnection, timeoutMs: number): ReadBatcher {
    return new ReadBatcher(readsOf(connection), timeoutMs);
  }

  /** In the order asked; null where there is none, or no such index that only some stores need. `index` is a full name. */
  async read<T>(index: string, ids: readonly string[], routing?: string): Promise<(Found<T> | null)[]> {
    const base = { _index: index, ...(routing === undefined ? {} : { routing }) };
    const found = await this.readAll(ids.map((_id) => ({ ...base, _id })));
    return found as (Found<T> | null)[];
  }

  readAll(locations: readonly DocumentLocation[]): Promise<(Found<unknown> | null)[]> {
    if (locations.length === 0) return Promise.resolve([]);
    return traced(
      () => ({ name: 'shared read', kind: 'part', attributes: { documents: locations.length } }),
      () => this.readTogether(locations),
    );
  }

  private readTogether(locations: readonly DocumentLocation[]): Promise<(Found<unknown> | null)[]> {
    // Who shares a request with others who have more time does not wait as long.
    return within(this.timeoutMs, this.readOpen(locations), () => unavailable('A read took too long'));
  }

  /** An index that was waited for in vain is lost, not opening: until it is read again, nobody else waits for it. */
  private async readOpen(locations: readonly DocumentLocation[]): Promise<(Found<unknown> | null)[]> {
    const { requests, lost } = this.reads;
    const until = performance.now() + this.timeoutMs;
    const read = (): Promise<(Found<unknown> | null)[]> => requests.add({ locations, until });
    const indices = new Set(locations.map(({ _index }) => _index));
    const isLost = [...indices].some((index) => lost.has(index));
    try {
      const found = await (isLost ? read() : untilOpen(this.timeoutMs, read));
      for (const index of indices) lost.delete(index);
      return found;
    } catch (error) {
      if (mayWait(this.timeoutMs) && isOpening(error)) for (const index of indices) lost.add(index);
      throw error;
    }
  }
}

function readsOf(connection: ElasticConnection): Reads {
  const requests = new Batcher<ReadRequest, (Found<unknown> | null)[]>({
    requests: REQUESTS,
    slowMs: SLOW_MS,
    maxSize: REQUEST_SIZE,
    sizeOf: ({ locations }) => locations.length,
    send: (batch) => apart(batch, (part) => send(connection, part)),
  });
  return { requests, lost: new Set() };
}

async function send(connection: ElasticConnection, batch: readonly ReadCall[]): Promise<void> {
  // What several callers ask for is asked for once.
  const indexOf = new Map<string, number>();
  const docs: DocumentLocation[] = [];
  for (const location of batch.flatMap(({ item }) => item.locations)) {
    const key = keyOf(location);
    if (indexOf.has(key)) continue;
    const _index = connection.shared.aliasOf(location._index) ?? location._index;
    indexOf.set(key, docs.push({ ...location, _index }) - 1);
  }
  const left = Math.max(...batch.map(({ item }) => item.until)) - performance.now();
  const answer = await connection.call(
    (client, options) => client.mget({ docs }, options),
    Math.max(1, Math.ceil(left)),
  );
  for (const { item, resolve, reject } of batch) {
    const own = item.locations.flatMap((location) => answer.docs[indexOf.get(keyOf(location)) ?? -1] ?? []);
    // An index that can't be read does not concern those who read another.
    const problem = own.flatMap((doc) => problemOf(connection, doc) ?? [])[0];
    if (problem?.refusal && problem.refusal !== 'index_lost')
      connection.refusals.note(problem.refusal, problem.message);
    if (problem) reject(unavailable(problem));
    else resolve(own.map(foundIn));
  }
}

const keyOf = ({ _index, _id }: DocumentLocation): string => `${_index}\n${_id}`;

type Answered = Awaited<ReturnType<import('@elastic/elasticsearch').Client['mget']>>['docs'][number];

function problemOf(connection: ElasticConnection, doc: Answered): ElasticError | null {
  if (!('error' in doc)) return null;
  const shared = connection.shared.named(doc._index);
  if (doc.error.type === 'index_not_found_exception')
    return shared === undefined ? null : connection.shared.lost(shared);
  const { type } = doc.error;
  // A document of a shard that is not there has no status of its own.
  const refusal = type === 'index_closed_exception' ? refusalKind(400, doc.error) : undefined;
  return new ElasticError(`A read failed: ${shared ?? doc._index} ${type}`, undefined, type, refusal);
}

function foundIn(doc: Answered): Found<unknown> | null {
  if ('error' in doc || !doc.found) return null;
  return { source: doc._source, seqNo: doc._seq_no ?? 0, primaryTerm: doc._primary_term ?? 0 };
}
