/**
 * Which indices were made for a store (or a pool of stores), by uuid, remembered apart from them. So an index that is gone is told from one that was never
 * made, and one that somebody put in its stead from the one that was filled here.
 */
export abstract class IndexMemory {
  /** Null: none was ever made. The first is the newest. */
  abstract of(store: string): Promise<readonly string[] | null>;
  /** Adds one that is about to serve. */
  abstract add(store: string, uuid: string): Promise<void>;
  /** None is there any more, and none is missed. */
  abstract forget(store: string): Promise<void>;
  /** Of every store and every pool for which one was made. */
  abstract all(): Promise<Map<string, readonly string[]>>;
}

/** Remembers nothing: every index that is not there was never made. */
export class NoMemory extends IndexMemory {
  override async of(): Promise<null> {
    return null;
  }

  override async add(): Promise<void> {}

  override async forget(): Promise<void> {}

  override async all(): Promise<Map<string, readonly string[]>> {
    return new Map();
  }
}
