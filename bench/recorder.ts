import { Agent, createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BareRequest } from './load/tasks';

interface Recorded extends BareRequest {
  started: number;
  ended: number;
}

/** Between the service and Elasticsearch, while it is asked what the service sends. Nothing is measured through it. */
export class Recorder {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;
  private recorded: Recorded[] = [];

  private constructor(
    private readonly target: URL,
    private readonly index: string,
  ) {
    this.server = createServer((from, to) => void this.forward(from, to));
  }

  /** `index`: a part of the names of the indices whose searches are recorded. */
  static async start(target: string, index: string): Promise<Recorder> {
    const recorder = new Recorder(new URL(target), index);
    await new Promise<void>((done) => recorder.server.listen(0, '127.0.0.1', done));
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** What is sent meanwhile: requests of one step at once, one step after the other, as the service sent them. */
  async during(work: () => Promise<unknown>): Promise<BareRequest[][]> {
    this.recorded = [];
    await work();
    const steps: Recorded[][] = [];
    for (const one of this.recorded.toSorted((a, b) => a.started - b.started)) {
      const last = steps.at(-1);
      if (last?.some(({ ended }) => one.started < ended)) last.push(one);
      else steps.push([one]);
    }
    return steps.map((step) => step.map(({ path, body }) => ({ path, body })));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
  }

  private async forward(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of from) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = from.url ?? '/';
    const started = performance.now();
    const { hostname, port, username, password } = this.target;
    const auth = username ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {};
    const options = { hostname, port, path, method: from.method, headers: from.headers, agent: this.agent, ...auth };
    const sent = request(options, (reply) => {
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
      reply.once('end', () => this.note({ path, body: body.toString(), started, ended: performance.now() }));
    });
    sent.once('error', () => to.destroy());
    sent.end(body);
  }

  private note(recorded: Recorded): void {
    const isSearch = /\/_m?search(\?|$)/.test(recorded.path);
    if (isSearch && (recorded.path.includes(this.index) || recorded.body.includes(this.index))) {
      this.recorded.push(recorded);
    }
  }
}
