import type { DemoProduct } from './demo-catalog';
import { Random } from './random';

/** An event as a shop's page would send it to `/v7/events/views/<name>`. */
export interface DemoEvent {
  name: 'search' | 'category' | 'product' | 'cart' | 'transaction';
  body: Record<string, unknown>;
}

/** The visits of one shopper, oldest first. */
export interface DemoShopper {
  userId: string;
  events: DemoEvent[];
}

/** A shelf somebody looks at, and what on it. */
interface Like {
  shelf: string;
  kind?: string;
  brand?: string;
}

interface Taste {
  shoppers: string[];
  query: string;
  likes: Like[];
}

/** Tastes the shop's shoppers are known to have; the first two are the ones to show around with. */
const TASTES: readonly Taste[] = [
  {
    shoppers: ['ana'],
    query: 'tenis de corrida',
    likes: [
      { shelf: 'Tênis', kind: 'de Corrida', brand: 'Andara' },
      { shelf: 'Roupas de Corrida', brand: 'Veltor' },
    ],
  },
  {
    shoppers: ['bruno'],
    query: 'tenis de skate',
    likes: [
      { shelf: 'Tênis', kind: 'de Skate', brand: 'Rueira' },
      { shelf: 'Camisetas', kind: 'Estampada', brand: 'Urbaneza' },
    ],
  },
  {
    shoppers: ['carla', 'diego', 'elisa', 'fabio'],
    query: 'corrida',
    likes: [
      { shelf: 'Tênis', kind: 'de Corrida', brand: 'Veltor' },
      { shelf: 'Meias' },
      { shelf: 'Relógios Esportivos' },
    ],
  },
  {
    shoppers: ['gabi', 'hugo', 'ines', 'joao'],
    query: 'gamer',
    likes: [
      { shelf: 'Teclados', kind: 'Gamer' },
      { shelf: 'Mouses', kind: 'Gamer' },
      { shelf: 'Fones de Ouvido', kind: 'Gamer' },
    ],
  },
  {
    shoppers: ['karen', 'lucas', 'marta', 'nilo'],
    query: 'cafe',
    likes: [
      { shelf: 'Cafés', brand: 'Grão da Serra' },
      { shelf: 'Cafeteiras', brand: 'Ferrália' },
      { shelf: 'Chocolates' },
    ],
  },
  {
    shoppers: ['olivia', 'pedro', 'quiteria', 'rafael'],
    query: 'suspense',
    likes: [{ shelf: 'Suspense', brand: 'Casa do Farol' }, { shelf: 'Chás' }, { shelf: 'Luminárias', kind: 'de Mesa' }],
  },
  {
    shoppers: ['sonia', 'tiago', 'ursula', 'vitor'],
    query: 'blocos de montar',
    likes: [{ shelf: 'Blocos', brand: 'Pecinha' }, { shelf: 'Pelúcias' }, { shelf: 'Contos' }],
  },
  {
    shoppers: ['wanda', 'xavier', 'yara', 'zeca'],
    query: 'hidratante',
    likes: [{ shelf: 'Hidratantes', brand: 'Amazel' }, { shelf: 'Perfumes', kind: 'Floral' }, { shelf: 'Batons' }],
  },
  {
    shoppers: ['alice', 'bento', 'clara', 'davi'],
    query: 'panela',
    likes: [{ shelf: 'Panelas', brand: 'Ferrália' }, { shelf: 'Facas' }, { shelf: 'Azeites' }],
  },
  {
    shoppers: ['ester', 'felipe', 'gilda', 'heitor'],
    query: 'vestido',
    likes: [{ shelf: 'Vestidos', brand: 'Flordela' }, { shelf: 'Bolsas' }, { shelf: 'Sandálias', brand: 'Solandra' }],
  },
  {
    shoppers: ['iris', 'jonas', 'kelly', 'leo'],
    query: 'vinho tinto',
    likes: [{ shelf: 'Vinhos', kind: 'Tinto' }, { shelf: 'Massas', brand: 'Sítio Claro' }, { shelf: 'Azeites' }],
  },
  {
    shoppers: ['maya', 'nuno'],
    query: 'bicicleta',
    likes: [{ shelf: 'Bicicletas', brand: 'Pedalia' }, { shelf: 'Capacetes' }, { shelf: 'Garrafas' }],
  },
];

const HOUR = 3_600_000;
/** Hours before now at which each shopper comes by: the oldest within the week that events may lie back. */
const VISITS = [150, 97, 50, 20];

/** What the shoppers of the demo shop did in the last week, the same every time but for its dates. */
export function demoShoppers(products: readonly DemoProduct[], now: number): DemoShopper[] {
  const popular = [...products].sort((a, b) => b.popularity - a.popularity);
  return TASTES.flatMap((taste) => taste.shoppers.map((userId) => visitsOf(userId, taste, { popular, now })));
}

/** The products of a like, the popular ones first. */
function liked(popular: readonly DemoProduct[], { shelf, kind, brand }: Like): DemoProduct[] {
  return popular.filter(
    (product) =>
      product.shelf === shelf &&
      product.sent['status'] === 'available' &&
      (kind === undefined || product.kind === kind) &&
      (brand === undefined || product.brand === brand),
  );
}

class Diary {
  readonly events: DemoEvent[] = [];
  private clock: number;

  constructor(
    private readonly userId: string,
    start: number,
  ) {
    this.clock = start;
  }

  visit(at: number): void {
    this.clock = at;
  }

  /** One event a minute after the last. */
  add(name: DemoEvent['name'], fields: Record<string, unknown>): void {
    this.clock += 60_000;
    const { userId } = this;
    const eventId = `demo-${userId}-${this.events.length + 1}`;
    const timestamp = new Date(this.clock).toISOString();
    const body = {
      eventId,
      timestamp,
      source: 'desktop',
      user: { id: userId },
      deviceId: `device-of-${userId}`,
      ...fields,
    };
    this.events.push({ name, body });
  }
}

/** Every visit: a search or a look at a category, some products, and on most something bought. */
function visitsOf(userId: string, taste: Taste, shop: { popular: DemoProduct[]; now: number }): DemoShopper {
  const random = new Random(`shopper ${userId}`);
  const diary = new Diary(userId, shop.now);
  // Those to show around with buy once and then only look, so that their order still moves with every look.
  const orders = taste.shoppers.length === 1 ? 1 : VISITS.length - 1;
  const choices = taste.likes.map((like) => liked(shop.popular, like));
  VISITS.forEach((hoursAgo, visit) => {
    diary.visit(shop.now - hoursAgo * HOUR - random.between(0, 90) * 60_000);
    // The first taste is the strongest: everybody comes back to it.
    const first = choices[0] ?? [];
    const second = choices[visit % choices.length] ?? first;
    const looked = [random.pickEarly(first), random.pickEarly(first), random.pickEarly(second)];
    if (visit % 2 === 0) diary.add('search', { query: taste.query, items: itemsOf(looked) });
    else diary.add('category', { categories: first[0]?.categories ?? [] });
    for (const product of looked) diary.add('product', { pid: product.id, price: product.price });
    const basket = [...new Set([looked[0], looked[2]])].filter((product) => product !== undefined);
    if (visit >= orders) return;
    diary.add('cart', { items: basketItems(basket) });
    diary.add('transaction', orderOf(`demo-order-${userId}-${visit + 1}`, basket));
  });
  return { userId, events: diary.events };
}

function basketItems(basket: readonly DemoProduct[]): object[] {
  return basket.map(({ id, price }) => ({ pid: id, price, quantity: 1 }));
}

function orderOf(id: string, basket: readonly DemoProduct[]): Record<string, unknown> {
  const total = Number(basket.reduce((sum, { price }) => sum + price, 0).toFixed(2));
  return { id, items: basketItems(basket), total };
}

function itemsOf(products: readonly DemoProduct[]): { pid: string }[] {
  return [...new Set(products.map(({ id }) => id))].map((pid) => ({ pid }));
}

/** What to search, and who the two shoppers to show around with are. */
export const showcase = {
  query: 'tenis',
  shoppers: [
    { userId: 'ana', taste: 'running shoes by Andara' },
    { userId: 'bruno', taste: 'skate shoes by Rueira' },
  ],
} as const;
