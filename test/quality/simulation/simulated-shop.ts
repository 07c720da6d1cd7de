import { personalFactor } from '../../../src/ranking/score';
import type { Dice } from '../../support/dice';

/**
 * A shop of which everything is known: what each shopper likes, how each list is ordered for them at each strength, and how likely each click is.
 * Shoppers look at the first product always, and the further down the less (position bias); what they like they click more, and buy more.
 */

const BRANDS = 6;
const QUERIES = 12;
const PRODUCTS = 30;
export const SHOWN = 10;
const MAX_BOOST = 3;
/** What a product of the brand a shopper likes has beside the text, as a boost template has it. */
const TASTE = 1;

const click = { liked: 0.35, other: 0.12 };
const cart = { liked: 0.4, other: 0.25 };
const order = { liked: 0.5, other: 0.35 };
const looksAt = (place: number): number => 1 / place ** 0.8;

export interface SimulatedProduct {
  id: string;
  brand: number;
  text: number;
  micros: number;
}

/** From 0 to 1, exclusive. */
export const fraction = (dice: Dice): number => dice.below(2 ** 32) / 2 ** 32;

/** What a shopper who saw a product in a place did with it. */
export interface Reaction {
  product: SimulatedProduct;
  place: number;
  hasCart: boolean;
  hasOrder: boolean;
}

export class SimulatedShop {
  readonly brands = BRANDS;
  readonly queries = QUERIES;
  private readonly products: SimulatedProduct[][];
  private readonly orders = new Map<string, SimulatedProduct[]>();

  constructor(dice: Dice) {
    this.products = Array.from({ length: QUERIES }, (_, query) =>
      Array.from({ length: PRODUCTS }, (_one, index) => ({
        id: `q${query}-p${index}`,
        brand: dice.below(BRANDS),
        text: 0.5 + 0.5 * fraction(dice),
        micros: (20 + dice.below(180)) * 1_000_000,
      })),
    );
  }

  /** The whole list that a shopper who likes a brand gets at a strength. */
  ranking(query: number, brand: number, strength: number): readonly SimulatedProduct[] {
    const key = `${query} ${brand} ${strength}`;
    const known = this.orders.get(key);
    if (known) return known;
    const score = (product: SimulatedProduct): number =>
      product.text * personalFactor({ strength, maxBoost: MAX_BOOST }, product.brand === brand ? TASTE : 0);
    const ranked = this.products[query]!.toSorted((a, b) => score(b) - score(a));
    this.orders.set(key, ranked);
    return ranked;
  }

  /** The products that are clicked, and what becomes of each. */
  reactions(shown: readonly SimulatedProduct[], brand: number, dice: Dice): Reaction[] {
    return shown.slice(0, SHOWN).flatMap((product, index) => {
      const kind = product.brand === brand ? 'liked' : 'other';
      if (fraction(dice) >= looksAt(index + 1) * click[kind]) return [];
      const hasCart = fraction(dice) < cart[kind];
      return { product, place: index, hasCart, hasOrder: hasCart && fraction(dice) < order[kind] };
    });
  }

  /** Exact, over all tastes and queries: the share of searches with a click, and what a search sells on average. */
  truth(strength: number): { ctr: number; revenue: number } {
    let [ctr, revenue] = [0, 0];
    for (let query = 0; query < QUERIES; query += 1) {
      for (let brand = 0; brand < BRANDS; brand += 1) {
        let none = 1;
        for (const [index, product] of this.ranking(query, brand, strength).slice(0, SHOWN).entries()) {
          const kind = product.brand === brand ? 'liked' : 'other';
          const clicked = looksAt(index + 1) * click[kind];
          none *= 1 - clicked;
          revenue += (clicked * cart[kind] * order[kind] * product.micros) / 1_000_000;
        }
        ctr += 1 - none;
      }
    }
    return { ctr: ctr / (QUERIES * BRANDS), revenue: revenue / (QUERIES * BRANDS) };
  }
}
