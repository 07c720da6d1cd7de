import { type DocumentKey } from '../../documents';

interface Waiting {
  by: number;
  resolve(value: number): void;
  reject(error: unknown): void;
}

interface Lane {
  waiting: Waiting[];
  busy: boolean;
}

/** Increments of one counter in this process share one write, instead of racing each other. */
export class CounterQueue {
  private readonly lanes = new Map<string, Lane>();

  /** `write` adds to the stored counter and answers its new value. */
  constructor(private readonly write: (counter: DocumentKey, by: number) => Promise<number>) {}

  add(counter: DocumentKey, by: number): Promise<number> {
    const name = JSON.stringify([counter.kind, counter.store, counter.id]);
    const lane = this.lanes.get(name) ?? { waiting: [], busy: false };
    this.lanes.set(name, lane);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ by, resolve, reject });
      if (!lane.busy) void this.drain(name, counter, lane);
    });
  }

  private async drain(name: string, counter: DocumentKey, lane: Lane): Promise<void> {
    lane.busy = true;
    while (lane.waiting.length > 0) {
      const batch = lane.waiting.splice(0);
      const sum = batch.reduce((total, { by }) => total + by, 0);
      try {
        let value = (await this.write(counter, sum)) - sum;
        for (const { by, resolve } of batch) resolve((value += by));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.lanes.delete(name);
  }
}
