import { connect, type Socket } from 'node:net';

export interface BenchRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface BenchReply {
  status: number;
  body: string;
}

interface Waiting {
  resolve(reply: BenchReply): void;
  reject(error: Error): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LONGEST_WAIT = 30_000;

/**
 * One kept-alive HTTP/1.1 connection, one request at a time. It does the least a client can do, because what the load
 * generator uses of two cores the service can't.
 */
export class Connection {
  private readonly socket: Socket;
  private readonly host: string;
  private received: Buffer[] = [];
  private length = 0;
  /** Bytes of the reply being read; unknown until its head is complete. */
  private whole: { status: number; bodyStart: number; end: number } | null = null;
  private waiting: Waiting | null = null;

  constructor(port: number) {
    this.host = `127.0.0.1:${port}`;
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.setTimeout(LONGEST_WAIT, () => {
      if (this.waiting) this.socket.destroy(new Error('The service does not answer'));
    });
    this.socket.on('data', (chunk) => this.read(chunk));
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The connection was closed')));
  }

  send({ method, path, headers = {}, body }: BenchRequest): Promise<BenchReply> {
    if (this.waiting) throw new Error('One request at a time');
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.host}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
    if (body !== undefined) {
      head += `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    }
    return new Promise((resolve, reject) => {
      // A socket that is gone tells nobody what becomes of a write.
      if (this.socket.destroyed) return reject(new Error('The connection was closed'));
      this.waiting = { resolve, reject };
      this.socket.write(`${head}\r\n${body ?? ''}`);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private read(chunk: Buffer): void {
    this.received.push(chunk);
    this.length += chunk.length;
    if (!this.whole) {
      const all = this.joined();
      const headEnd = all.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = all.toString('latin1', 0, headEnd);
      const bodyStart = headEnd + HEAD_END.length;
      const sized = /\r\ncontent-length: *(\d+)/i.exec(head);
      const status = Number(head.slice(9, 12));
      if (!sized && status !== 204) return this.fail(new Error(`A reply without its length: ${head}`));
      this.whole = { status, bodyStart, end: bodyStart + Number(sized?.[1] ?? 0) };
    }
    if (this.length < this.whole.end) return;
    const { status, bodyStart, end } = this.whole;
    const body = this.joined().toString('utf8', bodyStart, end);
    this.received = [];
    this.length = 0;
    this.whole = null;
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve({ status, body });
  }

  private joined(): Buffer {
    const [first] = this.received;
    if (this.received.length === 1 && first) return first;
    const all = Buffer.concat(this.received);
    this.received = [all];
    return all;
  }

  private fail(error: Error): void {
    const { waiting } = this;
    this.waiting = null;
    waiting?.reject(error);
    this.socket.destroy();
  }
}

/** A reply that has to be a success: anything else ends the benchmark with what the service said. */
export function expectSuccess(reply: BenchReply, what: string): BenchReply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`${what}: the service answered ${reply.status} ${reply.body.slice(0, 300)}`);
}
