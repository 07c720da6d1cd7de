import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchCatalog } from '../../bench/data/catalog';
import { Chance } from '../../bench/data/chance';
import type { Job } from '../../src/jobs/job-queue';
import type { QueryPlan } from '../../src/engine/plan/query-plan';
import { understand } from '../../src/engine/plan/understand';
import { defaultTemplate } from '../../src/ranking/template/template';
import type { Store } from '../../src/stores/store';
import { CatalogReplica, type ReplicaSetup } from './catalog-replica';

const root = join(__dirname, '..', '..');
const LOADED_AT_ONCE = 500;
const CHECKED_AT_ONCE = 100;
const FED_AT_ONCE = 50;
/** So that a product's own words are still found by them. */
const PRICES = 1000;

export type Phase = 'before' | 'during' | 'after';

export interface ReindexLoad {
  products: number;
  searchers: number;
  writers: number;
  /** Milliseconds a client rests between two requests. */
  restMs: number;
  /** Milliseconds before the reindex is asked for, and after it is done. */
  aroundMs: number;
}

export interface ReindexOutcome {
  job: Job;
  /** From asking for it to its end. */
  tookMs: number;
  /** Milliseconds of each search, by when it began. */
  searches: Record<Phase, number[]>;
  failures: string[];
  /** Searches for a word of a product that found nothing. */
  empty: number;
  writes: number;
  /** Products whose last acknowledged write is not what is found. */
  lost: string[];
  documents: number;
}

/** A shop of the benchmarks in production, with clients who search and write, and workers in processes of their own. */
export class ReindexedShop {
  private readonly workers: ChildProcess[] = [];
  private readonly catalog: BenchCatalog;
  private readonly written = new Map<string, number>();
  /** Products that were added to those of the catalog. */
  private added = 0;

  private constructor(
    readonly replica: CatalogReplica,
    readonly store: Store,
    private readonly setup: ReplicaSetup,
    private readonly load: ReindexLoad,
  ) {
    this.catalog = new BenchCatalog(load.products);
  }

  static async open(setup: ReplicaSetup, load: ReindexLoad): Promise<ReindexedShop> {
    const replica = await CatalogReplica.open(setup);
    const { store } = await replica.stores.create({ name: 'Reindexed', settings: { language: 'pt-BR' } });
    const shop = new ReindexedShop(replica, store, setup, load);
    const numbers = Array.from({ length: load.products }, (_, number) => number);
    for (let from = 0; from < numbers.length; from += LOADED_AT_ONCE) {
      await shop.write(numbers.slice(from, from + LOADED_AT_ONCE));
    }
    return shop;
  }

  async close(): Promise<void> {
    for (const worker of this.workers) await kill(worker);
    await this.replica.close();
  }

  async startWorker(): Promise<ChildProcess> {
    const script = join(root, 'test/support/reindex-worker.ts');
    const args = ['--require', '@swc-node/register', script, JSON.stringify(this.setup)];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    this.workers.push(child);
    await once(child.stdout, 'data');
    return child;
  }

  /** Asks for a reindex while clients are at it, and looks for what went wrong. `meanwhile`: is told the job. `ask`: how it comes to one. */
  async reindex(
    meanwhile: (jobId: string) => Promise<void> = async () => undefined,
    ask: () => Promise<{ jobId: string }> = () => this.replica.reindexing.ask(this.store),
  ): Promise<ReindexOutcome> {
    const clients = new Clients(this, this.load);
    await sleep(this.load.aroundMs);
    clients.phase = 'during';
    const asked = performance.now();
    const { jobId } = await ask();
    await meanwhile(jobId);
    const job = await this.finished(jobId);
    const tookMs = performance.now() - asked;
    clients.phase = 'after';
    await sleep(this.load.aroundMs);
    await clients.stop();
    const { searches, failures, empty, writes } = clients;
    const { documents } = await this.replica.engine.status(this.store.id);
    return { job, tookMs, searches, failures, empty, writes, lost: await this.lost(), documents };
  }

  get size(): number {
    return this.load.products + this.added;
  }

  async find(jobId: string): Promise<Job | undefined> {
    return (await this.replica.jobs.find({ id: jobId }))[0];
  }

  private async finished(jobId: string): Promise<Job> {
    for (;;) {
      const job = await this.find(jobId);
      if (job && ['completed', 'failed', 'cancelled'].includes(job.state)) return job;
      await sleep(50);
    }
  }

  /** As the route does it; resolves when it is recorded and searchable. */
  private async write(numbers: readonly number[], price?: number): Promise<void> {
    const receivedAt = Date.now();
    const writes = numbers.map((number) => {
      const sent = { ...this.catalog.sent(number), ...(price === undefined ? {} : { price, skus: [] }) };
      return { productId: `p${number}`, channel: null, sent, receivedAt };
    });
    const versions = await this.replica.writer.write(this.store, writes);
    if (price === undefined) return;
    for (const [index, { productId }] of writes.entries()) this.written.set(productId, versions[index] ?? 0);
  }

  /** One in ten is a new product. */
  writeOne(chance: Chance): Promise<void> {
    const number = chance.next() < 0.1 ? this.load.products + this.added++ : chance.below(this.load.products);
    return this.write([number], 1 + chance.below(PRICES));
  }

  /** New products in a row. */
  async feed(products: number): Promise<void> {
    for (let left = products; left > 0; left -= FED_AT_ONCE) {
      const first = this.load.products + this.added;
      this.added += FED_AT_ONCE;
      await this.write(
        Array.from({ length: FED_AT_ONCE }, (_, number) => first + number),
        PRICES,
      );
    }
  }

  /** The number of products found for one word of one of them. */
  async searchOne(chance: Chance): Promise<number> {
    const [word = ''] = this.catalog.product(chance.below(this.load.products)).nameWords;
    const { match } = await understand({ terms: word, language: 'pt-BR' }, (words) =>
      this.replica.engine.words(this.store.id, { words }),
    );
    return (await this.ask({ match, facets: ['brand', 'category', 'price'] })).total;
  }

  private ask(plan: Partial<QueryPlan>): ReturnType<CatalogReplica['engine']['search']> {
    const whole: QueryPlan = {
      store: this.store.id,
      channels: ['default'],
      language: 'pt-BR',
      match: { kind: 'all' },
      filters: [],
      availableOnly: false,
      sortBy: 'relevance',
      from: 0,
      size: 24,
      facets: [],
      now: Date.now(),
      ...plan,
    };
    return this.replica.engine.search({ plan: whole, template: defaultTemplate, boosts: null, explain: false });
  }

  private async lost(): Promise<string[]> {
    const lost: string[] = [];
    const written = [...this.written];
    for (let from = 0; from < written.length; from += CHECKED_AT_ONCE) {
      const some = written.slice(from, from + CHECKED_AT_ONCE);
      const ids = some.map(([id]) => id);
      const { hits } = await this.ask({ match: { kind: 'ids', ids }, size: CHECKED_AT_ONCE });
      const found = new Map(hits.map(({ productId, version }) => [productId, version]));
      lost.push(...some.filter(([id, version]) => found.get(id) !== version).map(([id]) => id));
    }
    return lost;
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** They search and write until they are stopped. */
class Clients {
  phase: Phase = 'before';
  readonly searches: Record<Phase, number[]> = { before: [], during: [], after: [] };
  readonly failures: string[] = [];
  empty = 0;
  writes = 0;
  private readonly stopping = new AbortController();
  private readonly working: Promise<unknown>;

  constructor(
    shop: ReindexedShop,
    private readonly load: ReindexLoad,
  ) {
    const { searchers, writers } = load;
    const search = async (chance: Chance): Promise<void> => {
      const { phase } = this;
      const begun = performance.now();
      const total = await shop.searchOne(chance);
      this.searches[phase].push(performance.now() - begun);
      if (total === 0) this.empty += 1;
    };
    const write = async (chance: Chance): Promise<void> => {
      await shop.writeOne(chance);
      this.writes += 1;
    };
    const client = (work: (chance: Chance) => Promise<void>, seed: number): Promise<void> =>
      this.repeat(work, new Chance(seed));
    this.working = Promise.all([
      ...Array.from({ length: searchers }, (_, number) => client(search, number + 1)),
      ...Array.from({ length: writers }, (_, number) => client(write, -number - 1)),
    ]);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.working;
  }

  private async repeat(work: (chance: Chance) => Promise<void>, chance: Chance): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        await work(chance);
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
        this.failures.push(`${this.phase}: ${String(error)}${cause}`);
      }
      await sleep(this.load.restMs);
    }
  }
}
