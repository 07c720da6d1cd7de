import type { Offer } from './offer';
import { byScore, type Candidate } from './pick';
import type { Inventory } from './inventory';

/**
 * What a page may show, each product once. Ten thousand are weighed for a page that shows two dozen: scores are kept by the slots of
 * the inventory, and only what comes first is made an object of.
 */
export class Candidates {
  /** By slot; 0: not a candidate. */
  private readonly scores: Float64Array;
  private readonly payers: Uint32Array;
  private readonly offers: Offer[] = [];

  constructor(private readonly inventory: Inventory) {
    this.scores = new Float64Array(inventory.products.length);
    this.payers = new Uint32Array(inventory.products.length);
  }

  /**
   * `worth`: one number for each of the offer's slots; `fit`: one for each of the inventory's. The offer that is worth more gets the
   * product; of two alike, the one that was added first.
   */
  add(offer: Offer, worth: Float64Array, fit: Float64Array): void {
    const payer = this.offers.push(offer) - 1;
    offer.slots.forEach((slot, index) => {
      const score = (fit[slot] ?? 0) * (worth[index] ?? 0);
      if (score <= (this.scores[slot] ?? 0)) return;
      this.scores[slot] = score;
      this.payers[slot] = payer;
    });
  }

  /** The best candidates in order: so many, and those as good as the last of them. */
  best(size: number): Candidate[] {
    const { length } = this.scores;
    const least = size >= length ? 0 : (this.scores.slice().sort()[length - size] ?? 0);
    const found: Candidate[] = [];
    for (let slot = 0; slot < length; slot += 1) {
      const score = this.scores[slot] ?? 0;
      if (score === 0 || score < least) continue;
      const [offer, product] = [this.offers[this.payers[slot] ?? 0], this.inventory.products[slot]];
      if (offer && product) found.push({ campaign: offer.campaign, product, score });
    }
    return found.sort(byScore);
  }
}
