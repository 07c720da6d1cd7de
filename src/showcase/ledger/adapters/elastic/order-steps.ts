import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { OrderState } from '../../order-state';
import { afterStep, type FindClick, type OrderStep, type Sale } from '../../orders';
import type { InteractionDocument } from './interaction-index';
import { lastClickRequest } from './ledger-requests';
import type { LedgerIndices } from './showcase-index';

/** Milliseconds that a search for clicks may take. */
const PATIENCE = 5000;

/** An order is one document: a step happens whole or not at all. */
export async function takeStep(indices: LedgerIndices, step: OrderStep): Promise<OrderState | null> {
  const find = step.kind === 'sale' ? await clicksOf(indices, step) : (): null => null;
  return indices.named.change({ kind: 'order', store: step.store, name: step.order }, (found) => {
    const before = found ? (JSON.parse(found.body) as OrderState) : null;
    const after = afterStep(before, step, find);
    if (after === before || after === null) return { write: null, result: after };
    const { day, shopper } = after;
    return { write: { day, shopper, body: JSON.stringify(after) }, result: after };
  });
}

/** Clicks are made visible to searches before: orders are few, so that this costs little. */
async function clicksOf({ connection, interactions }: LedgerIndices, sale: Sale): Promise<FindClick> {
  await interactions.refresh();
  const products = [...new Set(sale.lines.map(({ product }) => product))];
  const found = await Promise.all(
    products.map(async (product): Promise<[string, ReturnType<FindClick>]> => {
      const request = lastClickRequest(interactions.pattern, sale, product);
      const { hits } = await connection.search<InteractionDocument>(request, PATIENCE);
      const click = hits.hits[0]?._source;
      if (!click?.shopper) return [product, null];
      const { campaign, placement, shopper } = click;
      return [product, { shopper: shopper as ShopperKey, click: { campaign, placement } }];
    }),
  );
  const clicks = new Map(found);
  return (product) => clicks.get(product) ?? null;
}
