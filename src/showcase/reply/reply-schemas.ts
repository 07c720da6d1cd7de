import { z } from 'zod';
import { storedCampaign } from '../campaigns/campaign';

/* What the routes of the showcase answer: the types, and the OpenAPI document. */

/** An amount as the showcase writes it (contract section 7). */
const money = z.object({
  /** As people of the store's locale write it. */
  formattedValue: z.string(),
  /** With exactly the currency's decimals: `"1234.56"`, of yen `"1234"`. */
  value: z.string(),
  integerPart: z.int(),
  /** 5 for .05. */
  decimalPart: z.int(),
  currencySymbol: z.string(),
  currencyCode: z.string(),
  thousandSeparator: z.string(),
  decimalSeparator: z.string(),
});
export type Money = z.infer<typeof money>;

const flag = z.enum(['0', '1']);

/** One card (contract section 7). */
const item = z.object({
  link: z.string(),
  px: z.string(),
  installment: z.object({ months: z.int(), amount: money }),
  hasSuperAds: flag,
  hasRetarget: flag,
  /** Before a discount. */
  price: money,
  salePrice: money,
  imageLink: z.string(),
  customFields: z.record(z.string(), z.unknown()),
  discount: z.object({ value: z.string(), symbol: z.string(), formattedValue: z.string() }),
  title: z.string(),
  description: z.string(),
  categories: z.array(z.string()),
  brand: z.string(),
  id: z.string(),
  seller: z.string(),
});
export type ShowcaseItem = z.infer<typeof item>;

export const showcaseReply = z.object({
  v: z.literal(2),
  data: z.array(z.object({ widget: z.string(), px: z.string(), data: z.array(item) })),
});
export type ShowcaseReply = z.infer<typeof showcaseReply>;

export const clickReply = z.object({ counted: z.boolean() });

/** A campaign with what it has spent, in units of the store's currency. */
export const campaignView = storedCampaign.extend({ spent: z.object({ total: z.number(), today: z.number() }) });
export type CampaignView = z.infer<typeof campaignView>;
