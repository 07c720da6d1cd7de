import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { CompiledTemplate } from '../../ranking/template/template-document';
import type { Store } from '../../stores/store';
import type { EngineHit } from '../../engine/search-engine';
import { ProductFinder } from '../product-finder';

const text = z.string().min(1).max(256);
const MOST_SHOPPERS = 20;
/** Moves are told of products that are among so many of either order. */
const COMPARED = 200;

/** What is searched, and for whom; beside these, always for nobody. */
export const previewBody = z.strictObject({
  terms: z.string().min(1).max(512),
  users: z.array(text).max(MOST_SHOPPERS).default([]),
  limit: z.int().min(1).max(100).default(24),
  version: z.int().min(0).optional(),
  filter: z.array(z.string().max(1024)).max(100).optional(),
  salesChannel: z.array(text).min(1).max(20).optional(),
  source: text.optional(),
});
export type PreviewBody = z.output<typeof previewBody>;

const boosts = z.array(z.looseObject({ name: z.string(), factor: z.number() }));
const ranked = z.object({
  rank: z.int(),
  id: z.string(),
  score: z.number(),
  text: z.number(),
  tier: z.string().nullable(),
  boosts,
});
export const previewReply = z.object({
  terms: z.string(),
  template: z.object({ current: z.string(), candidate: z.string() }),
  size: z.int(),
  shoppers: z.array(
    z.object({
      userId: z.string().nullable(),
      personalization: z.object({ current: z.looseObject({}), candidate: z.looseObject({}) }),
      current: z.array(ranked),
      candidate: z.array(ranked.extend({ move: z.int().nullable().describe('Places gained; null: from far below') })),
      left: z.array(z.string()).describe('Those of the current order that are not among the candidates any more'),
    }),
  ),
});
export type PreviewReply = z.output<typeof previewReply>;
type Ranked = z.output<typeof ranked>;

/** The same search with the template that serves and with a candidate: through the search itself, so that it is what shoppers will see. */
@Injectable()
export class TemplatePreview {
  constructor(private readonly finder: ProductFinder) {}

  async of(store: Store, candidate: CompiledTemplate, request: PreviewBody): Promise<PreviewReply> {
    const shoppers: PreviewReply['shoppers'] = [];
    const names = { current: '', candidate: '' };
    let size = 0;
    for (const userId of [null, ...new Set(request.users)]) {
      const before = await this.find(store, null, { request, userId });
      const after = await this.find(store, candidate, { request, userId });
      // What serves for nobody in particular: a shopper may be in an experiment.
      if (userId === null) [names.current, names.candidate, size] = [before.template, after.template, after.size];
      const rankBefore = new Map(before.order.map((id, index) => [id, index + 1]));
      const shown = new Set(after.products.map(({ id }) => id));
      const moved = after.products.map((product) => {
        const rank = rankBefore.get(product.id);
        return { ...product, move: rank === undefined ? null : rank - product.rank };
      });
      shoppers.push({
        userId,
        personalization: { current: before.personalization, candidate: after.personalization },
        current: before.products,
        candidate: moved,
        left: before.products.map(({ id }) => id).filter((id) => !shown.has(id)),
      });
    }
    return { terms: request.terms, template: names, size, shoppers };
  }

  private async find(
    store: Store,
    candidate: CompiledTemplate | null,
    { request, userId }: { request: PreviewBody; userId: string | null },
  ) {
    const { terms, limit, filter, salesChannel, source } = request;
    const how = candidate ? { template: candidate } : { unseen: true };
    const parameters = {
      terms,
      filter,
      salesChannel,
      source,
      page: 1,
      sortBy: 'relevance' as const,
      hide: ['filters' as const],
      ...(userId === null ? {} : { userId }),
    };
    const shown = { ...parameters, resultsPerPage: limit, explain: true };
    const { result, ranking } = await this.finder.find({ store, ...how, parameters: shown });
    // Ranks alone, of more products: without explanations they cost little.
    const whole = await this.finder.find({
      store,
      ...how,
      parameters: { ...parameters, resultsPerPage: COMPARED },
    });
    return {
      template: ranking.template.name,
      personalization: ranking.personalization,
      size: result.total,
      products: result.hits.map(rankedProduct),
      order: whole.result.hits.map(({ productId }) => productId),
    };
  }
}

function rankedProduct({ productId, score, tier, explanation }: EngineHit, index: number): Ranked {
  return {
    rank: index + 1,
    id: productId,
    score: explanation?.score ?? score,
    text: explanation?.text ?? 1,
    tier,
    boosts: (explanation?.boosts ?? []) as Ranked['boosts'],
  };
}
