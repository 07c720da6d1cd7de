import { type ElasticConnection, unavailable } from './elastic-connection';

/** One operation of a `_bulk`. `index` is a full name; `document` is JSON text, absent for `delete`, `{ doc }` for `update`. */
export interface BulkOperation {
  type: 'index' | 'create' | 'update' | 'delete';
  index: string;
  id: string;
  routing?: string;
  /** Written only over this state of the document. */
  expected?: { seqNo: number; primaryTerm: number };
  /** The document's own version: only a higher one than the stored is written, with `orEqual` the same one too. */
  external?: { version: number; orEqual?: boolean };
  document?: string;
}

/** What became of one operation. 409: the version or the state expected was another, or `create` found one. */
export interface BulkItem {
  status: number;
  version: number;
  seqNo: number;
  primaryTerm: number;
  /** Of the failure: `version_conflict_engine_exception`. */
  errorType?: string;
  reason?: string;
}

export interface BatcherOptions {
  /** Milliseconds that a write waits for others to share its request. */
  waitMs?: number;
  /** Characters; over it, a request is sent at once. */
  requestSize?: number;
  /** Characters waiting or under way; over it, writes are refused as `unavailable`. */
  capacity?: number;
  timeoutMs?: number;
  /** Whether a write is done only when searches see it, too. */
  searchable?: boolean;
  /** Every index named is an alias, so that none comes to be by a write that is late. */
  aliases?: boolean;
}

interface Waiting {
  lines: string;
  operations: number;
  resolve(items: BulkItem[]): void;
  reject(error: unknown): void;
}

const DEFAULTS = {
  waitMs: 2,
  requestSize: 4_000_000,
  capacity: 64_000_000,
  timeoutMs: 5000,
  searchable: false,
  aliases: false,
};
/** Requests under way at once: while one waits for the disk, the next is taken in. */
const UNDER_WAY = 2;

/**
 * Writes of many callers, gathered for a few milliseconds into one `_bulk`, so that they share one flush to disk. A call's
 * promise resolves when all its operations are done (or refused, each for itself) and on disk; it is rejected with
 * `unavailable` where the cluster could not take one of them: trying again must be harmless.
 */
export class BulkBatcher {
  private readonly options: Required<BatcherOptions>;
  private readonly waiting: Waiting[] = [];
  private waitingSize = 0;
  private heldSize = 0;
  private underWay = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly connection: ElasticConnection,
    options: BatcherOptions = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** The items of this call's operations, in their order. */
  write(operations: readonly BulkOperation[]): Promise<BulkItem[]> {
    if (operations.length === 0) return Promise.resolve([]);
    const lines = operations.map(bulkLines).join('');
    if (this.heldSize > 0 && this.heldSize + lines.length > this.options.capacity) return Promise.reject(unavailable());
    this.heldSize += lines.length;
    this.waitingSize += lines.length;
    return new Promise((resolve, reject) => {
      this.waiting.push({ lines, operations: operations.length, resolve, reject });
      if (this.waitingSize >= this.options.requestSize) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), this.options.waitMs);
    });
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length > 0 && this.underWay < UNDER_WAY) {
      const batch = this.take();
      this.underWay += 1;
      void this.send(batch).finally(() => {
        this.underWay -= 1;
        // What came meanwhile has waited long enough.
        this.flush();
      });
    }
  }

  /** Whole calls, up to the size of a request. */
  private take(): Waiting[] {
    let size = 0;
    let count = 0;
    for (const { lines } of this.waiting) {
      if (count > 0 && size + lines.length > this.options.requestSize) break;
      size += lines.length;
      count += 1;
    }
    this.waitingSize -= size;
    return this.waiting.splice(0, count);
  }

  private async send(batch: Waiting[]): Promise<void> {
    const bulkBody = batch.map(({ lines }) => lines).join('');
    const { searchable, aliases, timeoutMs } = this.options;
    const querystring = { ...(searchable ? { refresh: 'wait_for' } : {}), ...(aliases ? { require_alias: true } : {}) };
    try {
      const { items } = await this.connection.call(
        (client, options) =>
          client.transport.request<BulkAnswer>({ method: 'POST', path: '/_bulk', querystring, bulkBody }, options),
        timeoutMs,
      );
      let from = 0;
      for (const { operations, resolve, reject } of batch) {
        const own = items.slice(from, (from += operations)).map(toItem);
        const refused = own.find(({ status }) => status === 429 || status >= 500);
        if (refused) reject(unavailable(new Error(refused.reason)));
        else resolve(own);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      this.heldSize -= bulkBody.length;
    }
  }
}

/** Throws where an operation was refused for what it is, which trying again would not change. */
export function assertTaken(items: readonly BulkItem[]): void {
  const refused = items.find(({ status }) => status >= 400 && status !== 404 && status !== 409);
  if (refused) throw new Error(`A write was refused: ${refused.errorType ?? refused.status}: ${refused.reason ?? ''}`);
}

interface BulkAnswer {
  items: Record<string, AnsweredItem>[];
}

interface AnsweredItem {
  status: number;
  _version?: number;
  _seq_no?: number;
  _primary_term?: number;
  error?: { type: string; reason: string };
}

/** The lines of one operation, each ended. */
export function bulkLines({ type, index, id, routing, expected, external, document }: BulkOperation): string {
  const action = {
    _index: index,
    _id: id,
    ...(routing === undefined ? {} : { routing }),
    ...(expected ? { if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm } : {}),
    ...(external ? { version: external.version, version_type: external.orEqual ? 'external_gte' : 'external' } : {}),
  };
  const head = `${JSON.stringify({ [type]: action })}\n`;
  return document === undefined ? head : `${head}${document}\n`;
}

function toItem(answered: Record<string, AnsweredItem>): BulkItem {
  const item = Object.values(answered)[0];
  if (!item) return { status: 500, version: 0, seqNo: 0, primaryTerm: 0 };
  return {
    status: item.status,
    version: item._version ?? 0,
    seqNo: item._seq_no ?? 0,
    primaryTerm: item._primary_term ?? 0,
    ...(item.error ? { errorType: item.error.type, reason: item.error.reason } : {}),
  };
}
