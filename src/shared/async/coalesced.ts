/**
 * A call that callers share if it begins after they have asked: one that is under way may have begun before the write its caller wants to
 * see. So at most one call is under way, and at most one waits for its end.
 */
export class Coalesced<T> {
  private running: Promise<T> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    if (!this.running) return this.begin();
    const begin = (): Promise<T> => this.begin();
    this.next ??= this.running.then(begin, begin);
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = null;
    const running = this.work();
    this.running = running;
    const done = (): void => {
      if (this.running === running) this.running = null;
    };
    running.then(done, done);
    return running;
  }
}
