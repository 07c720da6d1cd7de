import { connect, type Socket } from 'node:net';

export interface BenchRequest {
  method: 'DELETE' | 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface BenchReply {
  status: number;
  /** Status line and headers as they came. */
  head: string;
  body: string;
}

interface Waiting {
  resolve(reply: BenchReply): void;
  reject(error: Error): void;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
const LONGEST_WAIT = 30_000;
/** Where bytes come to, of all connections: what is no whole reply yet is copied. Otherwise each read would take memory of its own. */
const INCOMING = Buffer.allocUnsafeSlow(256 * 1024);

interface Head {
  status: number;
  text: string;
  bodyStart: number;
  length: number | 'chunked';
}

interface ConnectionOptions {
  /** Who is calling, another address of the loopback network. */
  localAddress?: string | undefined;
  /** Nobody reads bodies: they are as good as empty. */
  headsOnly?: boolean;
}

/**
 * One kept-alive HTTP/1.1 connection, one request at a time. It does the least a client can do, because what the load
 * generator uses of two cores the service can't.
 */
export class Connection {
  private readonly socket: Socket;
  private readonly host: string;
  private received: Buffer[] = [];
  private length = 0;
  /** The reply being read; unknown until its head is complete. */
  private head: Head | null = null;
  private waiting: Waiting | null = null;
  private readonly headsOnly: boolean;

  constructor(port: number, { localAddress, headsOnly = false }: ConnectionOptions = {}) {
    this.host = `127.0.0.1:${port}`;
    this.headsOnly = headsOnly;
    const callback = (length: number, buffer: Uint8Array): boolean => {
      this.read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
      return true;
    };
    const onread = { buffer: INCOMING, callback };
    const from = localAddress ? { localAddress } : {};
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread, ...from });
    this.socket.setTimeout(LONGEST_WAIT, () => {
      if (this.waiting) this.socket.destroy(new Error('The service does not answer'));
    });
    this.socket.on('error', (error) => this.fail(error));
    this.socket.on('close', () => this.fail(new Error('The connection was closed')));
  }

  send({ method, path, headers = {}, body }: BenchRequest): Promise<BenchReply> {
    if (this.waiting) throw new Error('One request at a time');
    let head = `${method} ${path} HTTP/1.1\r\nhost: ${this.host}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
    if (body !== undefined) {
      if (headers['content-type'] === undefined) head += 'content-type: application/json\r\n';
      head += `content-length: ${Buffer.byteLength(body)}\r\n`;
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
    const head = (this.head ??= this.readHead());
    if (!head || !this.isWhole(head)) {
      // What nobody reads need not be kept.
      if (head && this.headsOnly && head.length !== 'chunked') this.received = [];
      else if (this.received.at(-1) === chunk) this.received[this.received.length - 1] = Buffer.from(chunk);
      return;
    }
    const body = this.headsOnly ? '' : this.bodyOf(head);
    this.received = [];
    this.length = 0;
    this.head = null;
    const { waiting } = this;
    this.waiting = null;
    waiting?.resolve({ status: head.status, head: head.text, body });
  }

  private isWhole({ bodyStart, length }: Head): boolean {
    // JSON doesn't end like this, so that no chunk is taken for the last one.
    if (length === 'chunked') return this.joined().subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
    return this.length >= bodyStart + length;
  }

  private bodyOf({ bodyStart, length }: Head): string {
    const all = this.joined().subarray(bodyStart);
    return length === 'chunked' ? unchunked(all) : all.toString('utf8', 0, length);
  }

  private readHead(): Head | null {
    const all = this.joined();
    const headEnd = all.indexOf(HEAD_END);
    if (headEnd < 0) return null;
    const text = all.toString('latin1', 0, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const status = Number(text.slice(9, 12));
    if (/\r\ntransfer-encoding: *chunked/i.test(text)) return { status, text, bodyStart, length: 'chunked' };
    const sized = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (sized || status === 204) return { status, text, bodyStart, length: Number(sized?.[1] ?? 0) };
    this.fail(new Error(`A reply without its length: ${text}`));
    return null;
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

function unchunked(body: Buffer): string {
  const parts: Buffer[] = [];
  for (let from = 0; ;) {
    const lineEnd = body.indexOf('\r\n', from);
    const size = Number.parseInt(body.toString('latin1', from, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts).toString();
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    from = lineEnd + 2 + size + 2;
  }
}

/** A reply that has to be a success: anything else ends the benchmark with what the service said. */
export function expectSuccess(reply: BenchReply, what: string): BenchReply {
  if (reply.status >= 200 && reply.status < 300) return reply;
  throw new Error(`${what}: the service answered ${reply.status} ${reply.body.slice(0, 300)}`);
}
