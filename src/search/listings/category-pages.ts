import { Injectable } from '@nestjs/common';
import { type FacetValue, SearchEngine } from '../../engine/search-engine';
import { joinLevels, levelsOf } from '../../ranking/vectors/category-path';
import { levelKey } from '../../ranking/vectors/features';
import { defaultTemplate } from '../../ranking/template/template';
import type { Store } from '../../stores/store';
import { CategoryNames } from '../facets/category-names';

/** A category of the store, found by what a link calls it. */
export interface CategoryPage {
  /** Its path as filters compare it. */
  key: string;
  /** As the store writes it. */
  name: string;
}

/** What the levels of a path are called in an address: by their names or ids, one by one, or all in one text. */
type Spelled = readonly string[];

interface Asked {
  store: Store;
  channels: string[];
  until: number;
}

/** Finds categories by the names or the ids of their levels. Whether a category has products is asked of the engine, so a new one is found at once. */
@Injectable()
export class CategoryPages {
  constructor(
    private readonly engine: SearchEngine,
    private readonly names: CategoryNames,
  ) {}

  /** Of several, the one nearest to the top. Null: the store has no product in such a category. */
  async find(spelled: Spelled, asked: Asked): Promise<CategoryPage | null> {
    const found = await this.names.called(asked.store, asked.channels, spelled);
    const [best] = found.toSorted((a, b) => levelsOf(a.key).length - levelsOf(b.key).length);
    const { key, label } = best ?? (await this.byPath(spelled, asked)) ?? {};
    return key === undefined || label === undefined ? null : { key, name: label };
  }

  /** Of the largest stores not every category is known by name. */
  private async byPath(spelled: Spelled, { store, channels, until }: Asked): Promise<FacetValue | undefined> {
    const [only = ''] = spelled;
    const key = joinLevels((spelled.length > 1 ? spelled : only.split(/[/>]/)).map(levelKey));
    const { facets } = await this.engine.search({
      plan: {
        store: store.id,
        channels,
        language: store.settings.language,
        match: { kind: 'all', within: [{ kind: 'category', keys: [key] }] },
        filters: [],
        availableOnly: false,
        sortBy: 'pid',
        from: 0,
        size: 0,
        facets: ['category'],
        now: 0,
      },
      template: defaultTemplate,
      boosts: null,
      explain: false,
      until,
    });
    const facet = facets.category;
    return facet && 'values' in facet ? facet.values.find((value) => value.key === key) : undefined;
  }
}
