import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchCatalog, type BenchProduct } from './data/catalog';
import { Chance } from './data/chance';
import { searchQuery } from './data/queries';
import { type BenchShopper, shoppers } from './data/shoppers';
import type { Target } from './load/tasks';
import type { BenchStorage } from './production';
import { ServiceProcess } from './service-process';

const API_KEY = 'bench';
const PRODUCTS_A_CHUNK = 500;
const LONGEST_JOBS = 120_000;

interface Job {
  kind: string;
  state: string;
  error?: string;
}

/** A service with one store, its catalog and the histories of its shoppers. */
export class BenchShop {
  readonly catalog: BenchCatalog;
  readonly shoppers: BenchShopper[];
  /** Products a second through POST /v7/products, until all of them were found. */
  indexRate = 0;
  /** Cores the service used meanwhile. */
  indexCores: number | null = null;
  eventsLoaded = 0;
  private readonly folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
  private running: ServiceProcess | null = null;
  private secretKey = '';
  private token = '';

  private constructor(
    size: number,
    shopperCount: number,
    readonly storage: BenchStorage,
  ) {
    this.catalog = new BenchCatalog(size);
    process.once('exit', () => rmSync(this.folder, { recursive: true, force: true }));
    this.shoppers = shoppers(this.catalog, shopperCount, Date.now());
  }

  /** The storage is the shop's: it ends with it. */
  static async open(
    size: number,
    options: { shoppers: number; nodeOptions: readonly string[]; storage: BenchStorage },
  ): Promise<BenchShop> {
    const shop = new BenchShop(size, options.shoppers, options.storage);
    try {
      await shop.restart(options.nodeOptions);
      shop.token = shop.service.adminToken();
      const store = await shop.admin('POST', '/admin/stores', { apiKey: API_KEY, name: 'Bench' });
      shop.secretKey = String(store['secretKey']);
      await shop.loadCatalog();
      await shop.loadHistories();
      return shop;
    } catch (error) {
      await shop.close();
      throw error;
    }
  }

  get size(): number {
    return this.catalog.size;
  }

  get service(): ServiceProcess {
    if (!this.running) throw new Error('The service is not running');
    return this.running;
  }

  get keys(): { apiKey: string; secretKey: string } {
    return { apiKey: API_KEY, secretKey: this.secretKey };
  }

  get target(): Target {
    return { port: this.service.port, headers: { 'x-api-key': API_KEY, 'x-secret-key': this.secretKey } };
  }

  /** Ends the service, if it runs, and starts it on the same data. */
  async restart(nodeOptions: readonly string[] = []): Promise<ServiceProcess> {
    await this.running?.stop();
    this.running = await ServiceProcess.start(this.folder, this.storage.env, nodeOptions);
    return this.running;
  }

  /** Another process of the service on the same data; whoever asks for it stops it. */
  replica(env: Record<string, string>): Promise<ServiceProcess> {
    return ServiceProcess.start(this.folder, { ...this.storage.env, ...env });
  }

  async close(): Promise<void> {
    await this.running?.stop();
    await this.storage.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Seconds of work on the service's processor time, in cores. */
  async coresDuring<T>(work: () => Promise<T>): Promise<{ value: T; cores: number | null }> {
    const [started, before] = [performance.now(), this.service.cpuSeconds()];
    const value = await work();
    const after = this.service.cpuSeconds();
    const seconds = (performance.now() - started) / 1000;
    return { value, cores: before === null || after === null ? null : (after - before) / seconds };
  }

  /** A search as a shopper with a history makes it: half of them for what they know, half for something else. */
  search(chance: Chance): { neutral: string; personal: string } {
    const shopper = chance.of(this.shoppers);
    const product: BenchProduct =
      chance.next() < 0.5 ? chance.of(shopper.products) : this.catalog.product(chance.below(this.size));
    const path = `/searchapi/v3/queries?${searchQuery(product, chance)}&userId=${shopper.userId}`;
    return { neutral: `${path}&personalize=false`, personal: path };
  }

  async found(query: string): Promise<number> {
    const reply = await fetch(`http://127.0.0.1:${this.service.port}/searchapi/v3/queries?${query}`, this.target);
    return reply.ok ? Number(((await reply.json()) as { size: number }).size) : 0;
  }

  private async loadCatalog(): Promise<void> {
    const chunks: string[] = [];
    for (let start = 0; start < this.size; start += PRODUCTS_A_CHUNK) {
      const end = Math.min(this.size, start + PRODUCTS_A_CHUNK);
      let lines = '';
      for (let number = start; number < end; number++) lines += `${JSON.stringify(this.catalog.sent(number))}\n`;
      chunks.push(lines);
    }
    const started = performance.now();
    const { cores } = await this.coresDuring(async () => {
      const { accepted, rejected } = await this.stream('/v7/products', Readable.from(chunks), this.target.headers);
      if (accepted !== this.size)
        throw new Error(
          `Of the catalog only ${String(accepted)} were accepted: ${JSON.stringify(rejected).slice(0, 300)}`,
        );
      while ((await this.found('resultsPerPage=0')) < this.size) await sleep(20);
    });
    this.indexRate = this.size / ((performance.now() - started) / 1000);
    this.indexCores = cores;
  }

  private async loadHistories(): Promise<void> {
    const lines = this.shoppers.flatMap(({ events }) => events.map((event) => `${JSON.stringify(event)}\n`));
    this.eventsLoaded = lines.length;
    await this.stream(`/admin/stores/${API_KEY}/events/imports`, Readable.from(lines), {
      authorization: `Bearer ${this.token}`,
    });
    await this.untilJobsAreDone();
  }

  /** Imports, learning and aggregating: "at rest" is when none waits. */
  async untilJobsAreDone(): Promise<void> {
    const until = performance.now() + LONGEST_JOBS;
    for (let quiet = 0; quiet < 3;) {
      await sleep(300);
      const { jobs } = (await this.admin('GET', `/admin/jobs?store=${API_KEY}`)) as unknown as { jobs: Job[] };
      const failed = jobs.find(({ state }) => state === 'failed');
      if (failed) throw new Error(`The job ${failed.kind} failed: ${failed.error ?? ''}`);
      quiet = jobs.some(({ state }) => state === 'active' || state === 'waiting') ? 0 : quiet + 1;
      if (performance.now() > until) throw new Error('The jobs of the store did not end');
    }
  }

  /** An admin route. */
  async admin(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const reply = await fetch(`http://127.0.0.1:${this.service.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  }

  /** A body to an admin route. */
  upload(path: string, body: Readable): Promise<Record<string, unknown>> {
    return this.stream(path, body, { authorization: `Bearer ${this.token}` });
  }

  private stream(path: string, body: Readable, headers: Record<string, string>): Promise<Record<string, unknown>> {
    return new Promise((resolve, reject) => {
      const sending = request(
        {
          port: this.service.port,
          host: '127.0.0.1',
          path,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/x-ndjson' },
        },
        (reply) => {
          let text = '';
          reply.setEncoding('utf8').on('data', (part: string) => (text += part));
          reply.on('end', () => {
            if ((reply.statusCode ?? 500) < 300) resolve(JSON.parse(text) as Record<string, unknown>);
            else reject(new Error(`POST ${path}: ${reply.statusCode} ${text.slice(0, 300)}`));
          });
        },
      );
      sending.on('error', reject);
      body.on('error', reject).pipe(sending);
    });
  }
}
