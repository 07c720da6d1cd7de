import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type FacetValue, SearchEngine } from '../../engine/search-engine';
import { levelsOf } from '../../ranking/vectors/category-path';
import { levelKey, normaliseValue } from '../../ranking/vectors/features';
import { defaultTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import { FilterReadings } from './filter-readings';
import type { FacetSelection } from './parse-filters';

/** Milliseconds a store's categories are used before they are read again. */
const KNOWN_FOR = 1000;
const MOST_STORES = 200;
const MOST_CATEGORIES = 10_000;

/** Finds what a filter in words names that only products tell: categories by their ids or names, at any level, and names with colons. */
@Injectable()
export class CategoryNames {
  private readonly known = new LRUCache<string, Promise<NamedCategories>>({ max: MOST_STORES, ttl: KNOWN_FOR });
  /** The last of each store, by the name of the facets they were read from. */
  private readonly read = new LRUCache<string, { facetsName: string; categories: NamedCategories }>({
    max: MOST_STORES,
  });

  private readonly readings: FilterReadings;

  constructor(private readonly engine: SearchEngine) {
    this.readings = new FilterReadings(engine);
  }

  /** The same selections, a category by every level that it may mean in these sales channels. One that means none stays, and finds nothing. */
  async resolve(store: Store, written: FacetSelection[], channels: string[]): Promise<FacetSelection[]> {
    const selections = written.every(({ others }) => others === undefined)
      ? written
      : await Promise.all(written.map((one) => this.readings.choose(store, one, channels)));
    if (selections.every(({ spelled }) => spelled === undefined)) return selections;
    const named = await this.named(store, channels);
    return selections.flatMap((selection): FacetSelection[] => {
      if (selection.spelled === undefined || !('key' in selection)) return [selection];
      const keys = named(selection.spelled);
      return keys.length === 0 ? [selection] : keys.map((key) => ({ ...selection, key }));
    });
  }

  /** Keys of the categories that a text means in these sales channels. */
  async named(store: Store, channels: string[]): Promise<(spelled: string) => string[]> {
    const categories = await this.categories(store, channels);
    return (spelled) => categories.named(spelled).map(({ key }) => key);
  }

  /** The categories that a page is called by. Where none is known, they are read anew: a new one is found as soon as its products are. */
  async called(store: Store, channels: string[], spelled: SpelledCategory): Promise<FacetValue[]> {
    const known = (await this.categories(store, channels)).named(spelled);
    if (known.length > 0) return known;
    this.known.delete(nameOfAsked(store, channels));
    return (await this.categories(store, channels)).named(spelled);
  }

  private categories(store: Store, channels: string[]): Promise<NamedCategories> {
    const name = nameOfAsked(store, channels);
    const known = this.known.get(name);
    if (known) return known;
    const asked = this.ask(store, channels, name);
    this.known.set(name, asked);
    asked.catch(() => this.known.delete(name));
    return asked;
  }

  /** Without the time that one caller has: others wait for the same answer. */
  private async ask({ id, settings }: Store, channels: string[], name: string): Promise<NamedCategories> {
    const { facets, facetsName } = await this.engine.search({
      plan: {
        store: id,
        channels,
        language: settings.language,
        match: { kind: 'all' },
        filters: [],
        availableOnly: false,
        sortBy: 'relevance',
        from: 0,
        size: 0,
        facets: ['category'],
        mostValues: MOST_CATEGORIES,
        now: 0,
      },
      template: defaultTemplate,
      boosts: null,
      explain: false,
    });
    const before = this.read.get(name);
    if (before && before.facetsName === facetsName) return before.categories;
    const { category } = facets;
    const categories = new NamedCategories(category && 'values' in category ? category.values : []);
    if (facetsName !== undefined) this.read.set(name, { facetsName, categories });
    return categories;
  }
}

const nameOfAsked = ({ id }: Store, channels: string[]): string => JSON.stringify([id, channels]);

/** What a category is called: a text, or the levels of a path one by one. */
export type SpelledCategory = string | readonly string[];

/** Between the levels of a path in one text. A name may hold one, too: `TV / Video`. */
const BETWEEN = /[/>]/;
/** Before the first level, or behind the last one. */
const AROUND = /^[\s/>]+|[\s/>]+$/g;
/** A name is looked for with so many of them at most. */
const MOST_IN_NAME = 8;

interface Match {
  category: FacetValue;
  /** Whether the path begins at the top. */
  whole: boolean;
  /** Signs of the text that are no ends of levels. */
  inNames: number;
}

/** The categories of a store, to be found by what people call them. */
export class NamedCategories {
  private readonly byKey: ReadonlyMap<string, FacetValue>;
  private readonly byId = new Map<string, FacetValue[]>();
  /** By the last level of their path, as its id or as its name. */
  private readonly byLevel = new Map<string, FacetValue[]>();

  constructor(categories: readonly FacetValue[]) {
    this.byKey = new Map(categories.map((category) => [category.key, category]));
    for (const category of categories) {
      const id = normaliseValue(category.idO);
      listIn(this.byId, id).push(category);
      for (const name of new Set([id, nameOf(category)])) listIn(this.byLevel, name).push(category);
    }
  }

  /**
   * Categories that a text names: those of which it is the id, else the one it is the path of, else those whose path ends with it. Each level
   * by its id or its name. `/` and `>` end a level, or else are part of its name, whichever is there.
   */
  named(spelled: SpelledCategory): FacetValue[] {
    const isText = typeof spelled === 'string';
    const [only] = isText ? [spelled] : spelled.length === 1 ? spelled : [];
    const byId = only === undefined ? [] : (this.byId.get(normaliseValue(only)) ?? []);
    if (byId.length > 0) return byId;
    const matches = only === undefined ? this.ofLevels(spelled as readonly string[]) : this.ofText(only);
    const whole = matches.filter((match) => match.whole);
    const best = whole.length > 0 ? whole : matches;
    const fewest = Math.min(...best.map(({ inNames }) => inNames));
    return best.filter(({ inNames }) => inNames === fewest).map(({ category }) => category);
  }

  private ofLevels(levels: readonly string[]): Match[] {
    const [last = '', ...above] = levels.toReversed();
    return this.calledSo(last).flatMap((category): Match[] => {
      let level = this.above(category);
      for (const name of above) {
        if (!level || !isCalled(level, name)) return [];
        level = this.above(level);
      }
      return [{ category, whole: level === undefined, inNames: 0 }];
    });
  }

  private ofText(text: string): Match[] {
    return [...lastLevels(text.replace(AROUND, ''))].flatMap(({ name, before, inNames }) =>
      this.calledSo(name).flatMap((category): Match[] => {
        const above = this.climb(this.above(category), before);
        return above ? [{ category, whole: above.whole, inNames: inNames + above.inNames }] : [];
      }),
    );
  }

  /** Whether the rest of a text names the levels from this one up; null: it does not. */
  private climb(level: FacetValue | undefined, text: string | null): Omit<Match, 'category'> | null {
    if (text === null) return { whole: level === undefined, inNames: 0 };
    if (!level) return null;
    for (const { name, before, inNames } of lastLevels(text)) {
      const above = isCalled(level, name) ? this.climb(this.above(level), before) : null;
      if (above) return { whole: above.whole, inNames: inNames + above.inNames };
    }
    return null;
  }

  private calledSo(name: string): FacetValue[] {
    const [id, inKey] = [normaliseValue(name), levelKey(name)];
    const found = [...(this.byLevel.get(id) ?? []), ...(inKey === id ? [] : (this.byLevel.get(inKey) ?? []))];
    return [...new Set(found)].filter((category) => isCalled(category, name));
  }

  private above({ parent }: FacetValue): FacetValue | undefined {
    return parent === null ? undefined : this.byKey.get(parent);
  }
}

/** What a text may end with as a level, the shortest first, and what stands before it; null: nothing does. */
function* lastLevels(text: string): Generator<{ name: string; before: string | null; inNames: number }> {
  let end = text.length;
  for (let inNames = 0; inNames <= MOST_IN_NAME; inNames++) {
    while (end > 0 && !BETWEEN.test(text[end - 1] ?? '')) end--;
    yield { name: text.slice(end), before: end === 0 ? null : text.slice(0, end - 1), inNames };
    if (end-- === 0) return;
  }
}

const isCalled = (level: FacetValue, name: string): boolean =>
  normaliseValue(level.idO) === normaliseValue(name) || nameOf(level) === levelKey(name);

const nameOf = ({ key }: FacetValue): string => levelsOf(key).at(-1) ?? '';

function listIn(lists: Map<string, FacetValue[]>, name: string): FacetValue[] {
  let list = lists.get(name);
  if (!list) lists.set(name, (list = []));
  return list;
}
