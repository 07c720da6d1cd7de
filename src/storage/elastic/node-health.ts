import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@elastic/elasticsearch';

/** A proxy answers so for a node that is gone. */
const GONE = new Set([502, 503, 504]);
/** For a node that is asked whether it answers at all, milliseconds. */
const PING_WITHIN_MS = 500;
/** The same at the start, where nobody waits. */
const CHECK_WITHIN_MS = 2000;
/** How often a dead node is asked whether it is back, milliseconds. */
const PING_AGAIN_MS = 1000;
/** A request without an answer for so long is reason enough to ask whether its node answers at all, milliseconds. */
const SILENT_MS = 1000;

/**
 * Which nodes are sent requests: in turn those that live, and all where none does. A node is dead for what concerns the node, and never for one
 * slow request; it is asked every second whether it is back.
 */
export class NodeHealth {
  private readonly answeredAt = new WeakMap<Connection, number>();
  /** Nodes that are just asked whether they answer at all. */
  private readonly doubted = new WeakSet<Connection>();
  private readonly dead = new Set<Connection>();
  /** Dead nodes, each asked by one loop. */
  private readonly reviving = new Set<Connection>();
  private turn = 0;
  private tell: (node: string, up: boolean) => void = () => undefined;

  constructor(
    /** All there are, none once the client is closed. */
    private readonly nodes: () => readonly Connection[],
    /** Sends what asks no more than whether somebody is there; resolves with the status. */
    private readonly ping: (connection: Connection, withinMs: number) => Promise<number>,
    private readonly pingAgainMs = PING_AGAIN_MS,
  ) {}

  /** How many answer nothing. */
  get down(): number {
    return this.dead.size;
  }

  /** `node`: its host and port. */
  onChange(tell: (node: string, up: boolean) => void): void {
    this.tell = tell;
    for (const { url } of this.dead) tell(url.host, false);
  }

  /** `tried`: those that are left out while there are others. Null: there is none. */
  pick(tried: readonly Connection[] = []): Connection | null {
    const all = this.nodes();
    if (all.length === 1) return all[0] ?? null;
    const left = all.filter((node) => !tried.includes(node));
    const living = left.filter((node) => !this.dead.has(node));
    const among = living.length > 0 ? living : left.length > 0 ? left : all;
    this.turn = (this.turn + 1) % Math.max(1, all.length);
    return among[this.turn % among.length] ?? null;
  }

  /** Asks every node, so that no request has to find out. */
  async check(): Promise<void> {
    const all = this.nodes();
    if (all.length > 1) await Promise.all(all.map((node) => this.ask(node, CHECK_WITHIN_MS)));
  }

  answered(connection: Connection, statusCode: number): void {
    this.answeredAt.set(connection, performance.now());
    if (GONE.has(statusCode)) this.bury(connection);
    else if (this.dead.delete(connection)) this.tell(connection.url.host, true);
  }

  /** A request is under way; what is answered is to be called when it is not any more. */
  sent(connection: Connection): () => void {
    if (this.nodes().length === 1) return () => undefined;
    const begun = performance.now();
    const timer = setTimeout(() => void this.doubt(connection, begun), SILENT_MS).unref();
    return () => clearTimeout(timer);
  }

  /** `begun`: when the request was sent, as `performance.now()`. */
  failed(connection: Connection, error: unknown, begun: number): void {
    const { name } = Object(error) as Error;
    if (name === 'ConnectionError') this.bury(connection);
    else if (name === 'TimeoutError' || name === 'RequestAbortedError') void this.doubt(connection, begun);
  }

  /** A request was given up here, or waits for long. The node that has answered nothing since it was sent, nor a ping, gets no more. */
  private async doubt(connection: Connection, begun: number): Promise<void> {
    if ((this.answeredAt.get(connection) ?? 0) > begun || this.doubted.has(connection)) return;
    this.doubted.add(connection);
    await this.ask(connection);
    this.doubted.delete(connection);
  }

  private async ask(connection: Connection, withinMs = PING_WITHIN_MS): Promise<void> {
    try {
      this.answered(connection, await this.ping(connection, withinMs));
    } catch {
      this.bury(connection);
    }
  }

  private bury(connection: Connection): void {
    if (this.dead.has(connection) || this.nodes().length === 1) return;
    this.dead.add(connection);
    this.tell(connection.url.host, false);
    if (!this.reviving.has(connection)) void this.revive(connection);
  }

  private async revive(connection: Connection): Promise<void> {
    this.reviving.add(connection);
    while (this.dead.has(connection) && this.nodes().includes(connection)) {
      await sleep(this.pingAgainMs, undefined, { ref: false });
      if (this.nodes().includes(connection)) await this.ask(connection);
    }
    this.reviving.delete(connection);
  }
}
