import { toUnits } from '../../shared/micros';
import type { JoinedSearch } from '../log/logged-search';
import type { DayRow, TermRow } from './reply-schemas';

/** Different queries that are told apart; what comes after so many counts in the sums alone. */
const MOST_QUERIES = 200_000;

/** Everything that is counted. Money in micros. */
type Counts = Omit<DayRow, 'day'>;

class Tally {
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

/** Adds searches up, each for as many as it stands for: in all, by day and by query. Bots, and lists without words, are left out. */
export class SearchTally {
  /** Whether any of them stands for others. */
  isSampled = false;
  private readonly all = new Tally();
  private readonly byDay = new Map<string, Tally>();
  private readonly byQuery = new Map<string, Tally>();

  /** `day`: the store's. */
  add(search: JoinedSearch, day: string): void {
    const { query, isBot, listing } = search;
    if (isBot || query === '' || listing !== undefined) return;
    if ((search.share ?? 1) < 1) this.isSampled = true;
    this.all.add(search);
    tallyIn(this.byDay, day).add(search);
    if (this.byQuery.has(query) || this.byQuery.size < MOST_QUERIES) tallyIn(this.byQuery, query).add(search);
  }

  get totals(): Counts {
    return this.all.counts;
  }

  get days(): DayRow[] {
    const rows = Array.from(this.byDay, ([day, tally]) => ({ day, ...tally.counts }));
    return rows.sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  /** The most searched first. */
  get queries(): TermRow[] {
    const rows = Array.from(this.byQuery, ([query, tally]) => ({ query, ...tally.counts }));
    return rows.sort((a, b) => b.searches - a.searches || (a.query < b.query ? -1 : 1));
  }
}

function tallyIn(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key);
  if (known) return known;
  const tally = new Tally();
  tallies.set(key, tally);
  return tally;
}
