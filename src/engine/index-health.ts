/** What is the matter with the search indices of stores, each of which concerns its store alone. */
export abstract class IndexHealth {
  /** By internal id of the store, with a word for what it is (docs/operations.md); stores without trouble are not in it. */
  abstract troubles(): Promise<Map<string, string>>;
  /** The stores whose index there may be work with: it is gone, outdated or too large for its place, or something is to be removed. Null: any. */
  abstract due(): Promise<ReadonlySet<string> | null>;
  /** Whether a store of so many products that is too large for its place is let where it is for now: this process is taking in a feed of it. */
  abstract waits(store: string, products: number): boolean;
  /** `tell` is called with stores that have to be moved although their feed goes on. */
  abstract onGrown(tell: (store: string) => void): void;
}

/** Where all stores are in one database, what is the matter with it concerns them all. */
export class OneIndex extends IndexHealth {
  override async troubles(): Promise<Map<string, string>> {
    return new Map();
  }

  override async due(): Promise<null> {
    return null;
  }

  override waits(): boolean {
    return false;
  }

  override onGrown(): void {}
}
