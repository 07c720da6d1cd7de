import { aProduct } from '../builders/a-product';
import type { Reply, StoreClient } from './store-client';

const SHOPPER = 'ana';

/** Writes products and events through whatever happens, and knows which of them were accepted. */
export class Acknowledged {
  readonly products = new Set<string>();
  readonly events = new Set<string>();
  /** Bodies of what was refused. */
  readonly refused: Reply[] = [];
  /** Answers that are neither a yes nor a 503 that says when to try again. */
  readonly wrong: Reply[] = [];
  private serial = 0;

  constructor(
    private readonly store: StoreClient,
    private readonly padding = '',
  ) {}

  /** One product and one event, at the same time. */
  async write(): Promise<void> {
    this.serial += 1;
    const id = `produto-${this.serial}`;
    const product = aProduct({ id, name: `Caneca ${id}`, description: this.padding });
    const put = { method: 'PUT', path: `/v7/products/${id}`, headers: this.store.headers, body: product };
    const event = {
      method: 'POST',
      path: '/v7/events/views/product',
      headers: { origin: this.store.keys.origin },
      body: { userId: SHOPPER, eventId: id, pid: id },
    };
    const [stored, noted] = await Promise.all([this.store.send(put), this.store.send(event)]);
    if (stored.status === 202) this.products.add(id);
    else this.refuse(stored);
    if (noted.status === 204) this.events.add(id);
    else this.refuse(noted);
  }

  /** So many one after the other by each of some clients. */
  async writeMany(count: number, clients = 4): Promise<void> {
    const client = async (): Promise<void> => {
      for (let number = 0; number < count; number += 1) await this.write();
    };
    await Promise.all(Array.from({ length: clients }, client));
  }

  async until(done: () => boolean | Promise<boolean>, most = 20_000): Promise<void> {
    for (let times = 0; times < most; times += 1) {
      if (await done()) return;
      await this.write();
    }
    throw new Error('It never came to that');
  }

  /** What was accepted and is not there. */
  async missing(store = this.store): Promise<string[]> {
    const found = new Set<string>();
    const wanted = [...this.products];
    for (let from = 0; from < wanted.length; from += 100) {
      for (const id of await store.order({ pids: wanted.slice(from, from + 100) })) found.add(id);
    }
    const exported = await store.exported(SHOPPER);
    const kept = new Set(exported.map(({ body }) => (body as { eventId?: string } | undefined)?.eventId));
    return [
      ...wanted.filter((id) => !found.has(id)),
      ...[...this.events].filter((id) => !kept.has(id)).map((id) => `event ${id}`),
    ];
  }

  private refuse(reply: Reply): void {
    this.refused.push(reply);
    if (reply.status !== 503 || reply.headers['retry-after'] === undefined) this.wrong.push(reply);
  }
}

/** Tries until it is so; fails after a time that no machine needs. */
export async function eventually(isSo: () => Promise<boolean> | boolean, withinMs = 30_000): Promise<void> {
  const giveUp = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > giveUp) throw new Error('It never came to that');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
