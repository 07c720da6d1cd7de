import { setTimeout as sleep } from 'node:timers/promises';
import { BenchCatalog } from '../../bench/data/catalog';
import { Chance, Zipf } from '../../bench/data/chance';
import { type BenchRequest, Connection } from '../../bench/load/connection';
import { BROWSER } from '../support/showcase-shop';
import type { SoakMinute, SoakTask } from './soak-task';

const CONNECTIONS = 16;
const MINUTE = 60_000;
/** A user comes so often, stays so long, and is erased: so many are there at any time. Milliseconds. */
const COMES_EVERY = 2000;
const STAYS = 120_000;
const SPARED = 5;
/** Twentieths of the catalog are written anew this often, in parts. */
const WRITTEN_EVERY = 120_000;
const WRITTEN_SHARE = 0.05;
const PARTS = 10;

type Kind = 'searches' | 'events' | 'others';

interface Act {
  kind: Kind;
  request: BenchRequest;
}

const emptyMinute = (): SoakMinute => ({ searches: [], events: [], others: [], failures: {}, requests: 0 });

/** Searches, events, clicks, writes and erasures in a fixed mix, at fixed times. */
class MixedLoad {
  private minute = emptyMinute();
  private readonly free: Connection[];
  private readonly queue: (() => void)[] = [];
  private readonly chance = new Chance(41);
  private readonly popular: Zipf;
  private readonly catalog: BenchCatalog;
  private readonly headers: Record<string, string>;
  private clickUrl: string | null = null;
  private link: string | null = null;
  private newest = 0;
  private oldest = 0;
  private orders = 0;
  private written = 0;

  constructor(private readonly task: SoakTask) {
    const { apiKey, secretKey } = task.keys;
    this.headers = { 'x-api-key': apiKey, 'x-secret-key': secretKey, 'user-agent': BROWSER };
    this.free = Array.from({ length: CONNECTIONS }, () => new Connection(task.port));
    this.popular = new Zipf(task.products);
    this.catalog = new BenchCatalog(task.products);
  }

  async run(tell: (minute: SoakMinute) => void): Promise<void> {
    const { perSecond, ms } = this.task;
    const started = performance.now();
    const running = new Set<Promise<void>>();
    const begin = (act: Act, due: number): void => {
      const work = this.act(act, due).finally(() => running.delete(work));
      running.add(work);
    };
    let told = MINUTE;
    for (let number = 0; performance.now() - started < ms; number += 1) {
      const due = started + (number * 1000) / perSecond;
      const wait = due - performance.now();
      if (wait > 1) await sleep(wait);
      const passed = due - started;
      if (passed >= told) {
        told += MINUTE;
        tell(this.minute);
        this.minute = emptyMinute();
      }
      for (const extra of this.upkeep(passed)) begin(extra, due);
      begin(this.choose(), due);
    }
    await Promise.all(running);
    tell(this.minute);
    for (const connection of this.free) connection.close();
  }

  private async act({ kind, request }: Act, due: number): Promise<void> {
    let connection = this.free.shift();
    while (!connection) {
      await new Promise<void>((resolve) => this.queue.push(resolve));
      connection = this.free.shift();
    }
    const { minute } = this;
    minute.requests += 1;
    try {
      const { status, body } = await connection.send(request);
      if (status >= 400) this.failed(`${status} ${request.method} ${request.path.split('?')[0]}`);
      if (kind === 'searches') this.clickUrl = /"clickUrl":"([^"]+)"/.exec(body)?.[1] ?? this.clickUrl;
      this.link = /"link":"(http[^"]+hash=[^"]+)"/.exec(body)?.[1] ?? this.link;
    } catch (error) {
      this.failed(String(error));
      connection.close();
      connection = new Connection(this.task.port);
    }
    this.free.push(connection);
    this.queue.shift()?.();
    minute[kind].push(performance.now() - due);
  }

  private failed(why: string): void {
    const { failures } = this.minute;
    failures[why] = (failures[why] ?? 0) + 1;
  }

  /** Users that come and are erased, and products that are written. */
  private upkeep(passed: number): Act[] {
    const acts: Act[] = [];
    while (this.newest * COMES_EVERY <= passed) this.newest += 1;
    while (this.oldest * COMES_EVERY + STAYS < passed) {
      const path = `/v7/users/${this.user(this.oldest)}`;
      acts.push({ kind: 'others', request: { method: 'DELETE', path, headers: this.headers } });
      this.oldest += 1;
    }
    while ((this.written * WRITTEN_EVERY) / PARTS < passed) acts.push({ kind: 'others', request: this.writing() });
    return acts;
  }

  private writing(): BenchRequest {
    const { products } = this.task;
    const count = Math.max(1, Math.round((products * WRITTEN_SHARE) / PARTS));
    const lines = Array.from({ length: count }, (_, index) => {
      const sent = this.catalog.sent((this.written * count + index) % products);
      return JSON.stringify({ ...sent, price: Math.round(Number(sent['price']) * (90 + this.chance.below(20))) / 100 });
    });
    this.written += 1;
    const headers = { ...this.headers, 'content-type': 'application/x-ndjson' };
    return { method: 'POST', path: '/v7/products', headers, body: lines.join('\n') };
  }

  private choose(): Act {
    const drawn = this.chance.next();
    // Not those who are about to be erased: what comes after is another visit's.
    const oldest = Math.min(this.newest - 1, this.oldest + SPARED);
    const user = this.user(oldest + this.chance.below(this.newest - oldest));
    if (drawn < 0.5) {
      const path = `${this.chance.of(this.task.searches)}&userId=${user}`;
      return { kind: 'searches', request: { method: 'GET', path, headers: this.headers } };
    }
    if (drawn < 0.85) return { kind: 'events', request: this.event(user) };
    if (drawn < 0.93 && this.clickUrl !== null) {
      const path = `/engage${this.clickUrl}&userId=${user}&interactionType=PRODUCT_VIEW`;
      return { kind: 'events', request: { method: 'GET', path, headers: this.headers } };
    }
    const { link } = this;
    this.link = null;
    if (link === null) {
      const headers = { ...this.headers, 'x-user-id': user };
      const path = '/v2/showcases?placement=home&widgets=native,4_all';
      return { kind: 'others', request: { method: 'GET', path, headers } };
    }
    const { pathname, search } = new URL(link);
    return {
      kind: 'others',
      request: { method: 'GET', path: `${pathname}${search}&redirect=0`, headers: this.headers },
    };
  }

  /** Without ids of their own but for orders: what has one is remembered for good. */
  private event(userId: string): BenchRequest {
    const { apiKey, secretKey } = this.task.keys;
    const pid = `p${this.popular.draw(this.chance)}`;
    const shared = { apiKey, secretKey, userId, pid, items: [{ pid, quantity: 1 }] };
    const drawn = this.chance.next();
    const name = drawn < 0.8 ? 'product' : drawn < 0.94 ? 'cart' : 'transaction';
    const own = name === 'transaction' ? { id: `order-${process.pid}-${this.orders++}` } : {};
    return { method: 'POST', path: `/v7/events/views/${name}`, body: JSON.stringify({ ...shared, ...own }) };
  }

  private user(number: number): string {
    return `visitor-${number}`;
  }
}

process.once('message', (task: SoakTask) => {
  const tell = (minute: SoakMinute): void => void process.send?.(minute);
  new MixedLoad(task).run(tell).then(
    () => process.disconnect(),
    (error: unknown) => {
      process.stderr.write(`The load generator failed: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
