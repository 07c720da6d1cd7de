import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Reply } from '../support/store-client';
import type { FuzzRequest } from './requests';

/** No client waits this long. Milliseconds. */
const GIVEN_UP_AFTER = 30_000;

export interface TimedReply extends Reply {
  ms: number;
}

/** Sends requests as they are, over so many connections: what an HTTP client would tidy up first arrives as odd as it was made. */
export class RawClient {
  private readonly agent: Agent;

  constructor(
    private readonly port: number,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  send({ method, path, headers, body }: FuzzRequest): Promise<TimedReply> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { host: '127.0.0.1', port: this.port, method, path, headers: { ...headers, ...length } };
      const sent = request({ ...options, agent: this.agent, timeout: GIVEN_UP_AFTER }, (reply) => {
        const chunks: Buffer[] = [];
        const done = (): void => {
          const ms = performance.now() - since;
          try {
            const text = unpacked(Buffer.concat(chunks), reply.headers).toString('utf8');
            resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, json: {}, ms });
          } catch (error) {
            reject(error as Error);
          }
        };
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          // A stream of events ends with the job it tells of: the first is enough.
          if (!String(reply.headers['content-type']).startsWith('text/event-stream')) return;
          done();
          sent.destroy();
        });
        reply.on('end', done);
        reply.on('error', reject);
      });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${GIVEN_UP_AFTER} ms`)));
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** A reply as it was before it was compressed. Throws for one that is not what it says. */
function unpacked(body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): Buffer {
  if (body.length === 0 || encoding === undefined) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  if (encoding === 'gzip') return gunzipSync(body);
  throw new Error(`a reply encoded as ${encoding}`);
}
