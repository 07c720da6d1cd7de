/** A term shoppers of a store have searched, normalised, and how many products it found when it was searched last. */
export interface QueryTerm {
  query: string;
  /** Products it found; unknown of terms that come from names of categories and brands. */
  size?: number;
}

/**
 * The terms a store's shoppers search and find something with, to be offered to others. Promised: most searched first, ties
 * by name; bounded per store. Not promised: durability of the last seconds. Whoever records leaves bots out.
 */
export abstract class QueryTerms {
  /** Counts one search. Returns at once; written in batches. */
  abstract record(store: string, query: string, size: number): void;
  /** Terms that start with a prefix, or hold a word that does; an empty prefix: the most searched. Filled up with names of
   * categories and brands where there are few. */
  abstract matching(store: string, prefix: string, limit: number): Promise<QueryTerm[]>;
  /** Forgets a store's terms. */
  abstract removeStore(store: string): Promise<void>;
  /** Writes what was counted and not written yet. */
  abstract close(): Promise<void>;
}
