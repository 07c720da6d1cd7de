import { Chance, Zipf } from './chance';

/** What the benchmark goes by of a product it sends. */
export interface BenchProduct {
  number: number;
  id: string;
  nameWords: string[];
  brand: string;
  /** From the top. */
  categories: [string, string, string];
  price: number;
}

const DEPARTMENTS = 8;
const AISLES = 8;
const LEAVES = 9;
const BRANDS = 600;
/** A brand is found in few categories of the last level, and such a category has few brands. */
const BRANDS_A_LEAF = 12;
const WORDS = 20_000;
const WORDS_A_LEAF = 40;
const DESCRIPTION_WORDS = 40;
const NEWEST_DAYS = 720;
const DAY = 86_400_000;
const CREATED_UNTIL = Date.UTC(2026, 0, 1);

const ONSETS = ['b', 'c', 'd', 'f', 'g', 'l', 'm', 'n', 'p', 'r', 't', 'v', 'br', 'cr', 'pl', 'tr'];
const VOWELS = ['a', 'e', 'i', 'o', 'u'];

/** Different made-up words of two to four syllables. */
function makeWords(count: number, chance: Chance): string[] {
  const words = new Set<string>();
  while (words.size < count) {
    const syllables = 2 + chance.below(3);
    let word = '';
    for (let made = 0; made < syllables; made++) word += chance.of(ONSETS) + chance.of(VOWELS);
    words.add(word);
  }
  return [...words];
}

/**
 * A seeded synthetic catalog: every product is made from its number alone, so that none has to be kept. Its name has a word
 * of its category and words by Zipf's law, its description more of the same: about 55 tokens with brand and categories.
 */
export class BenchCatalog {
  private readonly words: string[];
  private readonly zipf = new Zipf(WORDS);
  private readonly leafWord = new Zipf(WORDS_A_LEAF);
  private readonly leafBrand = new Zipf(BRANDS_A_LEAF);

  constructor(readonly size: number) {
    this.words = makeWords(WORDS + BRANDS, new Chance(7));
  }

  product(number: number): BenchProduct {
    return this.make(number, new Chance(number * 31 + 1));
  }

  /** As it goes through the products route. */
  sent(number: number): Record<string, unknown> {
    const chance = new Chance(number * 31 + 1);
    const { id, nameWords, brand, categories, price } = this.make(number, chance);
    const popularity = chance.next() ** 4;
    const rated = Math.floor(popularity * 500);
    return {
      id,
      name: [...nameWords, brand].join(' '),
      url: `https://www.bench.example/p/${id}`,
      price,
      ...(chance.next() < 0.25 ? { oldPrice: Math.round(price * 125) / 100 } : {}),
      images: { default: `https://www.bench.example/i/${id}.jpg` },
      categories: [categories.join(' > ')],
      brand,
      status: chance.next() < 0.95 ? 'available' : 'unavailable',
      description: Array.from({ length: DESCRIPTION_WORDS }, () => this.word(chance)).join(' '),
      created: new Date(CREATED_UNTIL - chance.below(NEWEST_DAYS) * DAY).toISOString(),
      sold: Math.floor(popularity * 2000),
      ...(rated > 0 ? { rating: { average: 3 + Math.round(chance.next() * 20) / 10, count: rated } } : {}),
      skus: [{ sku: `${id}-1`, specs: {}, properties: { price, stock: 1 + chance.below(50), status: 'available' } }],
    };
  }

  private make(number: number, chance: Chance): BenchProduct {
    const leaf = chance.below(DEPARTMENTS * AISLES * LEAVES);
    const aisle = Math.floor(leaf / LEAVES);
    const department = Math.floor(aisle / AISLES);
    const brand = (leaf * 7 + this.leafBrand.draw(chance) * 41) % BRANDS;
    const nameWords = [this.nth(400 + ((leaf * WORDS_A_LEAF) / 2 + this.leafWord.draw(chance)))];
    for (let words = 1 + chance.below(3); words > 0; words--) nameWords.push(this.word(chance));
    return {
      number,
      id: `p${number}`,
      nameWords,
      brand: this.nth(WORDS + brand),
      categories: [`Department ${department}`, `Aisle ${aisle}`, `Shelf ${leaf}`],
      price: Math.round(1000 * Math.exp(chance.next() * 5)) / 100,
    };
  }

  private word(chance: Chance): string {
    return this.nth(this.zipf.draw(chance));
  }

  private nth(index: number): string {
    const word = this.words[index];
    if (word === undefined) throw new Error(`There is no word ${index}`);
    return word;
  }
}
