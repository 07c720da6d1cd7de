import { FairQueue } from '../../../../shared/async/fair-queue';
import { threadTime } from './thread-time';

/** A request with whose it is, and until when somebody waits for it by `threadTime`. */
export interface Timed {
  until: number | null;
}

/** Thrown in the middle of work that nobody waits for any more. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** Throws GivenUp once the time is over. */
export function goOnUntil(until: number | null): () => void {
  return () => {
    if (until !== null && threadTime() >= until) throw new GivenUp();
  };
}

/**
 * What the search thread does next. All that has arrived is taken in before each piece of work, so that stores take turns whoever came first.
 * What nobody waits for any more is dropped.
 */
export class Turns<Message extends Timed> {
  private readonly queue = new FairQueue<Message>();
  private planned = false;

  constructor(
    private readonly options: {
      /** What has arrived since, one by one. */
      next(): Message | undefined;
      storeOf(message: Message): string;
      /** Answers whether more of it is left, for another turn. */
      work(message: Message): boolean;
      /** Called whenever nothing waits. */
      idle(): void;
    },
  ) {}

  /** Called when something has arrived. */
  go(): void {
    if (!this.planned) this.turn();
  }

  private add(message: Message): void {
    this.queue.push([this.options.storeOf(message)], message);
  }

  private turn(): void {
    this.planned = false;
    for (let message = this.options.next(); message; message = this.options.next()) this.add(message);
    const message = this.live();
    if (message && this.options.work(message)) this.add(message);
    if (this.queue.size === 0) return this.options.idle();
    // Timers and what else the thread does come between.
    this.planned = true;
    setImmediate(() => this.turn());
  }

  private live(): Message | undefined {
    for (let message = this.queue.shift(); message; message = this.queue.shift()) {
      if (message.until === null || threadTime() < message.until) return message;
    }
    return undefined;
  }
}
