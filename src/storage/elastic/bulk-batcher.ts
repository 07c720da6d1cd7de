import type { estypes } from '@elastic/elasticsearch';
import { LRUCache } from 'lru-cache';
import { type BatchedCall, Batcher } from '../../shared/async/batcher';
import { traced } from '../../shared/tracing';
import { apart } from './apart';
import { type ElasticConnection, unavailable } from './elastic-connection';
import { ElasticError } from './elastic-error';
import { type RefusalKind, refusalKind } from './refusals';

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
  /** Of the failure: `version_conflict_engine_exception`. The reason is left out: it may quote the document. */
  errorType?: string;
  /** Why the cluster would not take it. */
  refusal?: RefusalKind;
}

export interface BulkOptions {
  /** Milliseconds that a write waits for others to share its request, default 2. */
  waitMs?: number;
  /** Characters, default 4,000,000; over it, a request is sent at once. */
  requestSize?: number;
  /** Characters waiting or under way, default 64,000,000; over it, writes are refused as `unavailable`. */
  capacity?: number;
  /** Default 5,000. */
  timeoutMs?: number;
  /** Every index named is an alias, so that none comes to be by a write that is late. */
  aliases?: boolean;
}

type WriteCall = BatchedCall<WriteRequest, BulkItem[]>;

interface WriteRequest {
  lines: string;
  /** Full names of the indices written to, one for each operation. */
  indices: readonly string[];
}

/** Requests under way at once: while one waits for the disk, the next is taken in. */
const REQUESTS = 2;
/** Milliseconds after which a request holds nobody else's up. */
const SLOW_MS = 500;
/** Sets of indices whose writes are batched; of more, the one written to least recently is forgotten. */
const MOST_SETS = 500;
/** Of the time of a request: so long an operation waits for a shard that is not there, and fails then alone. */
const SHARD_WAIT_SHARE = 0.5;

/**
 * Writes of many callers, batched for a few milliseconds into one `_bulk`, so that they share one flush to disk. A call's promise resolves
 * when all its operations are done (or refused, each for itself) and on disk. It is rejected with `unavailable` where the cluster could not
 * take one of them: trying again must be harmless. Those who share a request write to the same indices, so that an index that is slow or
 * not there is the concern of those alone who write to it.
 */
export class BulkBatcher {
  /** By the indices written to. */
  private readonly writes = new LRUCache<string, Batcher<WriteRequest, BulkItem[]>>({ max: MOST_SETS });
  private heldSize = 0;

  constructor(
    private readonly connection: ElasticConnection,
    private readonly options: BulkOptions = {},
  ) {}

  /** The items of this call's operations, in their order. */
  write(operations: readonly BulkOperation[]): Promise<BulkItem[]> {
    if (operations.length === 0) return Promise.resolve([]);
    const { shared } = this.connection;
    const lines = operations.map((operation) => bulkLines(operation, shared.aliasOf(operation.index))).join('');
    const { capacity = 64_000_000 } = this.options;
    if (this.heldSize > 0 && this.heldSize + lines.length > capacity) return Promise.reject(unavailable());
    this.heldSize += lines.length;
    return traced(
      () => ({ name: 'shared write', kind: 'part', attributes: { documents: operations.length } }),
      () => this.writesTo(operations).add({ lines, indices: operations.map(({ index }) => index) }),
    );
  }

  private writesTo(operations: readonly BulkOperation[]): Batcher<WriteRequest, BulkItem[]> {
    const indices = [...new Set(operations.map(({ index }) => index))].sort().join(' ');
    let writes = this.writes.get(indices);
    if (!writes) {
      const { waitMs = 2, requestSize: maxSize = 4_000_000 } = this.options;
      const sizeOf = ({ lines }: WriteRequest): number => lines.length;
      const send = (batch: WriteCall[]): Promise<void> => this.sendAll(batch);
      this.writes.set(
        indices,
        (writes = new Batcher({ waitMs, requests: REQUESTS, slowMs: SLOW_MS, maxSize, sizeOf, send })),
      );
    }
    return writes;
  }

  private sendAll(batch: readonly WriteCall[]): Promise<void> {
    const held = batch.map((call) => this.held(call));
    return apart(held, (part) => this.send(part));
  }

  /** A call that is no longer held once it is answered. */
  private held({ item, resolve, reject }: WriteCall): WriteCall {
    const release = (): void => void (this.heldSize -= item.lines.length);
    return {
      item,
      resolve: (items) => {
        release();
        resolve(items);
      },
      reject: (error) => {
        release();
        reject(error);
      },
    };
  }

  private async send(batch: readonly WriteCall[]): Promise<void> {
    const bulkBody = batch.map(({ item }) => item.lines).join('');
    const { aliases, timeoutMs = 5000 } = this.options;
    const querystring = {
      timeout: `${Math.ceil(timeoutMs * SHARD_WAIT_SHARE)}ms`,
      ...(aliases ? { require_alias: true } : {}),
    };
    const { items } = await this.connection.call(
      (client, options) =>
        client.transport.request<estypes.BulkResponse>(
          { method: 'POST', path: '/_bulk', querystring, bulkBody },
          options,
        ),
      timeoutMs,
    );
    let from = 0;
    for (const { item, resolve, reject } of batch) {
      const answered = items.slice(from, (from += item.indices.length));
      this.noteOverwritten(item.indices, answered);
      const own = answered.map(toItem);
      const lost = item.indices.find((index, n) => isMissing(own[n]) && this.connection.shared.has(index));
      if (lost !== undefined) {
        reject(unavailable(this.connection.shared.lost(lost)));
        continue;
      }
      for (const one of own) if (one.refusal) this.connection.refusals.note(one.refusal, causeOf(one));
      const refused = own.find(({ status }) => status === 429 || status >= 500);
      if (refused) reject(unavailable(refusedItem(refused)));
      else resolve(own);
    }
  }

  private noteOverwritten(
    indices: readonly string[],
    answered: readonly estypes.BulkResponse['items'][number][],
  ): void {
    const counts = new Map<string, number>();
    for (const [n, operation] of answered.entries()) {
      const { result } = Object.values(operation)[0] ?? {};
      const index = indices[n];
      if (index !== undefined && (result === 'updated' || result === 'deleted'))
        counts.set(index, (counts.get(index) ?? 0) + 1);
    }
    for (const [index, count] of counts) this.connection.overwritten.note(index, count);
  }
}

/** Throws where an operation was refused: `unavailable` where that passes, be it when somebody sees to it. */
export function assertTaken(items: readonly BulkItem[]): void {
  const refused = items.find(({ status }) => status >= 400 && status !== 404 && status !== 409);
  if (refused)
    throw refused.refusal && refused.refusal !== 'other' ? unavailable(refusedItem(refused)) : refusedItem(refused);
}

const refusedItem = (item: BulkItem): ElasticError =>
  new ElasticError(causeOf(item), item.status, item.errorType, item.refusal);

const causeOf = ({ errorType, status }: BulkItem): string => `A write was refused: ${status} ${errorType ?? ''}`.trim();

const isMissing = (item: BulkItem | undefined): boolean => item?.errorType === 'index_not_found_exception';

/** The lines of one operation, each ended. `alias`: of the index, without which it is not written. */
export function bulkLines(
  { type, index, id, routing, expected, external, document }: BulkOperation,
  alias?: string,
): string {
  const action = {
    _index: alias ?? index,
    ...(alias === undefined || type === 'delete' ? {} : { require_alias: true }),
    _id: id,
    ...(routing === undefined ? {} : { routing }),
    ...(expected ? { if_seq_no: expected.seqNo, if_primary_term: expected.primaryTerm } : {}),
    ...(external ? { version: external.version, version_type: external.orEqual ? 'external_gte' : 'external' } : {}),
  };
  const head = `${JSON.stringify({ [type]: action })}\n`;
  return document === undefined ? head : `${head}${document}\n`;
}

function toItem(answered: estypes.BulkResponse['items'][number]): BulkItem {
  const { status, _version = 0, _seq_no = 0, _primary_term = 0, error } = Object.values(answered)[0] ?? { status: 500 };
  const item = { status, version: _version, seqNo: _seq_no, primaryTerm: _primary_term };
  if (!error) return item;
  const refusal = refusalKind(status, error);
  return { ...item, errorType: error.type, ...(refusal ? { refusal } : {}) };
}
