import type { ShopperKey } from '../../../../behaviour/shopper';
import type { SqlRow } from '../../../../storage/sqlite';
import type { ClickVerdict, Measure, StoredHit } from '../../click-ledger';

/** `seq, store, type, verdict, campaign, product, placement, at, day, shopper, cost`. */
export function hitOf([
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
]: SqlRow): StoredHit {
  return {
    store: String(store),
    type: type as StoredHit['type'],
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
export function measureOf([campaign, product, placement, day, measure, count, micros]: SqlRow): Measure {
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
