import { normaliseWhole } from '../../engine/analysis/normalise';
import { isFiller } from '../../engine/plan/stop-words';
import type { Store } from '../../stores/store';
import type { OfferedTerms } from './offered-terms';
import type { OfferedText, QueryTerm } from './query-terms';
import { type Asked, type TermsInChannels, unlessLate } from './terms-in-channels';

const MOST_SUGGESTED = 5;

/** A query that was searched: as typed, and as it was understood. */
interface Searched {
  normalized: string;
  processed: string;
}

interface Sources {
  offered: Pick<OfferedTerms, 'matching' | 'near'>;
  channels: Pick<TermsInChannels, 'inTime'>;
}

/**
 * What to search instead, or next: what other shoppers searched with the same words and more; and where nothing was found, what is close to
 * those words. Each finds something where it is asked for, and is more than filler words. Never fails: a reply is whole without it.
 */
export class SuggestedQueries {
  private readonly longer: Promise<QueryTerm[]>;

  /** Begins at once, beside the search. */
  constructor(
    private readonly sources: Sources,
    private readonly store: Store,
    private readonly query: Searched,
    private readonly asked: Asked,
  ) {
    this.longer = unlessLate(asked.until, this.searchedLonger());
  }

  /** `first`: queries that the engine offers, which stand before those of shoppers. `found`: products. */
  async of(found: number, first: readonly string[] = []): Promise<OfferedText[]> {
    const { store, asked } = this;
    const { offered, channels } = this.sources;
    const longer = await this.longer;
    const near =
      found > 0 ? [] : await unlessLate(asked.until, offered.near(store, this.query.processed, MOST_SUGGESTED));
    const all = new Map<string, QueryTerm>();
    for (const term of [...first.map((query): QueryTerm => ({ query })), ...longer, ...near]) {
      if (!all.has(term.query) && this.isAnother(term)) all.set(term.query, term);
    }
    const some = [...all.values()].slice(0, 2 * MOST_SUGGESTED);
    const finding = await channels.inTime(store, some, asked);
    return finding.slice(0, MOST_SUGGESTED);
  }

  private isAnother({ query }: QueryTerm): boolean {
    const whole = normaliseWhole(query);
    if ([this.query.normalized, normaliseWhole(this.query.processed)].includes(whole)) return false;
    return !isFiller(whole, this.store.settings.language);
  }

  /** Names of categories and brands are no searches. */
  private async searchedLonger(): Promise<QueryTerm[]> {
    const terms = await this.sources.offered.matching(this.store, this.query.processed, 2 * MOST_SUGGESTED);
    return terms.filter(({ size }) => size !== undefined);
  }
}
