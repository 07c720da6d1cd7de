/**
 * Which stores have products that were recorded and that nobody has said to be in the engine: a write that is under way, or that a process left
 * behind which died. Asked of all stores at once, so that looking costs the same whatever their number. Left out: which products (CatalogRecords.scan).
 */
export abstract class UnindexedRecords {
  /** Internal ids; null: any store may have some. */
  abstract stores(): Promise<ReadonlySet<string> | null>;
}

/** Where a look at a store costs no request. */
export class AnyStore extends UnindexedRecords {
  override async stores(): Promise<null> {
    return null;
  }
}
