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

/** Clicks are made visible to searches before: orders are few, so that this costs little. All products are looked for in one search. */
async function clicksOf(indices: LedgerIndices, sale: Sale): Promise<FindClick> {
  await indices.interactions.refresh();
  const found = new Map<string, InteractionDocument>();
  for (let open = [...new Set(sale.lines.map(({ product }) => product))]; open.length > 0;) {
    const clicks = await newestClicks(indices, sale, open);
    for (const click of clicks) if (!found.has(click.product)) found.set(click.product, click);
    // Older ones may be behind what was answered: without what was found, they come to the front.
    open = clicks.length < PAGE ? [] : open.filter((product) => !found.has(product));
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
  products: readonly string[],
): Promise<InteractionDocument[]> {
  const request = clicksRequest(interactions.pattern, sale, { products, size: PAGE });
  const { hits } = await connection.search<InteractionDocument>(request, PATIENCE);
  return hits.hits.flatMap(({ _source }) => _source ?? []);
}
