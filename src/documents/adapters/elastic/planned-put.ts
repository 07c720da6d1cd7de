import type { BulkItem, BulkOperation } from '../../../storage/elastic/bulk-batcher';
import type { Found } from '../../../storage/elastic/read-batcher';
import { writeOver } from '../../../storage/elastic/write-over';
import { DocumentConflict, type PutDocument } from '../../documents';
import { documentId, type StoredDocument } from './document-requests';

/** `before`: what it is written over; null: nothing. */
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
