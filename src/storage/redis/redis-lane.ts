import type { Redis } from 'ioredis';
import { TooLate } from '../../shared/async/within';

/** A command behind a slow one waits at most this many times its limit. */
const MOST_LIMITS = 4;
/** Less is no time to wait for. */
const SHORTEST_MS = 1;

interface Sent {
  /** When it left this process, as far as it was not kept for a connection that is being made. */
  at: number;
  giveUp(): void;
}

/**
 * One connection and its commands, which are answered in the order they were sent. So a command's limit counts from the time it is sent and
 * all before it are answered: one that is slow, or whose answer is big, is given up alone, and those behind it are answered a little later.
 */
export class RedisLane {
  /** In the order sent; a Set keeps it. What was given up stays until its answer is there. */
  private readonly sent = new Set<Sent>();
  private answeredAt = 0;
  /** What goes with the next write. */
  private corked: { stream: Redis['stream']; commands: Sent[] } | null = null;

  /** `quiet`: told when the first command was given up, so that the connection itself may be the reason. */
  constructor(
    readonly client: Redis,
    private readonly quiet: () => void = () => undefined,
  ) {}

  /** Rejects with TooLate where no answer came in time; the command may still be carried out. */
  run<T>(work: (redis: Redis) => Promise<T>, limitMs: number): Promise<T> {
    this.cork();
    const answer = work(this.client);
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout;
      let over = false;
      const own: Sent = {
        at: performance.now(),
        giveUp: () => {
          clearTimeout(timer);
          over = true;
          reject(new TooLate(`Redis gave no answer within ${limitMs} ms`));
        },
      };
      const answered = (): void => {
        clearTimeout(timer);
        this.sent.delete(own);
        this.answeredAt = performance.now();
      };
      // The event loop reads what has arrived before it runs this: an answer that is there is never late.
      const check = (): NodeJS.Immediate => setImmediate(decide);
      const decide = (): void => {
        if (over || !this.sent.has(own)) return;
        const now = performance.now();
        const [first] = this.sent;
        const begun = first === own ? Math.max(own.at, this.answeredAt) : now;
        const left = Math.min(begun + limitMs, own.at + MOST_LIMITS * limitMs) - now;
        if (left > SHORTEST_MS) {
          timer = setTimeout(check, left);
          return;
        }
        own.giveUp();
        this.quiet();
      };
      this.sent.add(own);
      this.corked?.commands.push(own);
      timer = setTimeout(check, limitMs);
      answer.then(resolve, reject);
      answer.then(answered, answered);
    });
  }

  /** Gives up all that was sent. */
  giveUp(): void {
    for (const command of this.sent) command.giveUp();
  }

  /** Sends the commands of one turn of the event loop in one write: one for each took a tenth of the work of an event. */
  private cork(): void {
    const { stream } = this.client;
    // There is none before the first attempt to connect.
    if (!stream || this.corked?.stream === stream) return;
    const corked = { stream, commands: [] as Sent[] };
    this.corked = corked;
    stream.cork();
    setImmediate(() => {
      if (this.corked === corked) this.corked = null;
      stream.uncork();
      const now = performance.now();
      for (const command of corked.commands) command.at = now;
    });
  }
}
