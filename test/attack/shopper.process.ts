import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchRequest, Connection } from '../../bench/load/connection';
import { BROWSER } from '../support/showcase-shop';
import type { Felt, Phase, PhaseFelt, ShopperMessage, ShopperTask } from './shopper-task';

const CONNECTIONS = 6;
/** Clients give up then. Milliseconds. */
const GIVEN_UP_MS = 2000;
/** Of twenty acts fourteen are searches, three views, two clicks on what was found, and one is about sponsored products. */
const ACTS = 20;
const VIEWS_FROM = 14;
const CLICKS_FROM = 17;

interface Act {
  request: BenchRequest;
  kind: 'search' | 'view' | 'click' | 'showcase';
}

const nothingFelt = (): PhaseFelt => ({ searches: [], others: [], failures: {} });

/** Someone who shops, at a modest pace, whatever others do: open loop, so that a stall shows in all it kept waiting. */
class Shopper {
  readonly felt: Felt = {
    warm: nothingFelt(),
    rest: nothingFelt(),
    during: nothingFelt(),
    after: nothingFelt(),
    beside: nothingFelt(),
  };
  phase: Phase = 'warm';
  private readonly free: Connection[];
  private readonly queue: (() => void)[] = [];
  private clickUrl: string | null = null;
  private link: string | null = null;
  private over = false;
  private readonly headers: Record<string, string>;

  constructor(private readonly task: ShopperTask) {
    this.headers = { origin: task.origin, 'user-agent': BROWSER };
    this.free = Array.from({ length: CONNECTIONS }, () => this.connect());
  }

  async shop(): Promise<void> {
    const started = performance.now();
    const running = new Set<Promise<void>>();
    for (let number = 0; !this.over; number += 1) {
      const due = started + (number * 1000) / this.task.perSecond;
      const wait = due - performance.now();
      if (wait > 1) await sleep(wait);
      const act = this.act(number, due).finally(() => running.delete(act));
      running.add(act);
    }
    await Promise.all(running);
    for (const connection of this.free) connection.close();
  }

  stop(): void {
    this.over = true;
  }

  private connect(): Connection {
    return new Connection(this.task.port, { localAddress: this.task.address });
  }

  private async act(number: number, due: number): Promise<void> {
    const felt = this.felt[this.phase];
    const { request, kind } = this.choose(number);
    let connection = this.free.shift();
    while (!connection) {
      await new Promise<void>((resolve) => this.queue.push(resolve));
      connection = this.free.shift();
    }
    let problem: string | null = null;
    try {
      const { status, body } = await connection.send(request);
      problem = status >= 400 ? String(status) : this.look(body);
    } catch (error) {
      problem = String(error);
      connection.close();
      connection = this.connect();
    }
    this.free.push(connection);
    this.queue.shift()?.();
    const ms = performance.now() - due;
    (kind === 'search' ? felt.searches : felt.others).push(ms);
    if (ms > GIVEN_UP_MS) problem ??= `took longer than ${GIVEN_UP_MS} ms`;
    if (problem === null) return;
    const failure = `${problem} of a ${kind}`;
    felt.failures[failure] = (felt.failures[failure] ?? 0) + 1;
  }

  /** What is wrong with a reply; remembers what it offers to click. */
  private look(body: string): string | null {
    this.clickUrl = /"clickUrl":"([^"]+)"/.exec(body)?.[1] ?? this.clickUrl;
    this.link = /"link":"(http[^"]+hash=[^"]+)"/.exec(body)?.[1] ?? this.link;
    return body.includes('"profiles_unavailable"') ? 'not personal' : null;
  }

  private choose(number: number): Act {
    const { searches, products, users } = this.task;
    const turn = number % ACTS;
    const user = `shopper-${number % users}`;
    const { headers } = this;
    if (turn >= VIEWS_FROM && turn < CLICKS_FROM) {
      const event = {
        userId: user,
        eventId: `shopper-${process.pid}-${number}`,
        pid: products[number % products.length],
      };
      return {
        kind: 'view',
        request: { method: 'POST', path: '/v7/events/views/product', headers, body: JSON.stringify(event) },
      };
    }
    if (turn >= CLICKS_FROM && turn < ACTS - 1 && this.clickUrl !== null) {
      const path = `/engage${this.clickUrl}&userId=${user}&interactionType=PRODUCT_VIEW`;
      return { kind: 'click', request: { method: 'GET', path, headers } };
    }
    if (turn === ACTS - 1) return { kind: 'showcase', request: this.sponsored(user) };
    const path = `${searches[number % searches.length] ?? ''}&userId=${user}`;
    return { kind: 'search', request: { method: 'GET', path, headers } };
  }

  /** A showcase, and the next time a click on it. */
  private sponsored(user: string): BenchRequest {
    const headers = { ...this.headers, 'x-user-id': user };
    const { link } = this;
    this.link = null;
    if (link === null) return { method: 'GET', path: '/v2/showcases?placement=home&widgets=native,4_all', headers };
    const { pathname, search } = new URL(link);
    return { method: 'GET', path: `${pathname}${search}&redirect=0`, headers: this.headers };
  }
}

let shopper: Shopper | null = null;
process.on('message', (message: ShopperMessage) => {
  if ('task' in message) {
    const own = new Shopper(message.task);
    shopper = own;
    void own.shop().then(() => process.send?.(own.felt, () => process.disconnect()));
  } else if ('phase' in message && shopper) {
    shopper.phase = message.phase;
  } else {
    shopper?.stop();
  }
});
