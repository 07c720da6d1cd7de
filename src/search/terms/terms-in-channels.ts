import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { within } from '../../shared/async/within';
import { SearchEngine } from '../../engine/search-engine';
import { defaultTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import { QueryUnderstanding } from '../query-understanding';
import type { QueryTerm } from './query-terms';

/** Milliseconds: what was found a moment ago is not looked for at each letter. */
const KNOWN_FOR = 60_000;
const MOST_KNOWN = 5000;
/** Of the time that somebody still waits, what a reply waits for its terms. The rest is for the reply itself. */
const WAIT_SHARE = 0.5;

/** Where somebody asks: sales channels, and until when they wait. */
export interface Asked {
  channels: readonly string[];
  until: number;
}

/** What a reply is whole without: nothing where it is not there in time, or can't be had. */
export function unlessLate<T>(until: number, work: Promise<T[]>): Promise<T[]> {
  const waitMs = Math.max(0, until - performance.now()) * WAIT_SHARE;
  return within(waitMs, work).catch((): T[] => []);
}

/** `size`: products it found when it was searched last; absent: nobody did. `channels`: where a name is known to be of products. */
type FoundBefore = Pick<QueryTerm, 'query' | 'size' | 'channels'>;

/**
 * Whether products of a name are there, so that nothing has to be looked for. Whether they can be had has; and of several sales channels a
 * product is seen as it is in the first that has it.
 */
function isNamedIn({ settings }: Store, channels: ReadonlySet<string> | undefined, asked: Asked): boolean {
  if (!channels || settings.showOnlyAvailable) return false;
  return channels.has('*') || channels.has(asked.channels[0] ?? '');
}

/** Whether a term finds something without a look. */
function isKnown(store: Store, { size, channels }: FoundBefore, asked: Asked): boolean {
  const isOfDefault = size !== undefined && asked.channels.includes(store.settings.defaultSalesChannel);
  return isOfDefault || isNamedIn(store, channels, asked);
}

/** Terms are kept of a whole store: which of them find something in the sales channels that are asked for. */
@Injectable()
export class TermsInChannels {
  private readonly known = new LRUCache<string, Promise<boolean>>({ max: MOST_KNOWN, ttl: KNOWN_FOR });

  constructor(
    private readonly engine: SearchEngine,
    private readonly understanding: QueryUnderstanding,
  ) {}

  /** Those that find something. What others searched did, mostly in the default sales channel; a name may be of what is gone. */
  async of<T extends FoundBefore>(store: Store, terms: readonly T[], asked: Asked): Promise<T[]> {
    const found = await Promise.all(
      terms.map((term) => isKnown(store, term, asked) || this.finds(store, term.query, asked)),
    );
    return terms.filter((_, at) => found[at]);
  }

  /** The same for a reply that is whole without them: those that are known in time. */
  async inTime<T extends FoundBefore>(store: Store, terms: readonly T[], asked: Asked): Promise<T[]> {
    const found = terms.map((term) =>
      isKnown(store, term, asked) ? [term] : unlessLate(asked.until, this.of(store, [term], asked)),
    );
    return (await Promise.all(found)).flat();
  }

  private finds(store: Store, query: string, asked: Asked): Promise<boolean> {
    const key = JSON.stringify([store.id, asked.channels, query]);
    const known = this.known.get(key);
    if (known) return known;
    const finding = this.look(store, query, asked);
    this.known.set(key, finding);
    finding.catch(() => this.known.delete(key));
    return finding;
  }

  private async look(store: Store, terms: string, { channels, until }: Asked): Promise<boolean> {
    const { language, showOnlyAvailable: availableOnly } = store.settings;
    const { match } = await this.understanding.whole(store, terms, until);
    const { total } = await this.engine.search({
      plan: {
        store: store.id,
        channels: [...channels],
        language,
        match,
        availableOnly,
        filters: [],
        facets: [],
        sortBy: 'relevance',
        from: 0,
        size: 0,
        now: 0,
      },
      template: defaultTemplate,
      boosts: null,
      explain: false,
      until,
    });
    return total > 0;
  }
}
