import type { Store } from '../../stores/store';
import type { OfferedTerms } from './offered-terms';

const MOST_SUGGESTED = 5;

/** A query that was searched: as typed, and as it was understood. */
interface Searched {
  normalized: string;
  processed: string;
}

/**
 * What to search instead, or next: what other shoppers searched with the same words and more; and where nothing was found, what is close to
 * those words. Never fails: a reply is whole without it.
 */
export class SuggestedQueries {
  private readonly longer: Promise<string[]>;

  /** Begins at once, beside the search. */
  constructor(
    private readonly offered: Pick<OfferedTerms, 'matching' | 'near'>,
    private readonly store: Store,
    private readonly query: Searched,
  ) {
    this.longer = this.searchedLonger().catch(() => []);
  }

  /** `first`: queries that the engine offers, which stand before those of shoppers. `found`: products. */
  async of(found: number, first: readonly string[] = []): Promise<string[]> {
    const { store, query } = this;
    const longer = await this.longer;
    const near = found > 0 ? [] : await this.offered.near(store, query.processed, MOST_SUGGESTED).catch(() => []);
    const all = new Set([...first, ...longer, ...near.map((term) => term.query)]);
    for (const same of [query.normalized, query.processed]) all.delete(same);
    return [...all].slice(0, MOST_SUGGESTED);
  }

  /** Names of categories and brands are no searches. */
  private async searchedLonger(): Promise<string[]> {
    const terms = await this.offered.matching(this.store, this.query.processed, 2 * MOST_SUGGESTED);
    return terms.flatMap(({ query, size }) => (size === undefined ? [] : query));
  }
}
