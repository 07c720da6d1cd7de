import type { BulkOperation } from './bulk-batcher';
import type { Found } from './read-batcher';

/**
 * Writes a document only over the state it was decided on, so that of two writers at once one gets 409 and decides again. `found`: null
 * where there was none. `target.index`: a full name.
 */
export function writeOver(
  target: Pick<BulkOperation, 'index' | 'id' | 'routing'>,
  document: object,
  found: Pick<Found<unknown>, 'seqNo' | 'primaryTerm'> | null,
): BulkOperation {
  const operation = { ...target, document: JSON.stringify(document) };
  if (!found) return { type: 'create', ...operation };
  return { type: 'index', ...operation, expected: { seqNo: found.seqNo, primaryTerm: found.primaryTerm } };
}
