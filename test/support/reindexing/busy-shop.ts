import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchCatalog } from '../../../bench/data/catalog';
import { Chance } from '../../../bench/data/chance';
import { overHttp } from '../service-process';
import { type Json, must, type SearchReply, type Send, StoreClient } from '../store-client';
import type { WholeApp } from '../whole-app';

const LOADED_AT_ONCE = 500;
const CHECKED_AT_ONCE = 100;
const A_PAGE = 24;
/** Milliseconds a client rests between two requests. */
const REST_MS = 100;
/** One in so many writes brings a new product. */
const NEW_EVERY = 10;

/** What clients saw. */
export interface Seen {
  /** Milliseconds of each search. */
  searches: number[];
  writes: number;
  /** Answers that failed, found nothing, or showed less than they said. */
  wrong: string[];
}

/** A shop of the benchmarks behind a real socket, with clients that search and write until they are told to stop. */
export class BusyShop {
  private readonly catalog: BenchCatalog;
  /** The price of each product that was written, once that was promised. */
  private readonly written = new Map<string, number>();
  private added = 0;
  private prices = 1000;

  private constructor(
    readonly store: StoreClient,
    readonly products: number,
  ) {
    this.catalog = new BenchCatalog(products);
  }

  static async open(whole: WholeApp, products: number): Promise<BusyShop> {
    await whole.app.listen(0, '127.0.0.1');
    const { port } = whole.app.getHttpServer().address() as { port: number };
    const agent = new Agent({ keepAlive: true });
    const send: Send = (call) => overHttp(call, port, agent);
    const shop = new BusyShop((await whole.store('busy')).through(send), products);
    for (let from = 0; from < products; from += LOADED_AT_ONCE) {
      const count = Math.min(LOADED_AT_ONCE, products - from);
      const { accepted } = await shop.store.putMany(
        Array.from({ length: count }, (_, at) => shop.catalog.sent(from + at) as Json),
      );
      if (accepted !== count) throw new Error(`${accepted} of ${count} products were accepted`);
    }
    return shop;
  }

  get size(): number {
    return this.products + this.added;
  }

  /** A word that finds something. */
  word(chance: Chance): string {
    return this.catalog.product(chance.below(this.products)).nameWords[0] ?? '';
  }

  /** Orders of some searches. */
  async orders(count: number): Promise<string[]> {
    const chance = new Chance(99);
    const orders: string[] = [];
    for (let at = 0; at < count; at += 1) orders.push((await this.store.order({ terms: this.word(chance) })).join());
    return orders;
  }

  /** Runs `work` while clients are at it. */
  async while(clients: { searchers: number; writers: number }, work: () => Promise<void>): Promise<Seen> {
    const seen: Seen = { searches: [], writes: 0, wrong: [] };
    const stop = new AbortController();
    const client = async (one: (chance: Chance) => Promise<void>, seed: number): Promise<void> => {
      for (const chance = new Chance(seed); !stop.signal.aborted; await sleep(REST_MS)) {
        await one(chance).catch((error: unknown) => void seen.wrong.push(String(error)));
      }
    };
    const working = Promise.all([
      ...Array.from({ length: clients.searchers }, (_, at) => client((chance) => this.search(chance, seen), at + 1)),
      ...Array.from({ length: clients.writers }, (_, at) => client((chance) => this.write(chance, seen), -at - 1)),
    ]);
    try {
      await work();
    } finally {
      stop.abort();
      await working;
    }
    return seen;
  }

  /** What the service has refused so far, and why. */
  async refusals(): Promise<string> {
    const { text } = await this.store.send({ path: '/metrics' });
    return [...text.matchAll(/^requests_refused_total.*$/gm)].join(', ');
  }

  /** Products that are not found as they were last written. */
  async lost(): Promise<string[]> {
    const lost: string[] = [];
    const written = [...this.written];
    for (let from = 0; from < written.length; from += CHECKED_AT_ONCE) {
      const some = written.slice(from, from + CHECKED_AT_ONCE);
      const query = { pids: some.map(([id]) => id), resultsPerPage: CHECKED_AT_ONCE, productFormat: 'complete' };
      const { products } = await this.store.search(query);
      const found = new Map(products.map((one) => [one.id, (one as Json)['price']]));
      lost.push(...some.filter(([id, price]) => found.get(id) !== price).map(([id]) => id));
    }
    return lost;
  }

  private async search(chance: Chance, seen: Seen): Promise<void> {
    const terms = this.word(chance);
    const begun = performance.now();
    const reply = await this.store.search({ terms, resultsPerPage: A_PAGE, productFormat: 'complete' });
    seen.searches.push(performance.now() - begun);
    const wrong = half(reply);
    if (wrong !== null) seen.wrong.push(`"${terms}": ${wrong}`);
  }

  private async write(chance: Chance, seen: Seen): Promise<void> {
    const isNew = chance.below(NEW_EVERY) === 0;
    const number = isNew ? this.products + (this.added += 1) - 1 : chance.below(this.products);
    // Every price once: which write is found is certain.
    const price = (this.prices += 1);
    const { id } = await this.store.put({ ...this.catalog.sent(number), price, skus: [] });
    // Of two writes of one product that overlap, the dearer one came later.
    this.written.set(id, Math.max(price, this.written.get(id) ?? 0));
    seen.writes += 1;
  }
}

/** What is missing from an answer; null: nothing. */
function half({ size, products, filters }: SearchReply): string | null {
  if (size === 0) return 'nothing was found';
  if (products.length !== Math.min(size, A_PAGE)) return `${products.length} products of ${size}`;
  if (filters.length === 0) return 'no filters';
  const bare = products.find((one) => typeof (one as Json)['name'] !== 'string');
  return bare ? `a product without its name: ${JSON.stringify(bare)}` : null;
}

/** The job of an admin call, once it has ended. */
export async function endedJob(store: StoreClient, whole: WholeApp, path: string): Promise<Json> {
  const { jobId } = must(await store.admin({ method: 'POST', path }), 202);
  const headers = { authorization: `Bearer ${whole.token()}` };
  for (;;) {
    const job = must(await store.send({ path: `/admin/jobs/${String(jobId)}`, headers }), 200);
    if (['completed', 'failed', 'cancelled'].includes(String(job['state']))) return job;
    await sleep(100);
  }
}
