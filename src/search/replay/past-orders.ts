import { Injectable } from '@nestjs/common';
import type { PastMoment } from '../../behaviour/profiles/past-profiles';
import type { CompiledTemplate } from '../../ranking/template/template-document';
import type { Store } from '../../stores/store';
import type { JoinedSearch } from '../log/logged-search';
import { ProductFinder } from '../product-finder';
import type { SearchParameters } from '../search-parameters';

/** Below that, what people did counts as not found. */
const DEPTH = 100;

export type AskedSearch = Pick<JoinedSearch, 'query' | 'filters' | 'source' | 'salesChannel'>;

export interface PastOrder {
  products: string[];
  isPersonal: boolean;
}

/** A logged search as it is sent, its first hundred products. */
export const askedAgain = ({ query, filters, source, salesChannel }: AskedSearch): SearchParameters => ({
  terms: query === '' ? undefined : query,
  filter: filters,
  source: source === '' ? undefined : source,
  salesChannel: salesChannel === null ? undefined : [salesChannel],
  page: 1,
  resultsPerPage: DEPTH,
  sortBy: 'relevance',
  hide: ['filters'],
});

/** A search of the log once more, with any template: through the search itself, with today's products and the shopper of then. */
@Injectable()
export class PastOrders {
  constructor(private readonly finder: ProductFinder) {}

  async of(
    store: Store,
    search: AskedSearch,
    { template, moment }: { template: CompiledTemplate; moment: PastMoment },
  ): Promise<PastOrder> {
    const { result, ranking } = await this.finder.find({ store, template, moment, parameters: askedAgain(search) });
    return {
      products: result.hits.map(({ productId }) => productId),
      isPersonal: ranking.personalization.applied,
    };
  }
}
