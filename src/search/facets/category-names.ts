import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type FacetValue, SearchEngine } from '../../engine/search-engine';
import { levelsOf } from '../../ranking/vectors/category-path';
import { normaliseValue } from '../../ranking/vectors/features';
import { defaultTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import type { FacetSelection } from './parse-filters';

/** Milliseconds a store's categories are used before they are read again. */
const KNOWN_FOR = 1000;
const MOST_STORES = 200;
const MOST_CATEGORIES = 10_000;

/** Finds the categories that a filter names in words: by their ids or names, at any level. */
@Injectable()
export class CategoryNames {
  private readonly known = new LRUCache<string, Promise<NamedCategories>>({ max: MOST_STORES, ttl: KNOWN_FOR });

  constructor(private readonly engine: SearchEngine) {}

  /** The same selections, a category by every level that it may mean in these sales channels. One that means none stays, and finds nothing. */
  async resolve(store: Store, selections: FacetSelection[], channels: string[]): Promise<FacetSelection[]> {
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
    return (spelled) => categories.named(spelled);
  }

  private categories(store: Store, channels: string[]): Promise<NamedCategories> {
    const name = JSON.stringify([store.id, channels]);
    const known = this.known.get(name);
    if (known) return known;
    const asked = this.read(store, channels);
    this.known.set(name, asked);
    asked.catch(() => this.known.delete(name));
    return asked;
  }

  /** Without the time that one caller has: others wait for the same answer. */
  private async read({ id, settings }: Store, channels: string[]): Promise<NamedCategories> {
    const { facets } = await this.engine.search({
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
    return new NamedCategories(facets.category && 'values' in facets.category ? facets.category.values : []);
  }
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
   * Keys of the categories that a text names: those of which it is the id, else the one it is the path of, else those whose path
   * ends with it. Each level by its id or its name; a path from `/`.
   */
  named(spelled: string): string[] {
    const byId = this.byId.get(normaliseValue(spelled)) ?? [];
    if (byId.length > 0) return byId.map(({ key }) => key);
    const asked = levelsOf(spelled).map(normaliseValue);
    const ending = (this.byLevel.get(asked.at(-1) ?? '') ?? []).filter((category) => this.endsWith(category, asked));
    const fromTheTop = ending.filter(({ key }) => levelsOf(key).length === asked.length);
    return (fromTheTop.length > 0 ? fromTheTop : ending).map(({ key }) => key);
  }

  private endsWith(category: FacetValue, asked: readonly string[]): boolean {
    let level: FacetValue | undefined = category;
    for (const name of asked.toReversed()) {
      if (!level || (normaliseValue(level.idO) !== name && nameOf(level) !== name)) return false;
      level = level.parent === null ? undefined : this.byKey.get(level.parent);
    }
    return true;
  }
}

const nameOf = ({ key }: FacetValue): string => levelsOf(key).at(-1) ?? '';

function listIn(lists: Map<string, FacetValue[]>, name: string): FacetValue[] {
  let list = lists.get(name);
  if (!list) lists.set(name, (list = []));
  return list;
}
