import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { PlanFilter } from '../../engine/plan/query-plan';
import { type FacetValue, SearchEngine } from '../../engine/search-engine';
import { joinLevels, levelsOf } from '../../ranking/vectors/category-path';
import { normaliseValue } from '../../ranking/vectors/features';
import { defaultTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';

/** A category of the store, found by what a link calls it. */
export interface CategoryPage {
  /** Its path as filters compare it. */
  key: string;
  /** As the store writes it. */
  name: string;
}

const KEPT_MS = 10_000;
const MOST_KEPT = 2000;
/** Levels that are looked through: all of them, in any but the largest of stores. */
const MOST_CATEGORIES = 10_000;

/** What the levels of a path are called in an address: by their names or ids, one by one, or all in one text. */
type Spelled = readonly string[];

interface Asked {
  store: Store;
  /** Absent: the store's default. */
  channels: readonly string[] | undefined;
  until: number;
}

/** Finds categories by the names or the ids of their levels. Whether a category has products is asked of the engine, so a new one is found at once. */
@Injectable()
export class CategoryPages {
  private readonly found = new LRUCache<string, CategoryPage>({ max: MOST_KEPT, ttl: KEPT_MS });

  constructor(private readonly engine: SearchEngine) {}

  /** Null: the store has no product in such a category. */
  async find(spelled: Spelled, asked: Asked): Promise<CategoryPage | null> {
    const key = JSON.stringify([asked.store.id, asked.channels, spelled]);
    const known = this.found.get(key);
    if (known) return known;
    const page = (await this.byNames(spelled, asked)) ?? (await this.byIds(spelled, asked));
    if (page) this.found.set(key, page);
    return page;
  }

  private async byNames(spelled: Spelled, asked: Asked): Promise<CategoryPage | null> {
    for (const key of keysOf(spelled)) {
      const values = await this.values(asked, [{ kind: 'category', keys: [key] }]);
      const page = pageOf(values, key);
      if (page) return page;
    }
    return null;
  }

  /** Among the categories of all products: by the ids or names of the last levels of a path. */
  private async byIds(spelled: Spelled, asked: Asked): Promise<CategoryPage | null> {
    const values = await this.values(asked, []);
    const wanted = spelled.map(normaliseValue);
    const fits = ({ key }: FacetValue): boolean => {
      const levels = chain(values, key);
      const last = levels.slice(-wanted.length);
      return (
        last.length === wanted.length &&
        last.every(({ idO, label }, depth) => [idO, label].map(normaliseValue).includes(wanted[depth] ?? ''))
      );
    };
    const [best] = values.filter(fits).sort((a, b) => levelsOf(a.key).length - levelsOf(b.key).length);
    return best ? pageOf(values, best.key) : null;
  }

  private async values({ store, channels, until }: Asked, within: PlanFilter[]): Promise<readonly FacetValue[]> {
    const { facets } = await this.engine.search({
      plan: {
        store: store.id,
        channels: [...(channels ?? [store.settings.defaultSalesChannel])],
        language: store.settings.language,
        match: { kind: 'all', within },
        filters: [],
        availableOnly: false,
        sortBy: 'pid',
        from: 0,
        size: 0,
        facets: ['category'],
        mostValues: MOST_CATEGORIES,
        now: 0,
      },
      template: defaultTemplate,
      boosts: null,
      explain: false,
      until,
    });
    const facet = facets.category;
    return facet && 'values' in facet ? facet.values : [];
  }
}

/** Keys that a path may have: of its levels one by one; of a single text also as a path. */
function keysOf(spelled: Spelled): string[] {
  const oneByOne = joinLevels(spelled.map((level) => normaliseValue(level.replaceAll('/', ' '))));
  const [only] = spelled;
  if (only === undefined || spelled.length > 1) return [oneByOne];
  const asPath = joinLevels(only.split(/[/>]/).map(normaliseValue));
  return [...new Set([asPath, oneByOne])];
}

/** The levels of a category, the top first. */
function chain(values: readonly FacetValue[], key: string): FacetValue[] {
  const levels: FacetValue[] = [];
  for (let value = values.find((own) => own.key === key); value;) {
    levels.unshift(value);
    const { parent } = value;
    value = parent === null ? undefined : values.find((own) => own.key === parent);
  }
  return levels;
}

function pageOf(values: readonly FacetValue[], key: string): CategoryPage | null {
  const own = values.find((value) => value.key === key);
  return own ? { key, name: own.label } : null;
}
