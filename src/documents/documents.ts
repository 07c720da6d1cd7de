/** Names one document. `store`: a store's internal id, or `*` for what belongs to the whole service. */
export interface DocumentKey {
  store: string;
  kind: string;
  id: string;
}

export interface Document<T = unknown> extends DocumentKey {
  body: T;
  /** 1 for the first write of a key, then one more each time. */
  version: number;
}

export interface PutDocument extends DocumentKey {
  body: unknown;
  /** Write only if the stored version is this one; 0: only if there is none. Absent: whatever is there. */
  expectedVersion?: number;
}

/** Thrown by `put` when the stored version is not the expected one. */
export class DocumentConflict extends Error {
  override readonly name = 'DocumentConflict';
}

/**
 * Small versioned settings: stores, origins, tokens, templates, facet ids, the audit list. Whole documents are read and
 * written; there is no query language on purpose. A write is durable when its promise resolves and visible to every
 * later read. Bodies are JSON values, at most a few hundred kilobytes.
 */
export abstract class Documents {
  /** Whether other processes write too: then what was read may be remembered for a second, else until it is written here. */
  abstract readonly shared: boolean;
  abstract get<T>(key: DocumentKey): Promise<Document<T> | null>;
  /** All documents of a kind in id order; `store` absent: of every store. */
  abstract list<T>(query: { kind: string; store?: string }): Promise<Document<T>[]>;
  /** Several writes succeed or fail together (DocumentConflict names the first that failed). Returns the new versions. */
  abstract put(documents: PutDocument[]): Promise<number[]>;
  /** True where there was one. */
  abstract remove(key: DocumentKey): Promise<boolean>;
  /** Everything of a store; the number removed. */
  abstract removeStore(store: string): Promise<number>;
  /** Adds `by` to a durable counter and returns its new value; counters start at 0. */
  abstract increment(counter: DocumentKey, by: number): Promise<number>;
}
