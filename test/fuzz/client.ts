import { Agent, request } from 'node:http';
import type { Reply } from '../support/store-client';
import type { FuzzRequest } from './requests';

/** No client waits this long. Milliseconds. */
const GIVEN_UP_AFTER = 30_000;

export interface TimedReply extends Reply {
  ms: number;
}

/** Sends requests as they are, over one connection: what an HTTP client would tidy up first arrives as odd as it was made. */
export class RawClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  send({ method, path, headers, body }: FuzzRequest): Promise<TimedReply> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { host: '127.0.0.1', port: this.port, method, path, headers: { ...headers, ...length } };
      const sent = request({ ...options, agent: this.agent, timeout: GIVEN_UP_AFTER }, (reply) => {
        const chunks: Buffer[] = [];
        const done = (): void => {
          const text = Buffer.concat(chunks).toString('utf8');
          const ms = performance.now() - since;
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, json: {}, ms });
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
