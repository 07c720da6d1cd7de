import { LONGEST_WORD, tokenise } from '../../engine/analysis/tokens';
import type { StoreSettings } from '../../stores/store-settings';
import { channelsOf, type ChannelView, viewIn } from '../product/channel-view';
import type { Sent } from '../product/product';
import { numberOf, objectsOf, objectOf, textOf } from '../product/sent-values';
import { problems as missingIn, toProduct } from '../product/to-product';
import type { CatalogRecord } from '../records/catalog-records';

/**
 * Of a product in the default sales channel. `findable`: searches find it, and it can be bought. `unavailable`: they find it, and it can't.
 * `incomplete`: it lacks what a searchable product needs. `elsewhere`: it is in other sales channels alone.
 */
export const productStates = ['findable', 'unavailable', 'incomplete', 'elsewhere', 'removed'] as const;
export type ProductState = (typeof productStates)[number];

export const catalogProblems = [
  'no_name',
  'no_url',
  'no_price',
  'no_image',
  'no_category',
  'no_status',
  'channel_without_price',
  'unmatchable_name',
  'duplicate_ean',
  'price_fell',
  'price_rose',
] as const;
export type CatalogProblem = (typeof catalogProblems)[number];

/** A product that has a problem, with what shows it. */
export interface Sample {
  id: string;
  name?: string;
  channel?: string;
  ean?: string;
  price?: number;
  before?: number;
}

/** What one record tells by itself. */
export interface Findings {
  state: ProductState;
  name: string | null;
  /** In the default sales channel. */
  price: number | null;
  eans: string[];
  problems: { problem: CatalogProblem; channel?: string }[];
}

/** By what src/catalog/product/to-product.ts says of a field. */
const MISSING: Readonly<Record<string, CatalogProblem>> = {
  'name is missing': 'no_name',
  'url is missing': 'no_url',
  'price is missing': 'no_price',
  'images.default is missing': 'no_image',
  'categories is missing': 'no_category',
  'status is missing': 'no_status',
};
/** A price that is so many times the one of the day before is a mistake more often than not. */
const JUMP = 10;

export function findingsOf(record: CatalogRecord, { defaultSalesChannel }: StoreSettings): Findings {
  const channels = channelsOf(record);
  const own = viewIn(record, defaultSalesChannel);
  const others = channels.filter((channel) => isIn(record, channel));
  const shown = own && !own.removed ? own : others[0] === undefined ? null : viewIn(record, others[0]);
  if (!shown) return { state: 'removed', name: null, price: null, eans: [], problems: [] };
  const isHere = shown === own;
  const name = textOf(shown.sent['name']);
  const problems: Findings['problems'] = [];
  if (isHere) problems.push(...missing(record, defaultSalesChannel));
  if (isHere && (numberOf(shown.sent['price']) ?? 1) <= 0) problems.push({ problem: 'no_price' });
  for (const channel of others.filter((one) => one !== defaultSalesChannel)) {
    if ((numberOf(viewIn(record, channel)?.sent['price']) ?? 0) <= 0) {
      problems.push({ problem: 'channel_without_price', channel });
      break;
    }
  }
  if (name !== null && !isMatchable(name)) problems.push({ problem: 'unmatchable_name' });
  const price = isHere ? numberOf(shown.sent['price']) : null;
  return { state: stateOf(record, isHere ? defaultSalesChannel : null), name, price, eans: eansOf(shown), problems };
}

function isIn(record: CatalogRecord, channel: string): boolean {
  const view = viewIn(record, channel);
  return view !== null && !view.removed;
}

/** `channel` null: it is in others alone. */
function stateOf(record: CatalogRecord, channel: string | null): ProductState {
  if (channel === null) return 'elsewhere';
  const product = toProduct(record, channel);
  if (!product) return 'incomplete';
  return product.available ? 'findable' : 'unavailable';
}

const missing = (record: CatalogRecord, channel: string): Findings['problems'] =>
  missingIn(record, channel).flatMap((said) => {
    const problem = MISSING[said];
    return problem === undefined ? [] : [{ problem }];
  });

/** Whether something of the name is a word that a shopper can type; longer ones are cut in the index. */
function isMatchable(name: string): boolean {
  const { words } = tokenise(name);
  return words.some((word) => word.length < LONGEST_WORD);
}

function eansOf({ sent }: ChannelView): string[] {
  const ofSku = (sku: Sent): unknown => objectOf(sku['properties'])?.['eanCode'] ?? sku['eanCode'];
  const eans = [sent['eanCode'], ...objectsOf(sent['skus']).map(ofSku)].map(textOf);
  return [...new Set(eans.filter((ean) => ean !== null))];
}

/** Whether a price is ten times the one of the day before, or a tenth of it. */
export function priceJump(price: number, before: number): 'price_fell' | 'price_rose' | null {
  if (price <= 0 || before <= 0) return null;
  if (price * JUMP <= before) return 'price_fell';
  return price >= before * JUMP ? 'price_rose' : null;
}
