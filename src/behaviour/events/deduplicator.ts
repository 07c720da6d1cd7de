/** Contract section 9: the same content without a time, from the same shopper, counts once in this long. */
export const REPEATED_WITHIN_MS = 10_000;

export interface OnceOptions {
  now: number;
  /** Other content: the same as this is a repeat, too. */
  unless?: string;
  work(): Promise<void>;
}

/** Keeps pages that send an event twice from counting twice. A short cut of seconds, never a promise. */
export abstract class Deduplicator {
  /**
   * Does the work unless the same was done within the window. A repeat waits until the first is durable, for its caller takes the answer
   * as a promise, too; where the first fails, the repeat is no repeat. Throws what the work throws, and nothing else.
   */
  abstract once(shopper: string, content: string, options: OnceOptions): Promise<void>;
  /** An erased shopper starts afresh. Never throws. */
  abstract forget(shopper: string): Promise<void>;
}
