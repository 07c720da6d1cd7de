import { hash } from 'node:crypto';
import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';

/** One learned number or product; `value` is JSON text. */
export interface LearnedDocument {
  store: string;
  generation: number;
  value: string;
}

/** Names a store's serving generation. */
export interface ServingDocument {
  store: string;
  serving: number;
}

/** Keys are of any length and script; ids of the server end at 512 bytes. */
export function entryId(store: string, generation: number, key: string): string {
  return hashOf(['entry', store, generation, key]);
}

export function servingId(store: string): string {
  return hashOf(['serving', store]);
}

const hashOf = (parts: (string | number)[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

export function entryOperation(
  index: string,
  { store, generation, key, value }: { store: string; generation: number; key: string; value: unknown },
): BulkOperation {
  const document: LearnedDocument = { store, generation, value: JSON.stringify(value) };
  return { type: 'index', index, id: entryId(store, generation, key), document: JSON.stringify(document) };
}

/** The generation is the document's version, too: an earlier one that comes later changes nothing. */
export function serveOperation(index: string, store: string, generation: number): BulkOperation {
  const document: ServingDocument = { store, serving: generation };
  const external = { version: generation, orEqual: true };
  return { type: 'index', index, id: servingId(store), external, document: JSON.stringify(document) };
}

/** Entries of the generations before one: a later one may just be being written. */
export const generationsBefore = (store: string, before: number) => ({
  bool: { filter: [{ term: { store } }, { range: { generation: { lt: before } } }] },
});
