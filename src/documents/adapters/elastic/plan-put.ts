import type { BulkItem, BulkOperation } from '../../../storage/elastic/bulk-batcher';
import { DocumentConflict, type PutDocument } from '../../documents';
import type { Found } from '../../../storage/elastic/read-batcher';
import { documentId, type StoredDocument } from './document-requests';

export interface PlannedWrite {
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
): { writes: PlannedWrite[]; versions: number[] } {
  const writes = new Map<string, PlannedWrite>();
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
export function undoPut(index: string, writes: readonly PlannedWrite[], items: readonly BulkItem[]): BulkOperation[] {
  return writes.flatMap(({ id, before }, at): BulkOperation[] => {
    const item = items[at];
    if (!item || item.status >= 300) return [];
    const expected = { seqNo: item.seqNo, primaryTerm: item.primaryTerm };
    if (!before) return [{ type: 'delete', index, id, expected }];
    return [{ type: 'index', index, id, expected, document: JSON.stringify(before.source) }];
  });
}
