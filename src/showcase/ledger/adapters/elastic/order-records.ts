import type { ElasticConnection } from '../../../../storage/elastic/elastic-connection';
import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import { afterStep, type FindClick, type OrderState, type OrderStep } from '../../orders';
import type { InteractionDocument, InteractionIndex } from './interaction-index';
import { lastClickRequest } from './ledger-requests';
import type { ShowcaseIndex } from './showcase-index';

/** Milliseconds that a search for clicks may take. */
const PATIENCE = 5000;

type Sale = Extract<OrderStep, { kind: 'sale' }>;

/** Orders, each one document: a step happens whole or not at all. */
export class OrderRecords {
  constructor(
    private readonly connection: ElasticConnection,
    private readonly interactions: InteractionIndex,
    private readonly index: ShowcaseIndex,
  ) {}

  async take(step: OrderStep): Promise<OrderState | null> {
    const find = step.kind === 'sale' ? await this.clicksOf(step) : (): null => null;
    return this.index.change({ kind: 'order', store: step.store, name: step.order }, (found) => {
      const before = found ? (JSON.parse(found.body) as OrderState) : null;
      const after = afterStep(before, step, find);
      if (after === before || after === null) return { write: null, result: after };
      const { day, shopper } = after;
      return { write: { day, shopper, body: JSON.stringify(after) }, result: after };
    });
  }

  /** Clicks are made visible to searches before: orders are few, so that this costs little. */
  private async clicksOf({ store, shoppers, clickedSince: since, lines }: Sale): Promise<FindClick> {
    await this.interactions.refresh();
    const products = [...new Set(lines.map(({ product }) => product))];
    const found = await Promise.all(
      products.map(async (product): Promise<[string, ReturnType<FindClick>]> => {
        const request = lastClickRequest(this.interactions.pattern, { store, product, shoppers, since });
        const { hits } = await this.connection.call(
          (client, options) => client.search<InteractionDocument>(request, options),
          PATIENCE,
        );
        const click = hits.hits[0]?._source;
        if (!click?.shopper) return [product, null];
        const { campaign, placement, shopper } = click;
        return [product, { shopper: shopper as ShopperKey, click: { campaign, placement } }];
      }),
    );
    const clicks = new Map(found);
    return (product) => clicks.get(product) ?? null;
  }
}
