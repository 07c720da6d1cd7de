import { type AppendResult, type NewEvent, provenKey } from '../../event-log';

/** An event that is written after another one of the same append, which has a key of it. */
interface LaterEvent {
  event: NewEvent;
  after: NewEvent;
}

/** Events that share a key with an earlier one are written when that one is done. Keys are in their namespaces. */
export function apart(events: readonly NewEvent[]): { now: NewEvent[]; later: LaterEvent[] } {
  const holders = new Map<string, NewEvent>();
  const now: NewEvent[] = [];
  const later: LaterEvent[] = [];
  for (const event of events) {
    const names = event.idempotencyKeys.map((key) => JSON.stringify([event.store, provenKey(key)]));
    const after = names.map((name) => holders.get(name)).find((holder) => holder);
    if (after) later.push({ event, after });
    else {
      now.push(event);
      for (const name of names) holders.set(name, event);
    }
  }
  return { now, later };
}

/** Whether it is certain that an event repeats the one before. Of several keys, another one may have been taken. */
export function repeats({ event, after }: LaterEvent, first: AppendResult | undefined): boolean {
  if (event.keyed && !after.keyed) return false;
  return first?.outcome === 'stored' || (first?.outcome === 'duplicate' && after.idempotencyKeys.length === 1);
}
