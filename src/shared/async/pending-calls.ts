interface PendingCall {
  /** As `performance.now()`. */
  since: number;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Calls to a worker thread that wait for their replies, each under a number of its own. */
export class PendingCalls {
  private readonly calls = new Map<number, PendingCall>();
  private lastId = 0;

  get size(): number {
    return this.calls.size;
  }

  /** Milliseconds that the oldest one has waited; 0 where none does. */
  get oldestMs(): number {
    // A Map keeps the order of what was put in.
    const [oldest] = this.calls.values();
    return oldest ? performance.now() - oldest.since : 0;
  }

  /** `send` is given the number of the call. */
  add(send: (id: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      // What can't be sent rejects the promise, and nothing waits for its reply.
      send(this.lastId);
      this.calls.set(this.lastId, { since: performance.now(), resolve, reject });
    });
  }

  /** Nobody waits for its reply any more; the promise stays open. */
  forget(id: number): void {
    this.calls.delete(id);
  }

  resolve(id: number, value: unknown): void {
    this.take(id)?.resolve(value);
  }

  reject(id: number, error: Error): void {
    this.take(id)?.reject(error);
  }

  rejectAll(error: Error): void {
    for (const id of this.calls.keys()) this.reject(id, error);
  }

  private take(id: number): PendingCall | undefined {
    const call = this.calls.get(id);
    this.calls.delete(id);
    return call;
  }
}
