import type { DemoProduct } from './demo-catalog';
import { tableOf } from './demo-table';
import { Random } from './random';

/** An event as a shop's page, or its backend, would send it to `/v7/events/views/<name>`. */
export interface DemoEvent {
  name: 'search' | 'category' | 'product' | 'cart' | 'transaction';
  body: Record<string, unknown>;
}

/** The visits of one shopper, oldest first. */
export interface DemoShopper {
  userId: string;
  events: DemoEvent[];
}

interface Taste {
  userIds: string[];
  query: string;
  /** The categories they look at, and what in them. An empty kind or brand: any. */
  likes: { category: string; kind: string; brand: string }[];
}

/** Shoppers | what they search | what they like, each: category / kind / brand. The first two are the ones to show around with. */
const TASTES = `
ana | tenis de corrida | Tênis / de Corrida / Andara, Roupas de Corrida / / Veltor
bruno | tenis de skate | Tênis / de Skate / Rueira, Camisetas / Estampada / Urbaneza
carla diego elisa fabio | corrida | Tênis / de Corrida / Veltor, Meias, Relógios Esportivos
gabi hugo ines joao | gamer | Teclados / Gamer, Mouses / Gamer, Fones de Ouvido / Gamer
karen lucas marta nilo | cafe | Cafés / / Grão da Serra, Cafeteiras / / Ferrália, Chocolates
olivia pedro quiteria rafael | suspense | Suspense / / Casa do Farol, Chás, Luminárias / de Mesa
sonia tiago ursula vitor | blocos de montar | Blocos / / Pecinha, Pelúcias, Contos
wanda xavier yara zeca | hidratante | Hidratantes / / Amazel, Perfumes / Floral, Batons
alice bento clara davi | panela | Panelas / / Ferrália, Facas, Azeites
ester felipe gilda heitor | vestido | Vestidos / / Flordela, Bolsas, Sandálias / / Solandra
iris jonas kelly leo | vinho tinto | Vinhos / Tinto, Massas / / Sítio Claro, Azeites
maya nuno | bicicleta | Bicicletas / / Pedalia, Capacetes, Garrafas
`;

const tastes = tableOf(TASTES).map(([userIds = '', query = '', likes = '']): Taste => {
  const parts = likes.split(',').map((like) => like.split('/').map((part) => part.trim()));
  return {
    userIds: userIds.split(' '),
    query,
    likes: parts.map(([category = '', kind = '', brand = '']) => ({ category, kind, brand })),
  };
});

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Hours before now at which each shopper comes by: the oldest within the week that events may lie back. */
const VISITS = [150, 97, 50, 20];

/** What the shoppers of the demo shop did in the last week, the same every time but for its dates. */
export function demoShoppers(products: readonly DemoProduct[], now: number): DemoShopper[] {
  const popular = [...products].sort((a, b) => b.popularity - a.popularity);
  return tastes.flatMap((taste) => taste.userIds.map((userId) => shopperOf(userId, taste, popular, now)));
}

/** The products of a like, in the order given. */
function liked(products: readonly DemoProduct[], { category, kind, brand }: Taste['likes'][number]): DemoProduct[] {
  return products.filter(
    (product) =>
      product.categories.at(-1) === category &&
      product.sent['status'] === 'available' &&
      (kind === '' || product.kind === kind) &&
      (brand === '' || product.brand === brand),
  );
}

function shopperOf(userId: string, taste: Taste, popular: readonly DemoProduct[], now: number): DemoShopper {
  const random = new Random(`shopper ${userId}`);
  // Those to show around with buy once and then only look, so that their order still moves with every look.
  const orders = taste.userIds.length === 1 ? 1 : VISITS.length - 1;
  const choices = taste.likes.map((like) => liked(popular, like));
  const steps = VISITS.flatMap((hoursAgo, visit) => {
    const start = now - hoursAgo * HOUR - random.between(0, 90) * MINUTE;
    const orderId = visit < orders ? `demo-order-${userId}-${visit + 1}` : null;
    const events = visitOf(visit, taste.query, choices, random, orderId);
    return events.map((event, index) => ({ ...event, at: start + (index + 1) * MINUTE }));
  });
  const common = { source: 'desktop', user: { id: userId }, deviceId: `device-of-${userId}` };
  const events = steps.map(({ name, body, at }, index) => {
    const eventId = `demo-${userId}-${index + 1}`;
    return { name, body: { eventId, timestamp: new Date(at).toISOString(), ...common, ...body } };
  });
  return { userId, events };
}

/** One visit: a search or a look at a category, some products, and an order where it has an id. Without what all events have. */
function visitOf(
  visit: number,
  query: string,
  choices: DemoProduct[][],
  random: Random,
  orderId: string | null,
): DemoEvent[] {
  // The first taste is the strongest: everybody comes back to it.
  const first = choices[0] ?? [];
  const second = choices[visit % choices.length] ?? first;
  const looked = [random.pickEarly(first), random.pickEarly(first), random.pickEarly(second)];
  // Who does not buy yet goes on looking, at something else.
  if (orderId === null) looked.push(...first.filter((product) => !looked.includes(product)).slice(0, 1));
  const pids = [...new Set(looked.map(({ id }) => id))].map((pid) => ({ pid }));
  const basket = [...new Set([looked[0], looked[2]])].filter((product) => product !== undefined);
  const items = basket.map(({ id, price }) => ({ pid: id, price, quantity: 1 }));
  const total = Number(basket.reduce((sum, { price }) => sum + price, 0).toFixed(2));
  const events: DemoEvent[] = [
    visit % 2 === 0
      ? { name: 'search', body: { query, items: pids } }
      : { name: 'category', body: { categories: first[0]?.categories ?? [] } },
    ...looked.map(({ id, price }): DemoEvent => ({ name: 'product', body: { pid: id, price } })),
  ];
  if (orderId === null) return events;
  return [...events, { name: 'cart', body: { items } }, { name: 'transaction', body: { id: orderId, items, total } }];
}

/** What to search, and who the two shoppers to show around with are. */
export const showcase = {
  query: 'tenis',
  shoppers: [
    { userId: 'ana', taste: 'running shoes by Andara' },
    { userId: 'bruno', taste: 'skate shoes by Rueira' },
  ],
} as const;
