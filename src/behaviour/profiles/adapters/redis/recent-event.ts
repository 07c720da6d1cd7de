import type { EvidenceEvent } from '../../../../ranking/vectors/evidence';
import { type SnapshotReader, storedEvidence } from '../../../events/adapters/stored-evidence';
import type { Evidence } from '../../../events/event-log';

/** A counted event with the time it was received, epoch ms. */
export interface RecentEvent extends EvidenceEvent {
  received: number;
}

/** More events, or characters, are not kept singly: the log is aggregated first. */
export const MOST_RECENT_EVENTS = 2000;
export const MOST_RECENT_SIZE = 1_000_000;
/** With more, its shopper is aggregated before the time: every search reads all of them. */
export const MANY_RECENT_EVENTS = 200;
export const MANY_RECENT_SIZE = 30_000;

export function recentEvent(seq: number, received: number, evidence: Evidence): RecentEvent {
  return { seq, received, ...evidence };
}

/** As it is kept: `<received> <evidence as JSON>`, products by the names of their feature snapshots. */
export function textOf({ received, ...event }: RecentEvent): string {
  return `${received} ${JSON.stringify(storedEvidence(event))}`;
}

/** Recent events of a store as they were kept. */
export async function eventsIn(
  snapshots: SnapshotReader,
  store: string,
  texts: readonly string[],
): Promise<RecentEvent[]> {
  const received = texts.map((text) => text.indexOf(' '));
  const rows = texts.map((text, index) => ({ store, evidence: text.slice((received[index] ?? 0) + 1) }));
  const evidence = (await snapshots.evidence(rows)) as (EvidenceEvent | null)[];
  return evidence.flatMap((own, index) =>
    own ? [{ ...own, received: Number(texts[index]?.slice(0, received[index])) }] : [],
  );
}

/** Whether they are more than are kept singly. */
export function areTooMany(events: readonly RecentEvent[]): boolean {
  if (events.length > MOST_RECENT_EVENTS) return true;
  return events.reduce((sum, event) => sum + textOf(event).length, 0) > MOST_RECENT_SIZE;
}
