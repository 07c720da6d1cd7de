import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { Found } from '../../../../storage/elastic/read-batcher';
import type { KeyFields, KeyIndex, KeyName } from './key-index';

/** A mark that somebody acts on, in the state it has to keep to be removed. */
export type TakenMark = Pick<Found<unknown>, 'seqNo' | 'primaryTerm'>;

/**
 * Marks tell by name what a search of the log would find: events of this device that no user has claimed, events that wait
 * for this product. Whoever has written such an event sets the mark; whoever acts on it takes it first, then searches, and
 * removes it when nothing is left. A mark that is taken does not spare anybody setting it: so an event that is not in the
 * search has a mark of its own, and one whose writer or searcher died is found by the next.
 */
export class Marks {
  constructor(private readonly keys: KeyIndex) {}

  /** Once the events are durable. Mostly the marks are there, and this is a read. */
  async set(names: readonly KeyName[]): Promise<void> {
    const found = await this.keys.read(names);
    const missing = names.filter((_name, at) => found[at]?.source.taken !== false);
    if (missing.length > 0) await this.keys.write(missing.map((name) => this.keys.put(name, { taken: false })));
  }

  /** By name; null where nothing is marked. To be asked before anything is searched. */
  async take(names: readonly KeyName[]): Promise<(TakenMark | null)[]> {
    const found = await this.keys.read(names);
    return Promise.all(names.map((name, at) => this.takeOne(name, found[at] ?? null)));
  }

  remove(name: KeyName, mark: TakenMark): BulkOperation {
    return this.keys.remove(name, mark);
  }

  private async takeOne(name: KeyName, first: Found<KeyFields> | null): Promise<TakenMark | null> {
    for (let found: Found<KeyFields> | null | undefined = first; found; [found] = await this.keys.read([name])) {
      // Taken by another who works on it, or who died.
      if (found.source.taken) return found;
      const [item] = await this.keys.write([this.keys.over(name, found, { taken: true })]);
      if (item && item.status < 300) return item;
    }
    return null;
  }
}
