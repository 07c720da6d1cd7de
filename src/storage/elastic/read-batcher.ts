import type { ApiError } from '../../shared/api-error';
import { type ElasticConnection, unavailable } from './elastic-connection';

/** A document as it is, and its state, which a write may name as the one it expects. */
export interface Found<T> {
  source: T;
  seqNo: number;
  primaryTerm: number;
}

interface Waiting {
  asked: Asked[];
  /** As `performance.now()`. */
  until: number;
  timer: NodeJS.Timeout;
  resolve(found: (Found<unknown> | null)[]): void;
  reject(error: unknown): void;
}

interface Asked {
  _index: string;
  _id: string;
  routing?: string;
}

/** Requests under way at once; what is asked meanwhile shares the next one. So a lone read waits for nobody. */
const UNDER_WAY = 2;
/** Documents of one request, but for a caller who asks for more. */
const REQUEST_SIZE = 1000;
const TIMEOUT_MS = 5000;

/**
 * Reads by id of many callers, gathered into one `_mget`: of all that use a connection, whatever they read. A request costs the
 * cluster more than the few documents of it. A read sees every write that was acknowledged before it was asked for, also those no
 * search would see yet.
 */
export class ReadBatcher {
  private static readonly shared = new WeakMap<ElasticConnection, Lane>();

  private constructor(
    private readonly lane: Lane,
    private readonly timeoutMs: number,
  ) {}

  /** `timeoutMs`: how long a read may take. */
  static of(connection: ElasticConnection, timeoutMs = TIMEOUT_MS): ReadBatcher {
    const lane = ReadBatcher.shared.get(connection) ?? new Lane(connection);
    ReadBatcher.shared.set(connection, lane);
    return new ReadBatcher(lane, timeoutMs);
  }

  /** For reads that are long or many, so that nobody waits for those. */
  static apart(connection: ElasticConnection, timeoutMs: number): ReadBatcher {
    return new ReadBatcher(new Lane(connection), timeoutMs);
  }

  /** In the order asked; null where there is none, or no such index. `index` is a full name. */
  async read<T>(index: string, ids: readonly string[], routing?: string): Promise<(Found<T> | null)[]> {
    const place = { _index: index, ...(routing === undefined ? {} : { routing }) };
    const found = await this.readAll(ids.map((id) => ({ ...place, _id: id })));
    return found as (Found<T> | null)[];
  }

  readAll(asked: Asked[]): Promise<(Found<unknown> | null)[]> {
    return asked.length === 0 ? Promise.resolve([]) : this.lane.read(asked, this.timeoutMs);
  }
}

/** Reads that share requests. */
class Lane {
  private waiting: Waiting[] = [];
  private underWay = 0;
  private planned = false;

  constructor(private readonly connection: ElasticConnection) {}

  read(asked: Asked[], timeoutMs: number): Promise<(Found<unknown> | null)[]> {
    return new Promise((resolve, reject) => {
      // Who asks with others who have more time does not wait as long.
      const timer = setTimeout(() => reject(unavailable(new Error('A read took too long'))), timeoutMs);
      this.waiting.push({ asked, until: performance.now() + timeoutMs, timer, resolve, reject });
      this.plan();
    });
  }

  /** What is asked in the same turn of the event loop goes together. */
  private plan(): void {
    if (this.planned || this.waiting.length === 0 || this.underWay >= UNDER_WAY) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      this.underWay += 1;
      void this.send(this.take()).then(() => {
        this.underWay -= 1;
        this.plan();
      });
      this.plan();
    });
  }

  private take(): Waiting[] {
    let documents = 0;
    const end = this.waiting.findIndex(({ asked }, place) => (documents += asked.length) > REQUEST_SIZE && place > 0);
    return this.waiting.splice(0, end < 0 ? this.waiting.length : end);
  }

  private async send(batch: Waiting[]): Promise<void> {
    // What several callers ask for is asked for once.
    const places = new Map<string, number>();
    const docs: Asked[] = [];
    for (const { asked } of batch) {
      for (const one of asked) {
        const name = nameOf(one);
        if (places.has(name)) continue;
        places.set(name, docs.length);
        docs.push(one);
      }
    }
    try {
      const left = Math.max(...batch.map(({ until }) => until)) - performance.now();
      const answer = await this.connection.call(
        (client, options) => client.mget({ docs }, options),
        Math.max(1, Math.ceil(left)),
      );
      for (const { asked, resolve, reject } of batch) {
        const own = asked.flatMap((one) => answer.docs[places.get(nameOf(one)) ?? -1] ?? []);
        // An index that can't be read is no matter of those who read another.
        const failure = own.flatMap((doc) => problemOf(doc) ?? [])[0];
        if (failure) reject(failure);
        else resolve(own.map(foundIn));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      for (const { timer } of batch) clearTimeout(timer);
    }
  }
}

const nameOf = ({ _index, _id }: Asked): string => `${_index}\n${_id}`;

type Answered = Awaited<ReturnType<import('@elastic/elasticsearch').Client['mget']>>['docs'][number];

function problemOf(doc: Answered): ApiError | null {
  if (!('error' in doc) || doc.error.type === 'index_not_found_exception') return null;
  return unavailable(new Error(doc.error.reason ?? doc.error.type));
}

function foundIn(doc: Answered): Found<unknown> | null {
  if ('error' in doc || !doc.found) return null;
  return { source: doc._source, seqNo: doc._seq_no ?? 0, primaryTerm: doc._primary_term ?? 0 };
}
