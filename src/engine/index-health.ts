/** What is the matter with the search indices of stores, each of which concerns its store alone. */
export abstract class IndexHealth {
  /** By internal id of the store, with a word for what it is (docs/operations.md); stores without trouble are not in it. */
  abstract troubles(): Promise<Map<string, string>>;
  /** The stores whose index there may be work with: it is gone, outdated or too large for its place, or something is to be removed. Null: any. */
  abstract due(): Promise<ReadonlySet<string> | null>;
  /** `tell` is called with stores that this process wrote so much to that they have to be moved: when the feed is over, or where it makes them very large. */
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

  override onGrown(): void {}
}
