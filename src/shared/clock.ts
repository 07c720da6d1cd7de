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
