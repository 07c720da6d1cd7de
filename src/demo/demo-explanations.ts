import { Injectable } from '@nestjs/common';
import type { Explanation } from '../ranking/score';
import { ProductFinder } from '../search/product-finder';
import type { SearchParameters } from '../search/search-parameters';
import type { Store } from '../stores/store';

/** A search's products in their order, each with what its score is made of (docs/ranking.md). */
export interface ExplainedSearch {
  size: number;
  template: string;
  personalization: { applied: boolean; profile: string };
  products: ExplainedProduct[];
}

interface ExplainedProduct extends Explanation {
  id: string;
  /** From 1, over all pages. */
  rank: number;
  /** What of the query it has; null where there was none. */
  tier: string | null;
}

/** Why products of the demo shop rank where they do, asked of the search itself. */
@Injectable()
export class DemoExplanations {
  constructor(private readonly finder: ProductFinder) {}

  async of(store: Store, parameters: SearchParameters, until: number): Promise<ExplainedSearch> {
    const { result, ranking, perPage } = await this.finder.find({
      store,
      parameters: { ...parameters, explain: true, hide: ['filters'] },
      until,
      unseen: true,
    });
    const first = (parameters.page - 1) * perPage + 1;
    const { applied, profile } = ranking.personalization;
    return {
      size: result.total,
      template: ranking.template.name,
      personalization: { applied, profile },
      products: result.hits.map(({ productId, tier, explanation }, index) => ({
        id: productId,
        rank: first + index,
        tier,
        ...(explanation ?? { score: 0, text: 0, boosts: [] }),
      })),
    };
  }
}
