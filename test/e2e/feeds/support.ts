import { startWholeApp, type WholeApp } from '../../support/whole-app';
import type { Mode } from '../../support/modes';
import { type Json, must, type Query, type StoreClient } from '../../support/store-client';

/** A store whose feeds are imported. */
export class FeedShop {
  private constructor(
    readonly app: WholeApp,
    readonly store: StoreClient,
  ) {}

  static async start(mode: Mode): Promise<FeedShop> {
    const app = await startWholeApp(mode);
    return new FeedShop(app, await app.store('feeds'));
  }

  /** The id of the job. */
  async staged(body: unknown, query: Query = {}, headers: Record<string, string> = {}): Promise<string> {
    const type = { 'content-type': 'application/octet-stream', ...headers };
    const call = { method: 'POST', path: '/imports', query: { mode: 'partial', ...query }, body, headers: type };
    return String(must(await this.store.admin(call), 202)['jobId']);
  }

  /** The job once it has ended, however it did. */
  async ended(jobId: string): Promise<Json> {
    const headers = { authorization: `Bearer ${this.app.token()}` };
    for (;;) {
      const job = must(await this.app.send({ path: `/admin/jobs/${jobId}`, headers }), 200);
      if (['completed', 'failed', 'cancelled'].includes(String(job['state']))) return job;
      // Its time would never come: the clock stands.
      if (job['error'] !== undefined) throw new Error(JSON.stringify(job));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async job(body: unknown, query: Query = {}): Promise<Json> {
    return this.ended(await this.staged(body, query));
  }

  /** The result of an import that completes. */
  async imported(body: unknown, query: Query = {}): Promise<Json> {
    const job = await this.job(body, query);
    if (job['state'] !== 'completed') throw new Error(JSON.stringify(job));
    return job['result'] as Json;
  }

  /** Why an import fails. */
  async refusal(body: unknown, query: Query = {}): Promise<string> {
    const job = await this.job(body, query);
    if (job['state'] !== 'failed') throw new Error(JSON.stringify(job));
    return String(job['error']);
  }

  /** A product as the storefront shows it; undefined: it can't be found. */
  async product(id: string): Promise<Json | undefined> {
    const query = { pids: id, productFormat: 'complete' };
    const { products } = await this.store.search(query);
    return products[0] as Json | undefined;
  }

  close(): Promise<void> {
    return this.app.close();
  }
}

export const ndjson = (products: readonly unknown[]): string =>
  products.map((product) => JSON.stringify(product)).join('\n');
