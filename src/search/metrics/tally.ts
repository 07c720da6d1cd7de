import { toUnits } from '../../shared/micros';
import type { JoinedSearch } from '../log/logged-search';
import type { DayRow } from './reply-schemas';

/** Everything that is counted. Money in micros. */
export type Counts = Omit<DayRow, 'day'>;

/** Adds searches up, and what followed from them. */
export class Tally {
  private logged = 0;
  private searches = 0;
  private noResults = 0;
  private clicks = 0;
  private carts = 0;
  private micros = 0;
  /** One order may hold products of several searches. */
  private readonly ordered = new Map<string, number>();

  /** A search that was logged as one of a share of them counts for those that were not, too, with what followed. */
  add({ page, found, outcomes, share = 1 }: JoinedSearch): void {
    const weight = 1 / share;
    if (page === 1) {
      this.logged += 1;
      this.searches += weight;
      if (found === 0) this.noResults += weight;
    }
    for (const { kind, micros, order } of outcomes) {
      if (kind === 'click') this.clicks += weight;
      else if (kind === 'cart') this.carts += weight;
      else {
        this.micros += weight * micros;
        if (order !== undefined) this.ordered.set(order, Math.max(weight, this.ordered.get(order) ?? 0));
      }
    }
  }

  get counts(): Counts {
    const { logged, searches, noResults, clicks, carts } = this;
    const orders = [...this.ordered.values()].reduce((sum, weight) => sum + weight, 0);
    const bySearch = (count: number): number => (searches > 0 ? count / searches : 0);
    return {
      searches: Math.round(searches),
      noResults: Math.round(noResults),
      noResultRate: bySearch(noResults),
      clicks: Math.round(clicks),
      ctr: bySearch(clicks),
      carts: Math.round(carts),
      orders: Math.round(orders),
      revenue: toUnits(Math.round(this.micros)),
      logged,
    };
  }
}
