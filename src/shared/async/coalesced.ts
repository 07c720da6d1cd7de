import { Mutex } from './mutex';

/**
 * A call that callers share if it begins after they have asked: one that is under way may have begun before the write its caller wants to
 * see. So at most one call is under way, and at most one waits for its end.
 */
export class Coalesced<T> {
  private readonly mutex = new Mutex();
  private next: Promise<T> | null = null;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    this.next ??= this.mutex.run(() => {
      this.next = null;
      return this.work();
    });
    return this.next;
  }
}
