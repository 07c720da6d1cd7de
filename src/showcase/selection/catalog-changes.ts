import { Injectable } from '@nestjs/common';

/** How many changed products of one store are known by id. Beyond that, all of its products count as changed. */
const MOST_NAMED = 20_000;

/** Which products this process has written, in the order of a revision that only grows. */
@Injectable()
export class CatalogChanges {
  revision = 0;
  private readonly changed = new Map<string, Map<string, number>>();
  /** Store -> the revision up to which its changed products are no longer known by id. */
  private readonly forgotten = new Map<string, number>();

  tell(store: string, productIds: readonly string[]): void {
    if (productIds.length === 0) return;
    this.revision += 1;
    const changed = this.changed.get(store) ?? new Map<string, number>();
    this.changed.set(store, changed);
    for (const id of productIds) changed.set(id, this.revision);
    if (changed.size <= MOST_NAMED) return;
    changed.clear();
    this.forgotten.set(store, this.revision);
  }

  /** Null: too many to name. */
  since(store: string, revision: number): string[] | null {
    if ((this.forgotten.get(store) ?? 0) > revision) return null;
    return [...(this.changed.get(store) ?? [])].flatMap(([id, at]) => (at > revision ? [id] : []));
  }
}
