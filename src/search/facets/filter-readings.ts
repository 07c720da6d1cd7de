import { LRUCache } from 'lru-cache';
import type { SearchEngine } from '../../engine/search-engine';
import { defaultTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import type { FacetSelection } from './parse-filters';

/** Milliseconds a reading is used before it is asked for again. */
const KNOWN_FOR = 10_000;
const MOST_KNOWN = 5000;

/** Which reading of a filter in words is meant, where a name or a value with a colon allows more than one: the first that any product has. */
export class FilterReadings {
  private readonly known = new LRUCache<string, Promise<boolean>>({ max: MOST_KNOWN, ttl: KNOWN_FOR });

  constructor(private readonly engine: Pick<SearchEngine, 'search'>) {}

  async choose(store: Store, selection: FacetSelection, channels: string[]): Promise<FacetSelection> {
    const { others, ...first } = selection;
    if (!others || !('key' in first)) return selection;
    for (const reading of [first, ...others]) {
      if (await this.has(store, reading, channels)) return { ...first, ...reading };
    }
    return first;
  }

  private has(store: Store, reading: Reading, channels: string[]): Promise<boolean> {
    const name = JSON.stringify([store.id, channels, reading.kind, reading.key]);
    const known = this.known.get(name);
    if (known) return known;
    const asked = this.ask(store, reading, channels);
    this.known.set(name, asked);
    asked.catch(() => this.known.delete(name));
    return asked;
  }

  private async ask({ id, settings }: Store, { kind, key }: Reading, channels: string[]): Promise<boolean> {
    const { total } = await this.engine.search({
      plan: {
        store: id,
        channels,
        language: settings.language,
        match: { kind: 'all' },
        filters: [{ kind, keys: [key] }],
        availableOnly: false,
        sortBy: 'pid',
        from: 0,
        size: 0,
        facets: [],
        now: 0,
      },
      template: defaultTemplate,
      boosts: null,
      explain: false,
    });
    return total > 0;
  }
}

type Reading = Pick<Extract<FacetSelection, { key: string }>, 'kind' | 'key'>;
