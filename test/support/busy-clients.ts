import { Agent } from 'node:http';
import { overHttp } from './service-process';
import type { Call, Reply } from './store-client';

/** What clients saw that send one call after the other, each on a connection that is kept alive. */
export interface Seen {
  replies: { call: Call; reply: Reply }[];
  /** Calls that were sent and not answered. */
  unanswered: string[];
}

/** Clients that send until nobody listens any more. `next`: the call a client sends next. */
export class BusyClients {
  readonly seen: Seen = { replies: [], unanswered: [] };
  private readonly ended: Promise<unknown>;

  constructor(port: number, count: number, next: () => Call) {
    this.ended = Promise.all(Array.from({ length: count }, () => this.client(port, next)));
  }

  /** Resolves when every client has found that nobody listens. */
  async gone(): Promise<Seen> {
    await this.ended;
    return this.seen;
  }

  private async client(port: number, next: () => Call): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (;;) {
      const call = next();
      try {
        this.seen.replies.push({ call, reply: await overHttp(call, port, agent) });
      } catch (error) {
        agent.destroy();
        const { code, message } = error as { code?: string; message: string };
        // Not even connected: nothing was asked.
        if (code !== 'ECONNREFUSED') this.seen.unanswered.push(message);
        return;
      }
    }
  }
}
