/** Where every time in the service comes from; tests and replays inject their own. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}

export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}

/**
 * Milliseconds since some moment of this process, for how long something lasts in it: where the time of day steps, this does not. By a clock
 * that a test moves, it is that clock's time.
 */
export const elapsedBy = (clock: Clock): number => (clock instanceof SystemClock ? performance.now() : clock.now());
