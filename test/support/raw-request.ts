import { connect } from 'node:net';
import { jsonOf, type Json } from './store-client';

export interface RawReply {
  status: number;
  /** Status line and headers, lower case. */
  head: string;
  text: string;
  json: Json;
}

/** Sends bytes that no HTTP client would, and reads until the service closes; `after` comes when `pauseMs` have passed. */
export function sendRaw(port: number, pieces: readonly (string | Buffer)[], pauseMs = 0): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const write = (at: number): void => {
      const piece = pieces[at];
      if (piece === undefined || socket.destroyed || !socket.writable) return;
      socket.write(piece);
      if (pauseMs === 0) write(at + 1);
      else timer = setTimeout(() => write(at + 1), pauseMs);
    };
    socket.on('connect', () => write(0));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // Whoever is refused while still sending may be cut off: what was answered before is there.
    socket.on('error', (error) => (chunks.length === 0 ? reject(error) : undefined));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(replyOf(Buffer.concat(chunks).toString('utf8')));
    });
  });
}

function replyOf(whole: string): RawReply {
  const end = whole.indexOf('\r\n\r\n');
  const head = whole.slice(0, end).toLowerCase();
  const text = whole.slice(end + 4);
  return {
    status: Number(head.split(' ')[1]),
    head,
    text,
    json: jsonOf(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)),
  };
}
