import type { BulkOperation } from '../../../../storage/elastic/bulk-batcher';
import type { Found } from '../../../../storage/elastic/read-batcher';
import type { ShopperKey } from '../../../shoppers/shopper';
import type { Complete, StoredEvent } from '../../event-log';
import { storedEvidence } from '../stored-evidence';
import type { ElasticSnapshots } from './elastic-snapshots';
import { type EventDocument, eventsOf } from './event-document';
import { type EventIndex, type FoundEvent, writeOver } from './event-index';
import { waitingFor } from './event-requests';
import type { KeyFields, KeyIndex, KeyName } from './key-index';
import type { ProcessNumber } from './process-number';

/** A marker that somebody acts on, in the state it has to keep to be removed. */
export type TakenMarker = Pick<Found<unknown>, 'seqNo' | 'primaryTerm'>;

/**
 * A marker tells by name that a search of the log would find something: events of this device that no user has claimed, or events that
 * wait for this product. The writer of such an event sets the marker. Whoever acts on it takes it first, then searches, and removes it
 * when nothing is left. A writer sets a taken marker again: so an event that the search missed still has its marker, and the next one
 * finds what a process that died has left.
 */
export class PendingMarkers {
  constructor(private readonly keys: KeyIndex) {}

  /** To be called when the events are durable. Mostly the markers are there, and this is one read. */
  async set(names: readonly KeyName[]): Promise<void> {
    const found = await this.keys.read(names);
    const missing = names.filter((_name, index) => found[index]?.source.taken !== false);
    if (missing.length > 0) await this.keys.write(missing.map((name) => this.keys.put(name, { taken: false })));
  }

  /** In the order asked; null where there is no marker. To be called before the search. */
  async take(names: readonly KeyName[]): Promise<(TakenMarker | null)[]> {
    const found = await this.keys.read(names);
    return Promise.all(names.map((name, index) => this.takeOne(name, found[index] ?? null)));
  }

  remove(name: KeyName, marker: TakenMarker): BulkOperation {
    return this.keys.remove(name, marker);
  }

  private async takeOne(name: KeyName, first: Found<KeyFields> | null): Promise<TakenMarker | null> {
    for (let found: Found<KeyFields> | null | undefined = first; found; [found] = await this.keys.read([name])) {
      // Another process works on it, or has died at that.
      if (found.source.taken) return found;
      const [item] = await this.keys.write([this.keys.over(name, found, { taken: true })]);
      if (item && item.status < 300) return item;
    }
    return null;
  }
}

/** Only a device is known, so somebody may claim the event later. */
export const isUnclaimed = (shopper: ShopperKey | null): boolean => shopper?.startsWith('d:') ?? false;

/** The markers by which claims and completions find an event. */
export function markersOf({
  store,
  shopper,
  deviceId,
  pendingProducts,
}: Pick<StoredEvent, 'store' | 'shopper' | 'deviceId' | 'pendingProducts'>): KeyName[] {
  const products = pendingProducts.map((name): KeyName => ({ kind: 'product', store, name }));
  return isUnclaimed(shopper) ? [{ kind: 'device', store, name: deviceId ?? '' }, ...products] : products;
}

/** Terms of one search. */
const PRODUCTS_AT_ONCE = 1000;

/** Completes events that wait for products. Only where a marker says so, the log is searched. */
export class PendingProducts {
  constructor(
    private readonly events: EventIndex,
    private readonly markers: PendingMarkers,
    private readonly numbers: ProcessNumber,
    private readonly snapshots: ElasticSnapshots,
  ) {}

  async complete(store: string, productIds: readonly string[], complete: Complete): Promise<number> {
    let completed = 0;
    const names = [...new Set(productIds)].map((name): KeyName => ({ kind: 'product', store, name }));
    for (let from = 0; from < names.length; from += PRODUCTS_AT_ONCE) {
      const some = names.slice(from, from + PRODUCTS_AT_ONCE);
      const taken = await this.markers.take(some);
      const marked = new Map<string, TakenMarker>();
      some.forEach(({ name }, index) => {
        const marker = taken[index];
        if (marker) marked.set(name, marker);
      });
      if (marked.size > 0) completed += await this.completeMarked(store, marked, complete);
    }
    return completed;
  }

  private async completeMarked(store: string, marked: Map<string, TakenMarker>, complete: Complete): Promise<number> {
    // Read whole before anything is written: what is completed moves to the end.
    const waiting: FoundEvent[] = [];
    for await (const page of this.events.pages(waitingFor(store, [...marked.keys()]))) waiting.push(...page);
    let completed = 0;
    for (const found of waiting) {
      const { written, missing } = await this.completeOne(found, complete);
      if (written) completed += 1;
      for (const product of missing) marked.delete(product);
    }
    const removals = Array.from(marked, ([name, marker]) =>
      this.markers.remove({ kind: 'product', store, name }, marker),
    );
    await this.events.write(removals);
    return completed;
  }

  /** `missing`: what the event waits for afterwards, or may wait for where somebody else has changed it. */
  private async completeOne(found: FoundEvent, complete: Complete): Promise<{ written: boolean; missing: string[] }> {
    const [event] = await eventsOf(this.snapshots, [found.source]);
    if (!event) return { written: false, missing: found.source.waiting };
    const { evidence, stillPending } = await complete(event);
    if (stillPending.length >= event.pendingProducts.length) return { written: false, missing: event.pendingProducts };
    const { store, receivedAt } = event;
    const [next] = await Promise.all([this.numbers.sequence(), this.snapshots.save([{ store, receivedAt, evidence }])]);
    const document: EventDocument = {
      ...found.source,
      seq: next(),
      counted: found.source.shopper !== null,
      waiting: stillPending,
      evidence: JSON.stringify(storedEvidence(evidence)),
    };
    const [item] = await this.events.write([writeOver(found, document)]);
    const written = item !== undefined && item.status < 300;
    return { written, missing: written ? stillPending : event.pendingProducts };
  }
}
