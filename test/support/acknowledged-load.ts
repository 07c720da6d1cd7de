import { allCards, lonelyClick, openForClicks } from './click-load';
import { type Card, goods, ShowcaseShop } from './showcase-shop';
import { ENGAGE, type Json, must, type Query, type StoreClient } from './store-client';

const USERS = ['ana', 'bruno', 'carla'];
const SPONSORED = 300;
const WRITTEN_OVER = 15;

/** What was answered as done at some moment; of each kind all that was asked until then or later is `sent`. */
export interface Acknowledged {
  /** Event id -> whose it is and what it is about. */
  events: ReadonlyMap<string, { userId: string; pid: string }>;
  /** Product -> the serial of the last write. */
  products: ReadonlyMap<string, number>;
  clicks: readonly Card[];
}

/** A store under load by events, product writes and clicks, which knows what it was told. */
export class AcknowledgedLoad {
  private readonly events = new Map<string, { userId: string; pid: string }>();
  private readonly products = new Map<string, number>();
  private readonly clicks: Card[] = [];
  private readonly sentEvents = new Set<string>();
  private readonly sentClicks = new Set<string>();
  private serial = 0;

  private constructor(
    private readonly shop: ShowcaseShop,
    private readonly cards: Card[],
  ) {}

  static async on(store: StoreClient): Promise<AcknowledgedLoad> {
    const shop = new ShowcaseShop(store);
    // Its clicks have the pace of a machine.
    const settings = { showcase: { creditInvalid: false } };
    must(await store.admin({ method: 'PATCH', path: '', body: { settings } }), 200);
    await openForClicks(shop, SPONSORED, { bid: 0.5, budget: 1_000_000 });
    return new AcknowledgedLoad(shop, await allCards(shop, 'ana'));
  }

  /** So many of all that was acknowledged until now. */
  now(): Acknowledged {
    return { events: new Map(this.events), products: new Map(this.products), clicks: [...this.clicks] };
  }

  get size(): number {
    return this.events.size + this.products.size + this.clicks.length;
  }

  /** Resolves when the load was told to stop, and its last requests are answered. */
  async run(signal: AbortSignal): Promise<void> {
    const again = async (work: (serial: number) => Promise<void>): Promise<void> => {
      while (!signal.aborted) await work((this.serial += 1));
    };
    await Promise.all([
      again((serial) => this.visit(serial)),
      again((serial) => this.visit(serial)),
      again((serial) => this.write(serial)),
      again((serial) => this.click(serial)),
    ]);
  }

  /** What is wrong with a restored store: what was acknowledged and is not there as it was, or is there and was never sent. */
  async faults(store: StoreClient, acknowledged: Acknowledged): Promise<string[]> {
    return [
      ...(await this.eventFaults(store, acknowledged)),
      ...(await this.productFaults(store, acknowledged)),
      ...(await this.clickFaults(new ShowcaseShop(store), acknowledged)),
    ];
  }

  private async visit(serial: number): Promise<void> {
    const userId = USERS[serial % USERS.length] ?? '';
    const [eventId, pid] = [`e-${serial}`, `p${serial % SPONSORED}`];
    this.sentEvents.add(eventId);
    await this.shop.store.event('product', { userId, eventId, pid });
    this.events.set(eventId, { userId, pid });
  }

  private async write(serial: number): Promise<void> {
    const id = `over-${serial % WRITTEN_OVER}`;
    await this.shop.store.put(goods(id, { price: serial }));
    this.products.set(id, serial);
  }

  private async click(serial: number): Promise<void> {
    const card = this.cards.pop();
    if (!card) return this.visit(serial);
    this.sentClicks.add(card.id);
    const { status, text } = await lonelyClick(this.shop, card);
    if (status !== 302) throw new Error(`A click was answered ${status}: ${text}`);
    this.clicks.push(card);
  }

  private async eventFaults(store: StoreClient, { events }: Acknowledged): Promise<string[]> {
    const found = new Map<string, string[]>();
    for (const userId of USERS) {
      for (const { body } of await store.exported(userId)) {
        const { eventId, pid } = (body ?? {}) as Json;
        if (typeof eventId !== 'string') continue;
        found.set(eventId, [...(found.get(eventId) ?? []), `${userId} ${String(pid)}`]);
      }
    }
    const lost = [...events].filter(([id, { userId, pid }]) => String(found.get(id)) !== `${userId} ${pid}`);
    const alien = [...found].filter(([id, times]) => !this.sentEvents.has(id) || times.length !== 1);
    return [
      ...lost.map(([id]) => `event ${id} is ${String(found.get(id))}`),
      ...alien.map(([id, times]) => `event ${id} is there as ${times.join()}`),
    ];
  }

  private async productFaults(store: StoreClient, { products }: Acknowledged): Promise<string[]> {
    const query: Query = { pids: [...products.keys()], productFormat: 'complete' };
    const found = new Map((await store.search(query, ENGAGE)).products.map((one) => [one.id, (one as Json)['price']]));
    const sponsored = await this.countOf(store);
    return [
      ...[...products].flatMap(([id, serial]) =>
        Number(found.get(id)) >= serial ? [] : [`product ${id} of ${serial} is ${String(found.get(id))}`],
      ),
      ...(sponsored === SPONSORED ? [] : [`${sponsored} of ${SPONSORED} products`]),
    ];
  }

  private async countOf(store: StoreClient): Promise<number> {
    const ids = Array.from({ length: SPONSORED }, (_, number) => `p${number}`);
    let count = 0;
    for (let from = 0; from < SPONSORED; from += 100) {
      count += (await store.order({ pids: ids.slice(from, from + 100) })).length;
    }
    return count;
  }

  private async clickFaults(shop: ShowcaseShop, { clicks }: Acknowledged): Promise<string[]> {
    const { rows } = await shop.metrics();
    const counted = new Map(rows.filter((row) => row.clicks > 0).map((row) => [row.product, row.clicks]));
    const again = await Promise.all(
      clicks.slice(-5).map(async ({ id, link }) => ((await shop.click(link)) ? [`click ${id} counts again`] : [])),
    );
    return [
      ...clicks.filter(({ id }) => counted.get(id) !== 1).map(({ id }) => `click ${id}: ${counted.get(id) ?? 0}`),
      ...[...counted.keys()].filter((id) => !this.sentClicks.has(id)).map((id) => `click ${id} was never made`),
      ...again.flat(),
    ];
  }
}
