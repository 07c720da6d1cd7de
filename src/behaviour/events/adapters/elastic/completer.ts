import type { BulkOperation } from '../../../../storage/bulk-gatherer';
import type { Found } from '../../../../storage/read-gatherer';
import type { Evidence, StoredEvent } from '../../event-log';
import { type EventDocument, eventOf } from './event-document';
import { type EventIndex, type FoundEvent, writeOver } from './event-index';
import { waitingFor } from './event-requests';
import type { KeyIndex, KeyName } from './key-index';
import type { ProcessNumber } from './process-number';

export type Complete = (event: StoredEvent) => Promise<{ evidence: Evidence; stillPending: string[] }>;

/** Terms of one search. */
const PRODUCTS_AT_ONCE = 1000;

/** Completes events that wait for products. A mark for each product that any event waits for spares the others a search. */
export class Completer {
  constructor(
    private readonly events: EventIndex,
    private readonly keys: KeyIndex,
    private readonly numbers: ProcessNumber,
    private readonly now: () => number,
  ) {}

  async complete(store: string, productIds: readonly string[], complete: Complete): Promise<number> {
    let completed = 0;
    const names = [...new Set(productIds)].map((name): KeyName => ({ kind: 'product', store, name }));
    for (let from = 0; from < names.length; from += PRODUCTS_AT_ONCE) {
      const some = names.slice(from, from + PRODUCTS_AT_ONCE);
      const found = await this.keys.read(some);
      const marks = new Map(
        some.flatMap((name, at): [string, Found<unknown>][] => {
          const mark = found[at];
          return mark ? [[name.name, mark]] : [];
        }),
      );
      if (marks.size > 0) completed += await this.completeMarked(store, marks, complete);
    }
    return completed;
  }

  private async completeMarked(store: string, marks: Map<string, Found<unknown>>, complete: Complete): Promise<number> {
    // Read whole before anything is written: what is completed moves to the end.
    const waiting: FoundEvent[] = [];
    for await (const page of this.events.pages(waitingFor(store, [...marks.keys()]))) waiting.push(...page);
    let completed = 0;
    for (const found of waiting) {
      const { written, missing } = await this.completeOne(found, complete);
      if (written) completed += 1;
      for (const product of missing) marks.delete(product);
    }
    const settled = Array.from(marks, ([name, mark]): BulkOperation =>
      this.keys.remove({ kind: 'product', store, name }, mark),
    );
    await this.keys.write(settled);
    return completed;
  }

  /** `missing`: what the event waits for afterwards, or may wait for where somebody else has changed it. */
  private async completeOne(found: FoundEvent, complete: Complete): Promise<{ written: boolean; missing: string[] }> {
    const event = eventOf(found.source);
    const { evidence, stillPending } = await complete(event);
    if (stillPending.length >= event.pendingProducts.length) return { written: false, missing: event.pendingProducts };
    const sequence = await this.numbers.sequence();
    const document: EventDocument = {
      ...found.source,
      seq: sequence.next(this.now()),
      counted: found.source.shopper !== null,
      waiting: stillPending,
      evidence: JSON.stringify(evidence),
    };
    const [item] = await this.events.write([writeOver(found, document)]);
    const written = item !== undefined && item.status < 300;
    return { written, missing: written ? stillPending : event.pendingProducts };
  }
}
