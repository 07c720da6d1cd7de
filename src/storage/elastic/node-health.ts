import type { Connection } from '@elastic/elasticsearch';

/** Of the client: the nodes it knows. */
interface Pool {
  markAlive(connection: Connection): unknown;
  markDead(connection: Connection): unknown;
}

/** A proxy answers so for a node that is gone. */
const GONE = new Set([502, 503, 504]);
/** For a node that is asked whether it answers at all, milliseconds. */
const PING_WITHIN_MS = 500;

/** Which nodes get fewer requests: those that are given up for what concerns the node, and never for one slow request. */
export class NodeHealth {
  private readonly answeredAt = new WeakMap<Connection, number>();
  /** Nodes that are just asked whether they answer at all. */
  private readonly doubted = new WeakSet<Connection>();

  constructor(
    private readonly pool: Pool,
    /** Sends what asks no more than whether somebody is there; resolves with the status. */
    private readonly ping: (connection: Connection, withinMs: number) => Promise<number>,
  ) {}

  answered(connection: Connection, statusCode: number): void {
    this.answeredAt.set(connection, performance.now());
    if (GONE.has(statusCode)) this.pool.markDead(connection);
    else this.pool.markAlive(connection);
  }

  /** `begun`: when the request was sent, as `performance.now()`. */
  failed(connection: Connection, error: unknown, begun: number): void {
    const { name } = Object(error) as Error;
    if (name === 'ConnectionError') this.pool.markDead(connection);
    else if (name === 'TimeoutError' || name === 'RequestAbortedError') void this.doubt(connection, begun);
  }

  /** A request was given up here. The node that has answered nothing since it was sent, nor a ping, gets fewer. */
  private async doubt(connection: Connection, begun: number): Promise<void> {
    if ((this.answeredAt.get(connection) ?? 0) > begun || this.doubted.has(connection)) return;
    this.doubted.add(connection);
    try {
      this.answered(connection, await this.ping(connection, PING_WITHIN_MS));
    } catch {
      this.pool.markDead(connection);
    } finally {
      this.doubted.delete(connection);
    }
  }
}
