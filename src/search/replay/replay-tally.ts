import { compareMeans, type ComparedMeans, type ShopperSums } from './compared-means';
import type { ChosenSearch } from './chosen-searches';
import { ndcg, rankBiasedOverlap, reciprocalRank, TOP } from './order-scores';
import type { ReplayReport } from './replay-report';

/** A search in both orders, as far down as anybody looks. */
export interface ReplayedSearch extends ChosenSearch {
  current: readonly string[];
  candidate: readonly string[];
  isPersonal: boolean;
}

/** How often a product was among the first ten, in both orders. */
export type Shown = Map<string, { current: number; candidate: number }>;

interface QuerySums {
  searches: number;
  shoppers: Set<string>;
  overlap: number;
  difference: number;
}

const MOST_QUERIES = 20;
/** What fewer people searched may say who they are. */
const FEWEST_SHOPPERS = 3;

type Measure = 'ndcg' | 'mrr';
type Scores = Pick<ReplayReport, 'ndcg' | 'mrr' | 'loss' | 'overlap' | 'changed' | 'coverage' | 'queries'> & {
  used: number;
  shoppers: number;
  personal: number;
};

/** Adds up replayed searches. A search weighs as much as what was done in it, corrected for where it was done. */
export class ReplayTally {
  readonly shown: Shown = new Map();
  private readonly shoppers: Record<Measure, Map<string, ShopperSums>> = { ndcg: new Map(), mrr: new Map() };
  private readonly queries = new Map<string, QuerySums>();
  private used = 0;
  private personal = 0;
  private changed = 0;
  private overlap = 0;

  add({ search, judged, current, candidate, isPersonal }: ReplayedSearch): void {
    // Who is not known is somebody else every time.
    const shopper = search.shopper ?? `search ${search.searchId}`;
    const weight = [...judged.values()].reduce((sum, one) => sum + one, 0);
    const own = { current: ndcg(current, judged), candidate: ndcg(candidate, judged) };
    addTo(this.shoppers.ndcg, shopper, { weight, ...own });
    addTo(this.shoppers.mrr, shopper, {
      weight,
      current: reciprocalRank(current, judged),
      candidate: reciprocalRank(candidate, judged),
    });
    const overlap = rankBiasedOverlap(current, candidate);
    this.used += 1;
    this.personal += Number(isPersonal);
    this.changed += Number(topOf(current).join('\n') !== topOf(candidate).join('\n'));
    this.overlap += overlap;
    this.addQuery(search.query, { shopper, overlap, difference: own.candidate - own.current });
    for (const product of topOf(current)) this.shownOf(product).current += 1;
    for (const product of topOf(candidate)) this.shownOf(product).candidate += 1;
  }

  scores(): Scores {
    const means = this.meansOf('ndcg');
    const shown = [...this.shown.values()];
    return {
      used: this.used,
      shoppers: this.shoppers.ndcg.size,
      personal: this.personal,
      ndcg: means,
      mrr: this.meansOf('mrr'),
      loss: means.current > 0 ? -means.difference / means.current : 0,
      overlap: this.used > 0 ? this.overlap / this.used : 1,
      changed: this.changed,
      coverage: {
        current: shown.filter(({ current }) => current > 0).length,
        candidate: shown.filter(({ candidate }) => candidate > 0).length,
      },
      queries: this.mostChanged(),
    };
  }

  private meansOf(measure: Measure): ComparedMeans {
    return compareMeans([...this.shoppers[measure].values()]);
  }

  private addQuery(
    query: string,
    { shopper, overlap, difference }: { shopper: string; overlap: number; difference: number },
  ): void {
    const sums = this.queries.get(query) ?? { searches: 0, shoppers: new Set(), overlap: 0, difference: 0 };
    sums.searches += 1;
    sums.shoppers.add(shopper);
    sums.overlap += overlap;
    sums.difference += difference;
    this.queries.set(query, sums);
  }

  private mostChanged(): ReplayReport['queries'] {
    return [...this.queries]
      .filter(([, { shoppers }]) => shoppers.size >= FEWEST_SHOPPERS)
      .map(([query, { searches, overlap, difference }]) => ({
        query,
        searches,
        overlap: overlap / searches,
        difference: difference / searches,
      }))
      .filter(({ overlap }) => overlap < 1)
      .sort((a, b) => a.overlap - b.overlap || b.searches - a.searches)
      .slice(0, MOST_QUERIES);
  }

  private shownOf(product: string): { current: number; candidate: number } {
    const found = this.shown.get(product) ?? { current: 0, candidate: 0 };
    this.shown.set(product, found);
    return found;
  }
}

const topOf = (order: readonly string[]): readonly string[] => order.slice(0, TOP);

function addTo(all: Map<string, ShopperSums>, shopper: string, { weight, current, candidate }: ShopperSums): void {
  const sums = all.get(shopper) ?? { weight: 0, current: 0, candidate: 0 };
  sums.weight += weight;
  sums.current += weight * current;
  sums.candidate += weight * candidate;
  all.set(shopper, sums);
}
