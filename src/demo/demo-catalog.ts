import { type Colour, colours, pictureFile } from './demo-picture';
import { type Brand, categories, type DemoCategory } from './demo-table';
import { Random } from './random';

/** A generated product as a store would send it, with what its shoppers go by. */
export interface DemoProduct {
  id: string;
  /** From the top. */
  categories: string[];
  kind: string;
  brand: string;
  price: number;
  popularity: number;
  sent: Record<string, unknown>;
}

const DAY = 86_400_000;
const MODELS =
  list(`Brisa Aurora Vértice Lúmen Cerrado Maré Jade Nimbo Trilho Pampa Orla Sereno Faísca Dunas Íris Prisma
  Cobalto Serra Vento Âmbar Bússola Cometa Delta Eco Fluxo Grafite Horizonte Ipê Jangada Lótus Mirim Norte Onda Pulsar
  Quartzo Raiz Solar Terral Umbu Violeta Zênite Alvorada Boreal Cristal Duna Éden Farol Gávea Nascente Paineira`);
const TITLES = list(`Casa Vento Rio Noite Mar Jardim Silêncio Estrada Memória Inverno Cidade Ilha Carta Sombra Luz Ponte
  Deserto Espelho Relógio Janela`);
const AUTHORS =
  list(`Marina_Duarte Caio_Figueira Lia_Montenegro Otávio_Sampaio Helena_Brandão Rui_Castanho Iara_Quintela
  Davi_Ramalho Nina_Valadares Tomás_Aguiar`);
const PUBLIC = ['Feminino', 'Masculino', 'Unissex'];
/** What the text about a product's make-up is called, by department. */
const MAKE: Readonly<Record<string, string>> = {
  Livros: 'Acabamento',
  Mercado: 'Característica',
  Beleza: 'Característica',
};

function list(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', ' '));
}

/**
 * The catalog of the demo shop: about 3,000 products, the same every time but for their dates, which are counted back from
 * `now`. `baseUrl`: where the service is reached.
 */
export function demoCatalog({ baseUrl, now }: { baseUrl: string; now: number }): DemoProduct[] {
  const random = new Random('vitrine demo catalog');
  const products: DemoProduct[] = [];
  const names = new Set<string>();
  for (const category of categories) {
    for (let index = 0; index < category.count; index += 1) {
      const number = products.length + 1;
      const id = `d${String(number).padStart(4, '0')}`;
      products.push(demoProduct({ category, index, number, id, random, baseUrl, now, names }));
    }
  }
  return products;
}

interface Making {
  category: DemoCategory;
  /** In its category. */
  index: number;
  number: number;
  id: string;
  random: Random;
  baseUrl: string;
  now: number;
  /** Names given already: no two products share one. */
  names: Set<string>;
}

function demoProduct(making: Making): DemoProduct {
  const { id, category, index, random, baseUrl, now } = making;
  // In turn, not by chance: every brand makes some of every kind.
  const kind = inTurn(category.kinds, index);
  const brand = inTurn(category.brands, Math.floor(index / category.kinds.length));
  const price = priceOf(category, brand, random);
  const popularity = random.next() ** 3;
  const own = category.coloured ? random.some(colours, random.between(1, 2)) : [random.pick(colours)];
  const available = !random.chance(0.04);
  const name = nameOf(making, brand, kind);
  const audience = random.pick(PUBLIC);
  const material = random.pick(category.materials);
  const oldPrice = random.chance(0.25) ? round(price * (1.1 + random.next() * 0.5)) : null;
  const count = Math.round(popularity * 900 * random.next());
  const sent = {
    id,
    name,
    url: `${baseUrl}/demo/products/${id}`,
    price,
    ...(oldPrice === null ? {} : { oldPrice }),
    installment: installmentOf(price),
    images: { default: pictureUrl(making, own[0] as Colour) },
    categories: [category.path.join(' > ')],
    status: available ? 'available' : 'unavailable',
    brand: brand.name,
    description: describe(category, kind, brand.name, material),
    tags: [
      kind.replace(/^(?:de|do|da|em|com|para|à|ao) /i, '').toLowerCase(),
      ...(oldPrice === null ? [] : ['oferta']),
    ],
    details: {
      [MAKE[category.path[0] ?? ''] ?? 'Material']: [material],
      ...(category.path[0] === 'Moda' ? { Público: [audience] } : {}),
      Garantia: [random.pick(['3 meses', '6 meses', '12 meses'])],
    },
    created: new Date(
      now - Math.floor(random.next() ** 0.7 * 720) * DAY - random.between(1, 20) * 3_600_000,
    ).toISOString(),
    sold: Math.round(popularity * 1200) + random.between(0, 12),
    ...(count > 3 ? { rating: { average: round(3.3 + random.next() * 1.6, 1), count } } : {}),
    skus: skusOf(making, price, available, category.coloured ? own : [null]),
  };
  return { id, categories: category.path, kind, brand: brand.name, price, popularity, sent };
}

function pictureUrl({ baseUrl, id, category }: Making, colour: Colour): string {
  return `${baseUrl}/demo/images/${pictureFile(id, category.picture, colour)}`;
}

function inTurn<T>(items: readonly T[], turn: number): T {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('There is nothing to take turns with');
  return item;
}

function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** Cheap goods are many, dear ones few; shops like prices that end in 90 centavos. */
function priceOf({ price: { min, max } }: DemoCategory, { level }: Brand, random: Random): number {
  const usual = min + (max - min) * random.next() ** 2;
  return Math.max(4, Math.round(usual * (0.55 + 0.45 * level))) - 0.1;
}

function installmentOf(price: number): { count: number; price: number } {
  const count = Math.max(1, Math.min(10, Math.floor(price / 30)));
  return { count, price: round(price / count) };
}

function nameOf({ category, random, names }: Making, brand: Brand, kind: string): string {
  for (let attempt = 1; ; attempt += 1) {
    const model = `${random.pick(MODELS)}${attempt > 2 ? ` ${random.between(2, 99)}` : ''}`;
    const name =
      category.path[0] === 'Livros'
        ? `${random.pick(TITLES)} e ${random.pick(TITLES)}: ${category.noun} ${kind}, ${random.pick(AUTHORS)}${attempt > 2 ? `, volume ${attempt}` : ''}`
        : `${category.noun} ${kind} ${brand.name} ${model}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
}

function describe({ noun, path }: DemoCategory, kind: string, brand: string, material: string): string {
  const department = (path[0] ?? '').toLowerCase();
  return (
    `${noun} ${kind} da ${brand}, ${material.toLowerCase()}. Pensado para o dia a dia, com acabamento cuidadoso ` +
    `e entrega para todo o Brasil. Faz parte da nossa seleção de ${department}.`
  );
}

/** One for each colour and size. Colour null: it comes in one that nobody chooses. */
function skusOf(making: Making, price: number, available: boolean, choice: (Colour | null)[]): object[] {
  const { id, number, category, random } = making;
  const sizes = category.sizes.length > 0 ? category.sizes : [null];
  const variants = choice.flatMap((colour) => sizes.map((size) => ({ colour, size })));
  return variants.map(({ colour, size }, index) => {
    const stock = available && !random.chance(0.12) ? random.between(1, 60) : 0;
    const specs = { ...(colour ? { cor: colour.name } : {}), ...(size === null ? {} : { tamanho: size }) };
    const slug = [colour?.slug, size?.toLowerCase().replace(/[^a-z0-9]+/g, '')].filter(Boolean).join('-');
    return {
      sku: slug === '' ? `${id}-u` : `${id}-${slug}`,
      specs,
      properties: {
        price,
        stock,
        status: stock > 0 ? 'available' : 'unavailable',
        eanCode: ean13(number * 100 + index),
        ...(colour ? { images: { default: pictureUrl(making, colour) } } : {}),
      },
    };
  });
}

/** A Brazilian article number with its check digit (GS1: odd places weigh 1, even ones 3). */
function ean13(number: number): string {
  const digits = `789${String(number).padStart(9, '0')}`;
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
