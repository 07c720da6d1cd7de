import { Injectable } from '@nestjs/common';
import { ApiError } from '../../shared/api-error';
import type { Store } from '../../stores/store';
import { FacetRegistry } from '../facets/facet-registry';
import { type FacetSelection, parseFilters, planFilters } from '../facets/parse-filters';
import { hotsiteKey } from '../merchandising/merchandising-schemas';
import { Merchandising } from '../merchandising/merchandising.service';
import type { Listing } from '../product-finder';
import { notListed, type SearchCall, SearchService } from '../search.service';
import type { SearchParameters } from '../search-parameters';
import { type CategoryPage, CategoryPages } from './category-pages';
import type { HotsitesParameters, NavigatesParameters } from './listing-parameters';

type ListCall<P extends SearchParameters> = SearchCall & { parameters: P };

/** The lists that are no searches (contract 4.8): what a category page or a hotsite holds, ranked for the shopper as a search is. */
@Injectable()
export class ListingsService {
  constructor(
    private readonly searches: SearchService,
    private readonly categories: CategoryPages,
    private readonly facets: FacetRegistry,
    private readonly merchandising: Merchandising,
  ) {}

  async navigate(call: ListCall<NavigatesParameters>): Promise<Record<string, unknown>> {
    const { category, multicategory, fields = [] } = call.parameters;
    const listing =
      category || multicategory
        ? await this.categoryListing(call, category ? [category] : (multicategory ?? []).map((one) => [one]))
        : await this.fieldListing(call.caller.store, fields);
    return this.searches.search({ ...call, listing });
  }

  async hotsite(call: ListCall<HotsitesParameters>): Promise<Record<string, unknown>> {
    const { store } = call.caller;
    const name = hotsiteKey(call.parameters.name);
    const hotsite = this.merchandising.of(store.id, 'hotsites').find((one) => hotsiteKey(one.name) === name);
    if (!hotsite) throw notListed(`There is no hotsite "${call.parameters.name}"`);
    const { title, description, sortRule = null, products, filter = [] } = hotsite;
    const { selections } = await parseFilters(store.id, filter, this.facets);
    const listing: Listing = {
      key: `hotsite:${name}`,
      match: { kind: 'all', ...(products?.length ? { products } : {}), within: planFilters(selections) },
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
    const asked = { store: caller.store, channels: parameters.salesChannel, until };
    const pages = await Promise.all(paths.map((path) => this.categories.find(path, asked)));
    const known = pages.filter((page): page is CategoryPage => page !== null);
    if (known.length === 0)
      throw notListed(`There is no category "${paths.map((path) => path.join(' > ')).join(', ')}"`);
    const keys = known.map(({ key }) => key);
    return {
      key: `category:${keys.join('|')}`,
      match: { kind: 'all', within: [{ kind: 'category', keys }] },
      scope: { categories: known, hotsite: null },
      extra: { name: known.map(({ name }) => name).join(', ') },
      mustFind: true,
    };
  }

  private async fieldListing(store: Store, fields: readonly string[]): Promise<Listing> {
    const selections = await this.selectionsOf(store, fields);
    const categories = selections.flatMap((one) => (one.kind === 'category' ? [{ key: one.key, ids: [] }] : []));
    return {
      key: `fields:${fields.join('|')}`,
      match: { kind: 'all', within: planFilters(selections) },
      scope: { categories, hotsite: null },
      extra: { name: fields.map((field) => field.slice(field.indexOf(':') + 1).trim()).join(', ') },
      mustFind: true,
    };
  }

  /** Throws 400 for an attribute that does not exist. */
  private async selectionsOf(store: Store, fields: readonly string[]): Promise<FacetSelection[]> {
    try {
      return (await parseFilters(store.id, [...fields], this.facets)).selections;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const details = [{ path: 'fields', message: error.message }];
      throw new ApiError('invalid_parameter', `fields: ${error.message}`, { details });
    }
  }
}
