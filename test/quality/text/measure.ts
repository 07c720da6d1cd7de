import { Random } from '../../../src/demo/random';
import { embeddedMode } from '../../support/modes';
import { ReplayedShop } from '../replayed-shop';
import { type Language, languages, type TextQuery, textQueries } from './queries';
import type { ShopTable } from './shop-table';
import { english } from './table-en';
import { portuguese } from './table-pt';
import { spanish } from './table-es';
import { type TextProduct, textShop } from './text-shop';

export const shopTables: Readonly<Record<Language, ShopTable>> = { pt: portuguese, en: english, es: spanish };

/** Shoppers who did one thing before they search: with products drawn from what the query finds, right or not. */
export const shoppers = ['one view', 'one purchase', 'ten purchases'] as const;
export type Shopper = (typeof shoppers)[number];

export interface TextResult {
  query: TextQuery;
  found: boolean;
  /** Place of the first right product, from 1; null: not among the first ten. */
  place: number | null;
  /** The same after shoppers searched it and opened what they had asked for, mostly. */
  learned: number | null;
  /** What stands first, right or not; null: nothing. */
  first: TextProduct | null;
  /** Whether a shopper's first product is not what was asked, where nobody's first one is. */
  lost: Record<Shopper, boolean>;
}

const TOP = 10;
const PAGE = 100;
/** Products a shopper's are drawn from at most: pages of the search. */
const MOST_PAGES = 5;
const AT_ONCE = 8;
const PURCHASES = 10;
/** Shoppers who search each query, so that it can be learned what it is about, and how likely each opens a product that they look at. */
const CHOOSERS = 12;
const OPENS = { right: 0.5, wrong: 0.08 };

/** Every query through the whole service: for nobody, and for shoppers of each kind. */
export async function measureText(progress: (text: string) => void, now = Date.now()): Promise<TextResult[]> {
  const queries = textQueries();
  const results: TextResult[] = [];
  for (const language of languages) {
    const shop = await ReplayedShop.open(embeddedMode, now, language);
    try {
      const products = textShop(shopTables[language], now);
      await shop.loadCatalog(products.map(({ sent }) => sent));
      await shop.learn();
      progress(`${language}: ${products.length} products loaded`);
      const measure = new Measure(shop, new Map(products.map((product) => [product.id, product])), now);
      const own = queries.filter((query) => query.language === language);
      for (let from = 0; from < own.length; from += AT_ONCE) {
        const together = own.slice(from, from + AT_ONCE);
        results.push(...(await Promise.all(together.map((query) => measure.ask(query)))));
      }
      progress(`${language}: ${own.length} queries asked`);
      for (const query of own) await measure.choose(query);
      const learned = await shop.learnSubjects();
      progress(`${language}: learned what ${learned} queries are about`);
      for (const result of results.filter(({ query }) => query.language === language)) {
        result.learned = await measure.place(result.query);
      }
    } finally {
      await shop.close();
    }
  }
  return results;
}

class Measure {
  constructor(
    private readonly shop: ReplayedShop,
    private readonly products: ReadonlyMap<string, TextProduct>,
    private readonly now: number,
  ) {}

  async ask(query: TextQuery): Promise<TextResult> {
    const found = await this.found(query.terms);
    const top = found.slice(0, TOP).map((id) => this.product(id));
    const right = top.findIndex((product) => query.isRight(product));
    const lost = { 'one view': false, 'one purchase': false, 'ten purchases': false };
    if (right === 0) for (const shopper of shoppers) lost[shopper] = await this.loses(query, shopper, found);
    const place = right < 0 ? null : right + 1;
    return { query, found: found.length > 0, place, learned: place, first: top[0] ?? null, lost };
  }

  /** Place of the first right product, from 1, in nobody's ranking. */
  async place({ terms, isRight }: TextQuery): Promise<number | null> {
    const found = await this.shop.search({ terms, userId: null, page: 1, size: TOP });
    const right = found.findIndex((id) => isRight(this.product(id)));
    return right < 0 ? null : right + 1;
  }

  /** Shoppers look at the first product always, and the further down the less; some open what is not what they asked for. */
  async choose({ terms, isRight, language, half }: TextQuery): Promise<void> {
    for (let shopper = 1; shopper <= CHOOSERS; shopper++) {
      const random = new Random(`chooses ${shopper} ${language} ${half} ${terms}`);
      await this.shop.choose({ terms, userId: `chooser ${shopper}` }, (ids) =>
        ids.filter((id, at) =>
          random.chance((isRight(this.product(id)) ? OPENS.right : OPENS.wrong) / (at + 1) ** 0.8),
        ),
      );
    }
  }

  /** Whether this shopper's first product is another than what was asked. */
  private async loses(query: TextQuery, shopper: Shopper, found: readonly string[]): Promise<boolean> {
    const userId = `${shopper} ${query.language} ${query.half} ${query.terms}`;
    const random = new Random(userId);
    if (shopper === 'one view') await this.shop.look(userId, random.pick(found));
    else {
      const count = shopper === 'one purchase' ? 1 : PURCHASES;
      for (let order = 1; order <= count; order++) {
        const items = [{ pid: random.pick(found), quantity: 1, price: 10 }];
        await this.shop.buy({ userId, at: this.now, id: `${userId} ${order}`, items });
      }
    }
    const [first] = await this.shop.search({ terms: query.terms, userId, page: 1, size: 1 });
    return first === undefined || !query.isRight(this.product(first));
  }

  /** Of nobody's ranking, as far as a shopper might look. */
  private async found(terms: string): Promise<string[]> {
    const found: string[] = [];
    for (let page = 1; page <= MOST_PAGES; page++) {
      const own = await this.shop.search({ terms, userId: null, page, size: PAGE });
      found.push(...own);
      if (own.length < PAGE) break;
    }
    return found;
  }

  private product(id: string): TextProduct {
    const product = this.products.get(id);
    if (!product) throw new Error(`The search found ${id}, which is no product of the shop`);
    return product;
  }
}
