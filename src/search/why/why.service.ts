import { Injectable } from '@nestjs/common';
import { planFilters } from '../facets/parse-filters';
import { type EngineHit, SearchEngine } from '../../engine/search-engine';
import { scoreDifferences } from '../../ranking/compare-scores';
import type { Explanation } from '../../ranking/score';
import type { CompiledTemplate } from '../../ranking/template/template-document';
import type { Store } from '../../stores/store';
import { DEEPEST_RESULT } from '../search-parameters';
import { type FoundProducts, ProductFinder } from '../product-finder';
import { Absence, type Looked } from './absence';
import type { Lift, Reason, Scored, WhyReply } from './why-reply';

export interface WhyRequest {
  query: string;
  productId: string;
  userId?: string | undefined;
  deviceId?: string | undefined;
  filter?: string[] | undefined;
  salesChannel?: string[] | undefined;
  source?: string | undefined;
  showOnlyAvailable?: boolean | undefined;
  resultsPerPage?: number | undefined;
}

/** Products looked through at once. */
const STEP = 1000;

/** Why a product ranks where it does, or is not there (contract 8). The search itself is asked, with what the shopper gets. */
@Injectable()
export class WhyService {
  constructor(
    private readonly finder: ProductFinder,
    private readonly engine: SearchEngine,
    private readonly absence: Absence,
  ) {}

  /** `candidate`: a template that ranks in place of the one that serves. */
  async why(store: Store, request: WhyRequest, candidate?: CompiledTemplate): Promise<WhyReply> {
    const { query: terms, productId, resultsPerPage, ...asked } = request;
    const found = await this.finder.find({
      store,
      ...(candidate ? { template: candidate } : { unseen: true }),
      parameters: { ...asked, terms, resultsPerPage, page: 1, sortBy: 'relevance', hide: ['filters'] },
    });
    const looked = this.looked(store, request, found);
    const { perPage, ranking, result } = found;
    const position = await this.position(found, productId);
    const known = {
      query: terms,
      productId,
      userId: request.userId ?? null,
      size: result.total,
      template: ranking.template.name,
      personalization: ranking.personalization,
    };
    if (!position) {
      const reasons = await this.absence.reasons(looked);
      const deep = { reason: 'too_deep' as const, message: `It is not among the first ${DEEPEST_RESULT}` };
      const none = { rank: null, page: null, product: null, next: null, firstPage: null };
      return { ...known, ...none, reasons: reasons.length > 0 ? reasons : [deep] };
    }
    const { rank } = position;
    const page = Math.ceil(rank / perPage);
    const product = await this.scored(found, rank);
    return {
      ...known,
      rank,
      page,
      reasons: [standing(rank, page, perPage), ...(await this.absence.remarks(looked, position.hit))],
      product: product.scored,
      next: rank === 1 ? null : liftOver(product, await this.scored(found, rank - 1)),
      firstPage: page === 1 ? null : liftOver(product, await this.scored(found, perPage)),
    };
  }

  private looked(store: Store, { productId, filter = [] }: WhyRequest, found: FoundProducts): Looked {
    const { plan, ranking, selections, ignored } = found;
    const taken = filter.filter((text) => !ignored.includes(text));
    // Those of one kind are alternatives, so they are one filter of the plan.
    const filters = planFilters(selections).map((one) => {
      const texts = taken.filter((_, index) => selections[index]?.kind === one.kind);
      return { plan: one, text: texts.join(' or ') };
    });
    return { store, productId, plan, template: ranking.template, filters };
  }

  /** Ranks begin at 1. Undefined: it is not found, or further down than anybody can look. */
  private async position(
    { plan, ranking, result }: FoundProducts,
    productId: string,
  ): Promise<{ rank: number; hit: EngineHit } | undefined> {
    const { template, boosts } = ranking;
    for (let from = 0; from < Math.min(result.total, DEEPEST_RESULT); from += STEP) {
      const step = { ...plan, from, size: STEP };
      const { hits } = await this.engine.search({ plan: step, template, boosts, explain: false });
      const index = hits.findIndex((hit) => hit.productId === productId);
      const hit = hits[index];
      if (hit) return { rank: from + index + 1, hit };
    }
    return undefined;
  }

  private async scored({ plan, ranking }: FoundProducts, rank: number): Promise<Explained> {
    const { template, boosts } = ranking;
    const one = { ...plan, from: rank - 1, size: 1 };
    const { hits } = await this.engine.search({ plan: one, template, boosts, explain: true });
    const [{ productId: id = '', tier = null, explanation = nothing } = {}] = hits;
    const { score, text } = explanation;
    return { explanation, scored: { id, rank, tier, score, text, boosts: explanation.boosts as Scored['boosts'] } };
  }
}

interface Explained {
  scored: Scored;
  explanation: Explanation;
}

/** Of a product that went between two searches. */
const nothing: Explanation = { score: 0, text: 0, boosts: [] };

function standing(rank: number, page: number, perPage: number): Reason {
  if (page === 1) return { reason: 'shown', message: `It is number ${rank}` };
  return { reason: 'below_page', message: `It is number ${rank}, on page ${page}; a page has ${perPage} products` };
}

function liftOver(own: Explained, above: Explained): Lift {
  const needed = own.scored.tier === above.scored.tier && own.scored.score > 0;
  return {
    above: above.scored,
    needed: needed ? above.scored.score / own.scored.score : null,
    differences: scoreDifferences(own.explanation, above.explanation),
  };
}
