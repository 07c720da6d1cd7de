import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/api-error';
import type { PlanFilter } from '../../engine/plan/query-plan';
import type { Store } from '../../stores/store';
import { CategoryNames } from '../facets/category-names';
import { FacetRegistry } from '../facets/facet-registry';
import { type ParsedFilters, parseFilters, planFilters } from '../facets/parse-filters';
import { hotsiteKey } from '../merchandising/merchandising-schemas';
import { Merchandising } from '../merchandising/merchandising.service';
import { channelsOf, type Listing, selectedCategories } from '../product-finder';
import { notListed, type SearchCall, SearchService } from '../search.service';
import type { SearchParameters } from '../search-parameters';
import { type CategoryPage, CategoryPages } from './category-pages';
import type { HotsitesParameters, NavigatesParameters } from './listing-parameters';

const nothing: PlanFilter = { kind: 'category', keys: [] };

type ListCall<P extends SearchParameters> = SearchCall & { parameters: P };

/** The lists that are no searches (contract 4.8): what a category page or a hotsite holds, ranked for the shopper as a search is. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly searches: SearchService,
    private readonly categories: CategoryPages,
    private readonly categoryNames: CategoryNames,
    private readonly facets: FacetRegistry,
    private readonly merchandising: Merchandising,
  ) {}

  async navigate(call: ListCall<NavigatesParameters>): Promise<Record<string, unknown>> {
    const { category, multicategory, fields = [] } = call.parameters;
    const listing =
      category || multicategory
        ? await this.categoryListing(call, category ? [category] : (multicategory ?? []).map((one) => [one]))
        : await this.fieldListing(call, fields);
    return this.searches.search({ ...call, listing });
  }

  async hotsite(call: ListCall<HotsitesParameters>): Promise<Record<string, unknown>> {
    const { store } = call.caller;
    const name = hotsiteKey(call.parameters.name);
    const hotsite = this.merchandising.of(store.id, 'hotsites').find((one) => hotsiteKey(one.name) === name);
    if (!hotsite) throw notListed(`There is no hotsite "${call.parameters.name}"`);
    const { title, description, sortRule = null, products, filter = [] } = hotsite;
    const { selections, ignored } = await this.read(call, filter);
    // What is of no filter any more finds nothing, instead of everything.
    const within = ignored.length > 0 ? [nothing] : planFilters(selections);
    const listing: Listing = {
      key: `hotsite:${name}`,
      match: { kind: 'all', ...(products?.length ? { products } : {}), within },
      scope: { categories: [], hotsite: name },
      extra: { hotsite: { title, description, sortRule } },
      mustFind: false,
    };
    return this.searches.search({ ...call, listing });
  }

  /** The sort rule of a hotsite, where it has one. */
  sortRule(store: Store, name: string): SearchParameters['sortBy'] | undefined {
    const hotsites = this.merchandising.of(store.id, 'hotsites');
    return hotsites.find((one) => hotsiteKey(one.name) === hotsiteKey(name))?.sortRule;
  }

  private async categoryListing(
    { caller, parameters, until }: SearchCall,
    paths: readonly string[][],
  ): Promise<Listing> {
    const asked = { store: caller.store, channels: channelsOf(caller.store, parameters), until };
    const pages = await Promise.all(paths.map((path) => this.categories.find(path, asked)));
    const known = pages.filter((page): page is CategoryPage => page !== null);
    if (known.length === 0)
      throw notListed(`There is no category "${paths.map((path) => path.join(' > ')).join(', ')}"`);
    const keys = known.map(({ key }) => key);
    return {
      key: `category:${keys.join('|')}`,
      match: { kind: 'all', within: [{ kind: 'category', keys }] },
      scope: { categories: keys, hotsite: null },
      extra: { name: known.map(({ name }) => name).join(', ') },
      mustFind: true,
    };
  }

  private async fieldListing(call: SearchCall, fields: readonly string[]): Promise<Listing> {
    const { selections, ignored } = await this.fieldsOf(call, fields);
    if (ignored.length > 0) throw notListed(`The store has no value "${ignored.join(', ')}"`);
    return {
      key: `fields:${fields.join('|')}`,
      match: { kind: 'all', within: planFilters(selections) },
      scope: { categories: selectedCategories(selections), hotsite: null },
      extra: { name: fields.map((field) => field.slice(field.indexOf(':') + 1).trim()).join(', ') },
      mustFind: true,
    };
  }

  /** Filters as searches read them, categories by whatever they are called. */
  private async read({ caller: { store }, parameters }: SearchCall, filters: string[]): Promise<ParsedFilters> {
    const { selections, ignored } = await parseFilters(store.id, filters, this.facets);
    return { selections: await this.categoryNames.resolve(store, selections, channelsOf(store, parameters)), ignored };
  }

  /** Throws 400 for an attribute that does not exist. */
  private async fieldsOf(call: SearchCall, fields: readonly string[]): Promise<ParsedFilters> {
    try {
      return await this.read(call, [...fields]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const details = [{ path: 'fields', message: error.message }];
      throw new ApiError('invalid_parameter', `fields: ${error.message}`, { details });
    }
  }
}
