/**
 * The index that served a store before its last rebuild. All writes go to it too while it is kept, so it serves again without having lost any. Left
 * out: indices before that, and the one that it replaces, which is gone.
 */
export abstract class IndexBefore {
  /** Searches go to it again, all at once; false where none is kept. */
  abstract serveAgain(store: string): Promise<boolean>;
  /** Removes, or begins to, what has been kept long enough, and what a process left behind that ended while it built. */
  abstract removeOld(store: string): Promise<void>;
}
