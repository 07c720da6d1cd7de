import { type ElasticConnection, unavailable } from './elastic';

/** A document as it is, and its state, which a write may name as the one it expects. */
export interface Found<T> {
  source: T;
  seqNo: number;
  primaryTerm: number;
}

interface Waiting {
  asked: Asked[];
  /** When, as `performance.now()`. */
  since: number;
  resolve(found: (Found<unknown> | null)[]): void;
  reject(error: unknown): void;
}

interface Asked {
  _index: string;
  _id: string;
  routing?: string;
}

/** Requests under way at once; what is asked meanwhile shares the next one. So a lone read waits for nobody. */
const UNDER_WAY = 4;
/** Documents of one request, but for a caller who asks for more. */
const REQUEST_SIZE = 1000;
const TIMEOUT_MS = 5000;

/**
 * Reads by id of many callers, gathered into one `_mget`. A read sees every write that was acknowledged before it was asked
 * for, also those no search would see yet.
 */
export class ReadGatherer {
  private waiting: Waiting[] = [];
  private underWay = 0;
  private planned = false;

  /** `timeoutMs`: how long a read may take. */
  constructor(
    private readonly connection: ElasticConnection,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** In the order asked; null where there is none, or no such index. `index` is a full name. */
  async read<T>(index: string, ids: readonly string[], routing?: string): Promise<(Found<T> | null)[]> {
    const place = { _index: index, ...(routing === undefined ? {} : { routing }) };
    const found = await this.readAll(ids.map((id) => ({ ...place, _id: id })));
    return found as (Found<T> | null)[];
  }

  readAll(asked: Asked[]): Promise<(Found<unknown> | null)[]> {
    if (asked.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, since: performance.now(), resolve, reject });
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
      const waited = performance.now() - (batch[0]?.since ?? 0);
      const answer = await this.connection.call(
        (client, options) => client.mget({ docs }, options),
        Math.max(1, Math.ceil(this.timeoutMs - waited)),
      );
      const found = answer.docs.map(foundIn);
      for (const { asked, resolve } of batch) {
        resolve(asked.map((one) => found[places.get(nameOf(one)) ?? -1] ?? null));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

const nameOf = ({ _index, _id }: Asked): string => `${_index}\n${_id}`;

type Answered = Awaited<ReturnType<import('@elastic/elasticsearch').Client['mget']>>['docs'][number];

function foundIn(doc: Answered): Found<unknown> | null {
  if ('error' in doc) {
    if (doc.error.type === 'index_not_found_exception') return null;
    throw unavailable(new Error(doc.error.reason ?? doc.error.type));
  }
  if (!doc.found) return null;
  return { source: doc._source, seqNo: doc._seq_no ?? 0, primaryTerm: doc._primary_term ?? 0 };
}
