import type { Evidence, StoredEvent } from '../../event-log';
import { type EventDocument, eventOf } from './event-document';
import { type EventIndex, type FoundEvent, writeOver } from './event-index';
import { waitingFor } from './event-requests';
import type { KeyName } from './key-index';
import type { Marks, TakenMark } from './pending-markers';
import type { ProcessNumber } from './process-number';

export type Complete = (event: StoredEvent) => Promise<{ evidence: Evidence; stillPending: string[] }>;

export interface CompleterParts {
  events: EventIndex;
  marks: Marks;
  numbers: ProcessNumber;
  now: () => number;
}

/** Terms of one search. */
const PRODUCTS_AT_ONCE = 1000;

/** Completes events that wait for products. Where no event does, the marks say so, and nothing is searched. */
export class Completer {
  constructor(private readonly parts: CompleterParts) {}

  async complete(store: string, productIds: readonly string[], complete: Complete): Promise<number> {
    let completed = 0;
    const names = [...new Set(productIds)].map((name): KeyName => ({ kind: 'product', store, name }));
    for (let from = 0; from < names.length; from += PRODUCTS_AT_ONCE) {
      const some = names.slice(from, from + PRODUCTS_AT_ONCE);
      const taken = await this.parts.marks.take(some);
      const marks = new Map<string, TakenMark>();
      some.forEach(({ name }, at) => {
        const mark = taken[at];
        if (mark) marks.set(name, mark);
      });
      if (marks.size > 0) completed += await this.completeMarked(store, marks, complete);
    }
    return completed;
  }

  private async completeMarked(store: string, marks: Map<string, TakenMark>, complete: Complete): Promise<number> {
    const { events, marks: all } = this.parts;
    // Read whole before anything is written: what is completed moves to the end.
    const waiting: FoundEvent[] = [];
    for await (const page of events.pages(waitingFor(store, [...marks.keys()]))) waiting.push(...page);
    let completed = 0;
    for (const found of waiting) {
      const { written, missing } = await this.completeOne(found, complete);
      if (written) completed += 1;
      for (const product of missing) marks.delete(product);
    }
    await events.write(Array.from(marks, ([name, mark]) => all.remove({ kind: 'product', store, name }, mark)));
    return completed;
  }

  /** `missing`: what the event waits for afterwards, or may wait for where somebody else has changed it. */
  private async completeOne(found: FoundEvent, complete: Complete): Promise<{ written: boolean; missing: string[] }> {
    const { events, numbers, now } = this.parts;
    const event = eventOf(found.source);
    const { evidence, stillPending } = await complete(event);
    if (stillPending.length >= event.pendingProducts.length) return { written: false, missing: event.pendingProducts };
    const sequence = await numbers.sequence();
    const document: EventDocument = {
      ...found.source,
      seq: sequence.next(now()),
      counted: found.source.shopper !== null,
      waiting: stillPending,
      evidence: JSON.stringify(evidence),
    };
    const [item] = await events.write([writeOver(found, document)]);
    const written = item !== undefined && item.status < 300;
    return { written, missing: written ? stillPending : event.pendingProducts };
  }
}
