import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchShop } from './shop';

const LOOK_EVERY_MS = 100;
/** Slower than this, an import is given up: a benchmark ends. Lines a second, and seconds to begin. */
const SLOWEST = { linesPerSecond: 50, seconds: 120 };
/** Memory is given back a while after it was used, and learning, which has a thread of its own, begins when a feed has been quiet for five seconds. */
const SETTLED_MS = 8000;

export interface Import {
  seconds: number;
  /** Seconds of processor time of the service, which others on the machine change little; null: the system does not tell. */
  processor: number | null;
  result: Record<string, unknown>;
  /** Resident memory of the service in MiB: before, at the most, and a while after it was done. */
  memory: { first: number; most: number; last: number };
}

/** Imports into a store of its own, beside the one that is searched. */
export class FeedStore {
  private constructor(
    private readonly shop: BenchShop,
    private readonly apiKey: string,
  ) {}

  static async make(shop: BenchShop, apiKey: string): Promise<FeedStore> {
    await shop.admin('POST', '/admin/stores', { apiKey, name: apiKey });
    return new FeedStore(shop, apiKey);
  }

  /** From a file, as a store has it: what it takes to make a feed is no time of the service. `lines`: to know when it takes too long. */
  async import(chunks: Iterable<string>, lines: number, query = ''): Promise<Import> {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
    try {
      const file = join(folder, 'feed');
      await pipeline(Readable.from(chunks), createWriteStream(file));
      return await this.importFile(file, lines, query);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private async importFile(file: string, lines: number, query: string): Promise<Import> {
    const now = (): number => this.shop.service.memory()?.now ?? 0;
    const memory = { first: now(), most: 0, last: 0 };
    const [started, before] = [performance.now(), this.shop.service.cpuSeconds()];
    const { jobId } = await this.shop.upload(
      `/admin/stores/${this.apiKey}/imports?mode=full${query}`,
      createReadStream(file),
    );
    const longest = SLOWEST.seconds + lines / SLOWEST.linesPerSecond;
    const job = await this.ended(String(jobId), longest, () => (memory.most = Math.max(memory.most, now())));
    const seconds = (performance.now() - started) / 1000;
    const after = this.shop.service.cpuSeconds();
    const processor = before === null || after === null ? null : after - before;
    if (job['state'] !== 'completed') throw new Error(`An import is ${String(job['state'])}: ${String(job['error'])}`);
    await this.settled();
    return { seconds, processor, result: job['result'] as Import['result'], memory: { ...memory, last: now() } };
  }

  /** Nothing of the store is under way that a feed set going. */
  private async settled(): Promise<void> {
    await sleep(SETTLED_MS);
    for (;;) {
      const { jobs } = await this.shop.admin('GET', `/admin/jobs?store=${this.apiKey}`);
      const isBusy = (jobs as { state: string }[]).some(({ state }) => state === 'waiting' || state === 'active');
      if (!isBusy) return;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async remove(): Promise<void> {
    const { jobId } = await this.shop.admin('DELETE', `/admin/stores/${this.apiKey}`);
    await this.ended(String(jobId), SLOWEST.seconds * 5);
  }

  private async ended(id: string, seconds: number, look?: () => void): Promise<Record<string, unknown>> {
    const since = performance.now();
    for (;;) {
      const job = await this.shop.admin('GET', `/admin/jobs/${id}`);
      look?.();
      if (['completed', 'failed', 'cancelled'].includes(String(job['state']))) return job;
      if (performance.now() - since > seconds * 1000) throw new Error(`It takes too long: ${JSON.stringify(job)}`);
      await sleep(LOOK_EVERY_MS);
    }
  }
}
