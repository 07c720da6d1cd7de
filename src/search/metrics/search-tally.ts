import type { JoinedSearch } from '../log/logged-search';
import type { DayRow, TermRow } from './reply-schemas';
import { type Counts, Tally } from './tally';

/** Different queries that are told apart; what comes after so many counts in the sums alone. */
const MOST_QUERIES = 200_000;

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
