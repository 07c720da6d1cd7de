/** What is the matter with the search indices of stores, each of which concerns its store alone. */
export abstract class IndexHealth {
  /** By internal id of the store, with a word for what it is (docs/operations.md); stores without trouble are not in it. */
  abstract troubles(): Promise<Map<string, string>>;
}

/** Where all stores are in one database, what is the matter with it concerns them all. */
export class OneIndex extends IndexHealth {
  override async troubles(): Promise<Map<string, string>> {
    return new Map();
  }
}
