import { type ElasticConnection, unavailable } from './elastic';

/** A document as it is, and its state, which a write may name as the one it expects. */
export interface Found<T> {
  source: T;
  seqNo: number;
  primaryTerm: number;
}

interface Waiting {
  asked: Asked[];
  resolve(found: (Found<unknown> | null)[]): void;
  reject(error: unknown): void;
}

interface Asked {
  _index: string;
  _id: string;
}

/** Milliseconds that a read waits for others to share its request. */
const WAIT_MS = 1;
/** Documents; over it, a request is sent at once. */
const REQUEST_SIZE = 1000;
const TIMEOUT_MS = 5000;

/**
 * Reads by id of many callers, gathered for a millisecond into one `_mget`. A read sees every write that was acknowledged
 * before it was asked for, also those no search would see yet.
 */
export class ReadGatherer {
  private waiting: Waiting[] = [];
  private documents = 0;
  private timer: NodeJS.Timeout | undefined;

  /** `timeoutMs`: how long a request may take. */
  constructor(
    private readonly connection: ElasticConnection,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** In the order asked; null where there is none, or no such index. `index` is a full name. */
  async read<T>(index: string, ids: readonly string[]): Promise<(Found<T> | null)[]> {
    const found = await this.readAll(ids.map((id) => ({ _index: index, _id: id })));
    return found as (Found<T> | null)[];
  }

  readAll(asked: Asked[]): Promise<(Found<unknown> | null)[]> {
    if (asked.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      this.documents += asked.length;
      if (this.documents >= REQUEST_SIZE) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), WAIT_MS);
    });
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting;
    this.waiting = [];
    this.documents = 0;
    if (batch.length > 0) void this.send(batch);
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
      const answer = await this.connection.call((client, options) => client.mget({ docs }, options), this.timeoutMs);
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
