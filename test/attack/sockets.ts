import { Agent, request } from 'node:http';
import { addressOf, type Call, jsonOf, packed, type Reply, type Send } from '../support/store-client';

const USUAL_PATIENCE_MS = 15_000;

/** Connections to a service from any address of the loopback network. */
export class Sockets {
  private readonly agents = new Map<string, Agent>();

  constructor(private readonly port: () => number) {}

  from(localAddress: string, patienceMs = USUAL_PATIENCE_MS): Send {
    return (call) => this.send(call, { localAddress, patienceMs });
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  private send(call: Call, { localAddress, patienceMs }: { localAddress: string; patienceMs: number }): Promise<Reply> {
    const { headers, payload } = packed(call);
    const agent = this.agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress });
    this.agents.set(localAddress, agent);
    const options = {
      host: '127.0.0.1',
      port: this.port(),
      agent,
      method: call.method ?? 'GET',
      path: addressOf(call),
      headers,
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.once('error', reject);
        reply.once('end', () => {
          clearTimeout(timer);
          const text = Buffer.concat(chunks).toString();
          resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text, json: jsonOf(text) });
        });
      });
      // The connection goes with it, as with a client that closes its page.
      const timer = setTimeout(() => sent.destroy(new Error(`No answer within ${patienceMs} ms`)), patienceMs);
      sent.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      sent.end(payload);
    });
  }
}
