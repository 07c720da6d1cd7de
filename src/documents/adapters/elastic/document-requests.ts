import type { estypes } from '@elastic/elasticsearch';
import { digestOf } from '../../../shared/digest';
import type { BulkItem, BulkOperation } from '../../../storage/elastic/bulk-batcher';
import type { Found } from '../../../storage/elastic/read-batcher';
import { writeOver } from '../../../storage/elastic/write-over';
import { type Document, DocumentConflict, type DocumentKey, type PutDocument } from '../../documents';

/** A document as stored. The body is JSON text: no depth, key or number of it means anything to the server. */
export interface StoredDocument extends DocumentKey {
  version: number;
  body: string;
}

export interface StoredCounter {
  store: string;
  counter: string;
  value: number;
}

/** Documents and counters. */
export const INDEX = 'documents';
/** Documents of one page of a list. */
export const PAGE = 500;

/** Keys are up to 256 characters of any script in each part; ids of the server end at 512 bytes. */
export function documentId({ kind, store, id }: DocumentKey): string {
  return digestOf('document', kind, store, id);
}

export function counterId({ kind, store, id }: DocumentKey): string {
  return digestOf('counter', kind, store, id);
}

/** A page of a list, in id order; `after` is the sort of the last hit before it. */
export function listRequest(
  index: string,
  { kind, store }: { kind: string; store?: string },
  after?: estypes.SortResults,
): estypes.SearchRequest {
  const filter: estypes.QueryDslQueryContainer[] = [{ term: { kind } }];
  if (store !== undefined) filter.push({ term: { store } });
  return {
    index,
    size: PAGE,
    track_total_hits: false,
    query: { bool: { filter } },
    sort: [{ id: 'asc' }, { store: 'asc' }],
    ...(after ? { search_after: after } : {}),
  };
}

export function toDocument<T>({ kind, store, id, version, body }: StoredDocument): Document<T> {
  return { kind, store, id, version, body: JSON.parse(body) as T };
}

interface PlannedPut {
  id: string;
  document: StoredDocument;
  before: Found<StoredDocument> | null;
}

/**
 * What a `put` writes, given what is stored, and the versions it answers. A key that is named twice is written once, as
 * it is in the end. Throws DocumentConflict for the first that is not at its expected version.
 */
export function planPut(
  documents: readonly PutDocument[],
  stored: ReadonlyMap<string, Found<StoredDocument> | null>,
): { writes: PlannedPut[]; versions: number[] } {
  const writes = new Map<string, PlannedPut>();
  const versions = documents.map(({ kind, store, id: name, body, expectedVersion }) => {
    const id = documentId({ kind, store, id: name });
    const before = stored.get(id) ?? null;
    const version = writes.get(id)?.document.version ?? before?.source.version ?? 0;
    if (expectedVersion !== undefined && expectedVersion !== version) {
      throw new DocumentConflict(`${kind} ${name} is at version ${version}, and the write expected ${expectedVersion}`);
    }
    const document = { kind, store, id: name, version: version + 1, body: JSON.stringify(body) };
    writes.set(id, { id, document, before });
    return document.version;
  });
  return { writes: [...writes.values()], versions };
}

/** Puts back what was there before the writes that went through; what somebody wrote over them since stays. */
export function undoPut(index: string, writes: readonly PlannedPut[], items: readonly BulkItem[]): BulkOperation[] {
  return writes.flatMap(({ id, before }, n): BulkOperation[] => {
    const item = items[n];
    if (!item || item.status >= 300) return [];
    if (before) return [writeOver({ index, id }, before.source, item)];
    return [{ type: 'delete', index, id, expected: { seqNo: item.seqNo, primaryTerm: item.primaryTerm } }];
  });
}
