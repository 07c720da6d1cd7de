import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { OrderState } from '../../order-state';
import { afterStep, type FindClick, type OrderStep, type Sale } from '../../orders';
import type { InteractionDocument } from './interaction-index';
import { clicksRequest } from './ledger-requests';
import type { LedgerIndices } from './showcase-index';

/** Milliseconds that a search for clicks may take. */
const PATIENCE = 5000;
/** Clicks that one search answers at most. */
const PAGE = 1000;

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
async function clicksOf(indices: LedgerIndices, sale: Sale): Promise<FindClick> {
  await indices.interactions.refresh();
  const products = [...new Set(sale.lines.map(({ product }) => product))];
  const clicks = await newestClicks(indices, sale, { products, size: PAGE });
  const found = new Map<string, InteractionDocument>();
  for (const click of clicks) if (!found.has(click.product)) found.set(click.product, click);
  if (clicks.length === PAGE) {
    // Older ones may be behind what was answered.
    for (const product of products.filter((one) => !found.has(one))) {
      const [click] = await newestClicks(indices, sale, { products: [product], size: 1 });
      if (click) found.set(product, click);
    }
  }
  return (product) => {
    const { shopper, campaign, placement } = found.get(product) ?? {};
    if (!shopper || campaign === undefined || placement === undefined) return null;
    return { shopper: shopper as ShopperKey, click: { campaign, placement } };
  };
}

async function newestClicks(
  { connection, interactions }: LedgerIndices,
  sale: Sale,
  which: { products: readonly string[]; size: number },
): Promise<InteractionDocument[]> {
  const { hits } = await connection.search<InteractionDocument>(
    clicksRequest(interactions.pattern, sale, which),
    PATIENCE,
  );
  return hits.hits.flatMap(({ _source }) => _source ?? []);
}
