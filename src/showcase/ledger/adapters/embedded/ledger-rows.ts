import type { ShopperKey } from '../../../../behaviour/shoppers/shopper';
import type { SqlRow } from '../../../../storage/sqlite/sqlite';
import type { ClickVerdict, StoredInteraction } from '../../click-ledger';
import type { Rollup } from '../../rollup';

/** `seq, store, type, verdict, campaign, product, placement, at, day, shopper, cost`. */
export function interactionOf([
  ,
  store,
  type,
  verdict,
  campaign,
  product,
  placement,
  at,
  day,
  shopper,
  cost,
]: SqlRow): StoredInteraction {
  return {
    store: String(store),
    type: type as StoredInteraction['type'],
    verdict: verdict as ClickVerdict,
    campaign: String(campaign),
    product: String(product),
    placement: String(placement),
    at: Number(at),
    day: String(day),
    shopper: shopper === null ? null : (String(shopper) as ShopperKey),
    cost: Number(cost),
  };
}

/** `campaign, product, placement, day, measure, count, micros`. */
export function rollupOf([campaign, product, placement, day, measure, count, micros]: SqlRow): Rollup {
  return {
    campaign: String(campaign),
    product: String(product),
    placement: String(placement),
    day: String(day),
    measure: String(measure),
    count: Number(count),
    micros: Number(micros),
  };
}
