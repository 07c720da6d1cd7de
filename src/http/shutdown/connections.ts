import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../../shared/async/within';

interface Connection {
  /** In the order of their requests: where a client sends several at once, only the last reply may end the connection. */
  responses: Set<ServerResponse>;
  /** Bytes of the requests that were answered; more have come where a request has begun to arrive. */
  bytesAnswered: number;
}

/**
 * The open connections of a server, and what is to be answered on each. Node's own `close` waits for connections that their replies have kept
 * alive until their idle time is over, and cuts off a reply that is written and not yet read.
 */
export class Connections {
  private readonly open = new Map<Socket, Connection>();
  private lastReplies = false;
  private ending = false;
  private allAnswered: () => void = () => undefined;

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, { responses: new Set(), bytesAnswered: 0 });
      socket.once('close', () => {
        this.open.delete(socket);
        this.look();
      });
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) =>
      this.begin(request.socket, response),
    );
  }

  /** Whether nothing else is to be answered on a connection. */
  isFree(socket: Socket): boolean {
    return this.open.get(socket)?.responses.size === 0;
  }

  /** Counts a request that was answered at once, in front of all listeners: of those nothing else is noted. */
  answeredAtOnce(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection) connection.bytesAnswered = socket.bytesRead;
  }

  /** From now on every reply says `Connection: close`, those to requests under way, too. */
  endAfterReplies(): void {
    this.lastReplies = true;
    for (const { responses } of this.open.values()) say([...responses].at(-1), 'close');
  }

  /**
   * Takes no more connections, and ends the open ones: the idle after `idleMs`, so that a request which was on its way is answered, the others
   * with their last reply, and after `withinMs` all that are left. The number of requests cut off so.
   */
  async end({ idleMs, withinMs }: { idleMs: number; withinMs: number }): Promise<number> {
    this.endAfterReplies();
    // The listener alone: the `close` of http would end connections whose replies are still being read.
    NetServer.prototype.close.call(this.server);
    await sleep(idleMs);
    this.ending = true;
    const answered = new Promise<void>((resolve) => (this.allAnswered = resolve));
    for (const [socket, { responses, bytesAnswered }] of this.open) {
      if (responses.size === 0 && socket.bytesRead === bytesAnswered) socket.destroySoon();
    }
    this.look();
    await within(withinMs, answered).catch(() => undefined);
    const cutOff = [...this.open.values()].reduce((sum, { responses }) => sum + responses.size, 0);
    this.server.closeAllConnections();
    return cutOff;
  }

  private begin(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (!connection) return;
    const { responses } = connection;
    if (this.lastReplies) {
      say([...responses].at(-1), 'keep-alive');
      say(response, 'close');
    }
    responses.add(response);
    response.once('close', () => {
      responses.delete(response);
      connection.bytesAnswered = socket.bytesRead;
      // What is written reaches the client first.
      if (this.ending && responses.size === 0) socket.destroySoon();
    });
  }

  private look(): void {
    if (this.ending && this.open.size === 0) this.allAnswered();
  }
}

function say(response: ServerResponse | undefined, connection: 'close' | 'keep-alive'): void {
  if (!response || response.headersSent) return;
  if (connection === 'close') response.setHeader('connection', 'close');
  else response.removeHeader('connection');
}
