import { Archive } from '../../storage/archive';
import type { StoredEvent } from './event-log';

/** An event as it stands in the log: whose it is by now, and what it counts for. */
export interface EventEntry extends StoredEvent {
  type: 'event';
}

/** A key that was used: an event that brings it again is a repeat, whether the first is still there or not. */
export interface IdempotencyKeyEntry {
  type: 'key';
  store: string;
  key: string;
}

/** The keyed hash of a user who was erased, and when. */
export interface ErasedUserEntry {
  type: 'erased';
  store: string;
  user: string;
  at: number;
}

/** Events, the keys under which each counts once, and users who were erased. */
export abstract class EventArchive extends Archive<EventEntry | IdempotencyKeyEntry | ErasedUserEntry> {
  override readonly types = ['event', 'key', 'erased'] as const;
}
