import type { StoredEvent } from './event-log';

/** Events as they stand in the log, the keys under which each counts once, and users who were erased. */
export type EventEntry =
  | ArchivedEvent
  /** A key that was used: an event that brings it again is a repeat, whether the first is still there or not. */
  | { type: 'key'; store: string; key: string }
  /** The keyed hash of a user who was erased, and when. */
  | { type: 'erased'; store: string; user: string; at: number };

/** Whose the event is by now, and what it counts for. */
export type ArchivedEvent = StoredEvent & {
  type: 'event';
  /** Keys by which what comes with store keys supersedes it; absent: it came with them, or has none. */
  keys?: readonly string[];
};

export const EVENT_ENTRIES = ['event', 'key', 'erased'] as const;
