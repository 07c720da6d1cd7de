import { Agent, request } from 'node:http';
import { Chance } from '../data/chance';
import { Connection, expectSuccess } from './connection';
import type { BareRequest, LoadTask } from './tasks';

/** One step after the other, the requests of a step at once; a client of Node's, as the service's is. */
class BareEngine {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly url: URL;

  constructor(url: string) {
    this.url = new URL(url);
  }

  async run(steps: readonly (readonly BareRequest[])[]): Promise<void> {
    for (const step of steps) await Promise.all(step.map((one) => this.send(one)));
  }

  close(): void {
    this.agent.destroy();
  }

  private send({ path, body }: BareRequest): Promise<void> {
    const { hostname, port, username, password } = this.url;
    const auth = username ? { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` } : {};
    const headers = { 'content-type': path.includes('_msearch') ? 'application/x-ndjson' : 'application/json' };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method: 'POST', headers, agent: this.agent, ...auth }, (reply) => {
        reply.resume();
        reply.once('end', () => {
          if (reply.statusCode === 200) resolve();
          else reject(new Error(`${path}: the engine answered ${reply.statusCode}`));
        });
      });
      sent.once('error', reject);
      sent.end(body);
    });
  }
}

/** Of each trial every arm, in random order, one at a time. */
export async function runBeside({ target, elasticsearchUrl, trials, seed }: Extract<LoadTask, { kind: 'beside' }>) {
  const connection = new Connection(target.port);
  const engine = new BareEngine(elasticsearchUrl);
  const chance = new Chance(seed);
  const search = async (path: string): Promise<void> => {
    expectSuccess(await connection.send({ method: 'GET', path, headers: target.headers }), path);
  };
  const arms: number[][] = [];
  for (const { searches, bare } of trials) {
    const work = [...searches.map((path) => () => search(path)), ...bare.map((steps) => () => engine.run(steps))].map(
      (run, arm) => ({ run, arm, turn: chance.next() }),
    );
    for (const { run, arm } of work.toSorted((one, other) => one.turn - other.turn)) {
      const started = performance.now();
      await run();
      (arms[arm] ??= []).push(performance.now() - started);
    }
  }
  connection.close();
  engine.close();
  return { latencies: arms[0] ?? [], arms };
}
