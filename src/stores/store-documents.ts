import type { DocumentKey, PutDocument } from '../documents/documents';
import type { Store } from './store';

export const recordKey = (id: string): DocumentKey => ({ store: '*', kind: 'store', id });

/** The document that says which store has an apiKey: `{ id }`. */
export const apiKeyKey = (id: string): DocumentKey => ({ store: '*', kind: 'api-key', id });

/** Of a store that is made: refused where the apiKey is another one's. */
export const apiKeyDocument = ({ id, apiKey }: Store): PutDocument => ({
  ...apiKeyKey(apiKey),
  body: { id },
  expectedVersion: 0,
});
