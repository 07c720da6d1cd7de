import { Random } from '../../../src/demo/random';
import type { SentProduct } from '../data-set';
import { type Concept, conceptsOf, type ShopTable } from './shop-table';

/** A generated product with the truth about it, which queries are judged by. */
export interface TextProduct {
  id: string;
  concept: string;
  kind: string;
  brand: string;
  model: string;
  measure: string;
  colour: string;
  /** What an accessory is for. */
  device: { concept: string; brand: string; model: string } | null;
  sent: SentProduct;
}

const USUAL = 18;
const MANY = 36;
const DAY = 86_400_000;
const NAMES = 'Brisa, Aurora, Cerrado, Nimbo, Pampa, Orla, Prisma, Cobalto, Cometa, Delta, Fluxo, Norte, Solar, Boreal';

/** The catalog of one shop: the same every time but for its dates, which are counted back from `now`. */
export function textShop(table: ShopTable, now: number): TextProduct[] {
  return new Maker(table, now).make();
}

class Maker {
  private readonly random: Random;
  private readonly concepts: Concept[];
  private readonly made = new Map<string, TextProduct[]>();
  private count = 0;

  constructor(
    private readonly table: ShopTable,
    private readonly now: number,
  ) {
    this.random = new Random(`text quality ${table.language}`);
    this.concepts = conceptsOf(table);
  }

  /** Accessories after what they are for. */
  make(): TextProduct[] {
    const things = this.concepts.filter(({ device }) => device === null);
    for (const concept of [...things, ...this.concepts.filter(({ device }) => device !== null)]) {
      const count = concept.many || concept.coloured ? MANY : USUAL;
      this.made.set(
        concept.key,
        Array.from({ length: count }, (_, index) => this.product(concept, index)),
      );
    }
    return [...this.made.values()].flat();
  }

  private product(concept: Concept, index: number): TextProduct {
    const { random, table } = this;
    const { key, kinds, brands, models, measures, coloured, device } = concept;
    const id = `${table.language}${String(++this.count).padStart(4, '0')}`;
    const kind = kinds[index % kinds.length] ?? '';
    // In turn, not by chance: there is every measure of every kind in every colour, and every model of every brand.
    const measure = measures[Math.floor(index / kinds.length) % Math.max(1, measures.length)] ?? '';
    const colour = Math.floor(index / (kinds.length * Math.max(1, measures.length))) % table.colours.length;
    const brand = Math.floor(index / models.length) % brands.length;
    const product = {
      id,
      concept: key,
      kind,
      brand: (models.length > 0 ? brands[brand] : random.pick(brands)) ?? '',
      model: models[index % models.length] ?? '',
      measure,
      colour: coloured ? (table.colours[colour] ?? '') : '',
      device: device === null ? null : this.deviceOf(device),
    };
    return { ...product, sent: this.sent(product, concept, index) };
  }

  private deviceOf(concept: string): NonNullable<TextProduct['device']> {
    const { brand, model } = this.random.pick(this.made.get(concept) ?? []);
    return { concept, brand, model };
  }

  private sent(product: Omit<TextProduct, 'sent'>, concept: Concept, index: number): SentProduct {
    const { random, table } = this;
    const { id, brand, kind, colour } = product;
    const popularity = random.next() ** 3;
    const price = Math.round(20 + 900 * random.next() ** 2) - 0.1;
    const ratings = Math.round(popularity * 300);
    return {
      id,
      name: concept.isBook ? this.bookName(concept, kind) : this.nameOf(product, concept, index),
      url: `https://shop.example/products/${id}`,
      images: { default: `https://shop.example/images/${id}.jpg` },
      price,
      categories: [concept.path],
      brand,
      status: random.chance(0.04) ? 'unavailable' : 'available',
      description: this.description(product, concept),
      tags: [kind.toLowerCase()],
      ...(colour === '' ? {} : { details: { [{ pt: 'Cor', en: 'Colour', es: 'Color' }[table.language]]: [colour] } }),
      created: new Date(this.now - random.between(1, 700) * DAY).toISOString(),
      sold: Math.round(popularity * 1200),
      ...(ratings > 3 ? { rating: { average: 3.3 + Math.round(random.next() * 16) / 10, count: ratings } } : {}),
      skus: [{ sku: `${id}-1`, specs: {}, properties: { price, stock: 9, status: 'available' } }],
    };
  }

  private nameOf(product: Omit<TextProduct, 'sent'>, concept: Concept, index: number): string {
    if (product.device) return this.accessoryName(product, concept, index);
    const { kind, brand, measure, colour } = product;
    const model = product.model || this.random.pick(NAMES.split(', '));
    const { noun } = concept;
    if (this.table.headFirst) return words(noun, kind, brand, model, measure, colour);
    const last = [measure, colour].filter((part) => part !== '').map((part) => `, ${part}`);
    if (index % 2 === 0) return `${words(brand, model, kind, noun)}${last.join('')}`;
    return words(brand, kind, noun, model, measure, colour);
  }

  /** Two in three say what they are for behind a preposition, as shops do; the others only name it. */
  private accessoryName(product: Omit<TextProduct, 'sent'>, { noun }: Concept, index: number): string {
    const { kind, brand, measure, colour } = product;
    const { headFirst, words: own } = this.table;
    const device = product.device ?? { concept: '', brand: '', model: '' };
    const deviceNoun = this.concepts.find(({ key }) => key === device.concept)?.noun ?? '';
    const end = [measure, colour];
    if (headFirst) {
      if (index % 3 === 0) return words(noun, kind, own.for, deviceNoun, device.brand, device.model, ...end);
      if (index % 3 === 1) return words(noun, kind, brand, own.for, device.brand, device.model, ...end);
      return words(noun, deviceNoun, device.brand, device.model, kind, brand, ...end);
    }
    if (index % 3 === 0) return words(brand, kind, noun, own.for, device.brand, device.model, deviceNoun, ...end);
    if (index % 3 === 1) return words(kind, noun, own.for, device.brand, device.model, ...end);
    return words(brand, device.brand, device.model, deviceNoun, kind, noun, ...end);
  }

  private bookName({ noun }: Concept, kind: string): string {
    const { random, table } = this;
    const and = { pt: 'e', en: 'and', es: 'y' }[table.language];
    const title = `${random.pick(table.titles)} ${and} ${random.pick(table.titles)}`;
    const name = kind.startsWith('of ') || table.headFirst ? words(noun, kind) : words(kind, noun);
    return `${title}: ${name}, ${random.pick(table.authors)}`;
  }

  /** Says what the product is used with, too. */
  private description({ kind, brand, device }: Omit<TextProduct, 'sent'>, { key, noun }: Concept): string {
    const { by, described, for: purpose } = this.table.words;
    const deviceNoun = this.concepts.find((other) => other.key === device?.concept)?.noun;
    const accessories = this.concepts.filter((other) => other.device === key).map((other) => other.noun);
    const used = device ? `${noun} ${purpose} ${words(deviceNoun ?? '', device.brand, device.model)}.` : '';
    const more = accessories.length > 0 ? `${accessories.join(', ')}.` : '';
    return words(`${noun} ${kind} ${by} ${brand}.`, used, described, more);
  }
}

const words = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ');
