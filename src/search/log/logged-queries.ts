import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SampleQueries } from '../../catalog/reindexing/sample-queries';
import { Clock } from '../../shared/clock';
import type { Store } from '../../stores/store';
import { looksPersonal } from '../terms/looks-personal';
import { OfferedTerms } from '../terms/offered-terms';
import type { JoinedSearch } from './logged-search';
import { SearchLog } from './search-log';

const DAY = 86_400_000;
/** Searches that are counted: a busy store's are alike all day. */
const MOST_READ = 5000;

/** What shoppers searched for and found lately, the most searched first: what a new index is tried with. */
@Injectable()
export class LoggedQueries implements OnModuleInit {
  constructor(
    private readonly samples: SampleQueries,
    private readonly log: SearchLog,
    private readonly terms: OfferedTerms,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.samples.add((store, limit) => this.top(store, limit));
    this.samples.add(async (store, limit) => (await this.terms.popular(store, limit)).map(({ query }) => query));
  }

  private async top(store: Store, limit: number): Promise<string[]> {
    const now = this.clock.now();
    const searches = new Map<string, number>();
    let read = 0;
    for await (const page of this.log.read({ store: store.id, from: now - DAY, to: now })) {
      for (const { query } of page.filter(isTelling)) searches.set(query, (searches.get(query) ?? 0) + 1);
      read += page.length;
      if (read >= MOST_READ) break;
    }
    const sorted = [...searches].sort(([, a], [, b]) => b - a);
    return sorted.slice(0, limit).map(([query]) => query);
  }
}

const isTelling = ({ query, isBot, page, found }: JoinedSearch): boolean =>
  query !== '' && !isBot && page === 1 && found > 0 && !looksPersonal(query);
