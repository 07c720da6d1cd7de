/** One caller's item, and how to answer it. */
export interface BatchedCall<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<Item, Result> {
  /** Answers every call of a batch, each by itself. Where it throws, the calls not answered by then fail with its error. */
  send(batch: BatchedCall<Item, Result>[]): Promise<void>;
  /** Milliseconds that an item waits for others; absent: until the end of this turn of the event loop. */
  waitMs?: number;
  /** Requests under way at once, default 1; what is asked for meanwhile goes with the next one. */
  requests?: number;
  /** Milliseconds after which a request no longer keeps others from being sent, until `MOST_SLOW` are under way; default: it always does. */
  slowMs?: number;
  /** Size of an item, default 1. */
  sizeOf?(item: Item): number;
  /** Sum of the sizes in one request, default: no limit. An item that is larger goes alone. */
  maxSize?: number;
  /** Whether an item may go with the first one of a batch; default: always. */
  fits?(item: Item, first: Item): boolean;
}

/** Slow requests that may be under way beside the usual number. */
const MOST_SLOW = 8;

/**
 * Collects items of many callers into few requests, in the order they came.
 *
 * Own code instead of dataloader, which knows no limit of requests under way, no sizes, and makes a promise for each key.
 */
export class Batcher<Item, Result> {
  private waiting: BatchedCall<Item, Result>[] = [];
  private waitingSize = 0;
  private underWay = 0;
  private slow = 0;
  private timer: NodeJS.Timeout | undefined;
  private planned = false;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.waitingSize += this.sizeOf(item);
      this.plan();
    });
  }

  private plan(): void {
    const { waitMs, maxSize = Infinity } = this.options;
    if (this.planned || this.waiting.length === 0 || this.isBusy()) return;
    if (waitMs === undefined) {
      this.planned = true;
      setImmediate(() => this.flush());
    } else if (this.waitingSize >= maxSize) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), waitMs);
  }

  private isBusy(): boolean {
    return this.underWay - Math.min(this.slow, MOST_SLOW) >= (this.options.requests ?? 1);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.planned = false;
    while (this.waiting.length > 0 && !this.isBusy()) void this.sendBatch(this.take());
  }

  private async sendBatch(batch: BatchedCall<Item, Result>[]): Promise<void> {
    this.underWay += 1;
    const wasSlow = this.whenSlow();
    try {
      await this.options.send(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.underWay -= 1;
    if (wasSlow()) this.slow -= 1;
    // Who waited for a time has waited long enough; else those join who ask next because they were just answered.
    if (this.options.waitMs === undefined) this.plan();
    else this.flush();
  }

  /** Counts a request as slow once it takes too long; the function returned ends that, and tells whether it came to it. */
  private whenSlow(): () => boolean {
    const { slowMs } = this.options;
    if (slowMs === undefined) return () => false;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow += 1;
      this.flush();
    }, slowMs);
    return () => {
      clearTimeout(timer);
      return isSlow;
    };
  }

  private take(): BatchedCall<Item, Result>[] {
    const { maxSize = Infinity, fits } = this.options;
    const [first] = this.waiting;
    let size = 0;
    let count = 0;
    for (const { item } of this.waiting) {
      const itemSize = this.sizeOf(item);
      if (count > 0 && (size + itemSize > maxSize || (fits && first && !fits(item, first.item)))) break;
      size += itemSize;
      count += 1;
    }
    this.waitingSize -= size;
    return this.waiting.splice(0, count);
  }

  private sizeOf(item: Item): number {
    return this.options.sizeOf?.(item) ?? 1;
  }
}
