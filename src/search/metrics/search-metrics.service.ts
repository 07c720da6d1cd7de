import { Injectable } from '@nestjs/common';
import { Clock } from '../../shared/clock';
import { daysOf, type MetricsPeriod } from '../../stores/metrics-period';
import type { Store } from '../../stores/store';
import { dayOf } from '../../stores/store-day';
import { SearchLog } from '../log/search-log';
import type { SearchMetrics, TermRow } from './reply-schemas';
import { SearchTally } from './search-tally';

const HOUR = 3_600_000;
/** A day of a time zone begins so long before that of UTC at the most, and ends so long after it. */
const EARLIEST = 14 * HOUR;
const LATEST = 36 * HOUR;
/** Queries of each list. */
const MOST_LISTED = 100;

/** How searches of some days went. `queries`: all of them, the most searched first. */
export interface CountedSearches {
  metrics: SearchMetrics;
  queries: TermRow[];
}

/** What shoppers searched, found and did then. */
@Injectable()
export class SearchMetricsService {
  constructor(
    private readonly log: SearchLog,
    private readonly clock: Clock,
  ) {}

  async count(store: Store, period: MetricsPeriod): Promise<CountedSearches> {
    const { timeZone } = store.settings;
    const { from, to } = daysOf(period, { timeZone, now: this.clock.now() });
    const tally = new SearchTally();
    const between = { from: startOf(from) - EARLIEST, to: startOf(to) + LATEST };
    await this.log.flush();
    for await (const page of this.log.read({ store: store.id, ...between })) {
      for (const search of page) {
        const day = dayOf(search.at, timeZone);
        if (day >= from && day <= to) tally.add(search, day);
      }
    }
    const { queries } = tally;
    const topTerms = queries.filter(({ searches }) => searches > 0).slice(0, MOST_LISTED);
    return {
      metrics: {
        from,
        to,
        ...tally.totals,
        sampled: tally.isSampled,
        topTerms,
        noResultTerms: unfound(queries),
        days: tally.days,
      },
      queries,
    };
  }
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** Queries that found nothing, and how often. */
function unfound(queries: readonly TermRow[]): SearchMetrics['noResultTerms'] {
  const rows = queries.filter(({ noResults }) => noResults > 0);
  const counted = rows.map(({ query, noResults: searches }) => ({ query, searches }));
  return counted.sort((a, b) => b.searches - a.searches).slice(0, MOST_LISTED);
}
