import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRequest, Connection } from '../../bench/load/connection';
import type { OverloadResult, OverloadTask } from './soak-task';

const MOST_CONNECTIONS = 1000;
/** Clients give up then: what comes later is of no use. Milliseconds. */
const GIVEN_UP_MS = 2000;

class Overload {
  readonly result: OverloadResult = { answered: 0, latencies: [], refusals: [], blunt: 0, lost: {}, seconds: 0 };
  private readonly headers: Record<string, string>;
  private next = 0;

  constructor(private readonly task: OverloadTask) {
    const { apiKey, secretKey } = task.keys;
    this.headers = { 'x-api-key': apiKey, 'x-secret-key': secretKey };
  }

  async run(): Promise<OverloadResult> {
    const { load } = this.task;
    const started = performance.now();
    await ('connections' in load ? this.closed(load.connections) : this.open(load.perSecond));
    this.result.seconds = (performance.now() - started) / 1000;
    return this.result;
  }

  private async closed(connections: number): Promise<void> {
    const until = performance.now() + this.task.ms;
    const drive = async (): Promise<void> => {
      let connection = this.connection();
      while (performance.now() < until) connection = await this.one(connection);
      connection.close();
    };
    await Promise.all(Array.from({ length: connections }, drive));
  }

  private async open(perSecond: number): Promise<void> {
    const free: Connection[] = [];
    let made = 0;
    const running = new Set<Promise<void>>();
    const started = performance.now();
    const count = Math.floor((perSecond * this.task.ms) / 1000);
    for (let sent = 0; sent < count; sent += 1) {
      const wait = started + (sent * 1000) / perSecond - performance.now();
      if (wait > 1) await sleep(wait);
      const waiting = free.shift();
      if (!waiting && made === MOST_CONNECTIONS) {
        this.lose('no connection left');
        continue;
      }
      if (!waiting) made += 1;
      const connection = waiting ?? this.connection();
      const work = this.one(connection)
        .then((left) => void free.push(left))
        .finally(() => running.delete(work));
      running.add(work);
    }
    await Promise.all(running);
    for (const connection of free) connection.close();
  }

  /** Answers the connection to go on with. */
  private async one(connection: Connection): Promise<Connection> {
    const { result } = this;
    const since = performance.now();
    try {
      const { status, head } = await connection.send(this.request());
      const ms = performance.now() - since;
      if (status === 200 && ms <= GIVEN_UP_MS) {
        result.answered += 1;
        result.latencies.push(ms);
      } else if (status === 503 || status === 429) {
        result.refusals.push(ms);
        if (!/\r\nretry-after:/i.test(head)) result.blunt += 1;
      } else this.lose(status === 200 ? `later than ${GIVEN_UP_MS} ms` : String(status));
      return connection;
    } catch (error) {
      this.lose(String(error));
      connection.close();
      return this.connection();
    }
  }

  /** What this process uses of the machine is taken from the service. */
  private connection(): Connection {
    return new Connection(this.task.port, { headsOnly: true });
  }

  private request(): BenchRequest {
    const { searches } = this.task;
    const number = this.next;
    this.next += 1;
    const path = `${searches[number % searches.length] ?? ''}&userId=shopper-${number % 30}`;
    return { method: 'GET', path, headers: this.headers };
  }

  private lose(why: string): void {
    const { lost } = this.result;
    lost[why] = (lost[why] ?? 0) + 1;
  }
}

process.once('message', (task: OverloadTask) => {
  new Overload(task).run().then(
    (result) => process.send?.(result, () => process.disconnect()),
    (error: unknown) => {
      process.stderr.write(`The load generator failed: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
