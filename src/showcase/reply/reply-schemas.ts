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

/** Forged interactions belong to no campaign: of theirs all but the day is empty. */
const dimensions = { campaign: z.string(), product: z.string(), placement: z.string(), day: z.string() };

/** Money in units of the store's currency. */
const metricsRow = z.object({
  ...dimensions,
  /** One for each shopper in half an hour. */
  views: z.int(),
  /** Those that were billed. */
  clicks: z.int(),
  /** Clicks by view; 0 where there was no view. */
  ctr: z.number(),
  conversions: z.int(),
  /** Of the conversions, those that nobody with keys has confirmed. */
  unverified: z.int(),
  revenue: z.number(),
  unverifiedRevenue: z.number(),
  /** Without what was credited. */
  spend: z.number(),
  /** What clicks have cost that were found invalid later. */
  credited: z.number(),
  /** Everything, whatever its verdict. */
  gross: z.object({ views: z.int(), clicks: z.int() }),
  /** Clicks by verdict; `currency`: conversions in another one. */
  verdicts: z.record(z.string(), z.int()),
  /** Clicks found invalid, by what speaks against them. */
  invalid: z.record(z.string(), z.int()),
});
export type MetricsRow = z.infer<typeof metricsRow>;

export const metricsReply = z.object({
  /** Days of the store, both included. */
  from: z.string(),
  to: z.string(),
  rows: z.array(metricsRow),
  /** Views of whole widgets, which show several products. */
  widgets: z.array(z.object({ placement: z.string(), day: z.string(), views: z.int(), gross: z.int() })),
});
export type ShowcaseMetrics = z.infer<typeof metricsReply>;

const amounts = z.object({ count: z.int(), amount: z.number() });

/** Money in units of the store's currency. */
export const ledgerReport = z.object({
  /** Whether everything adds up. */
  consistent: z.boolean(),
  /** Interactions and orders that were added up. */
  entries: z.int(),
  sums: z.int(),
  /** Rollups that the entries do not add up to. */
  differences: z.array(z.object({ ...dimensions, measure: z.string(), ledger: amounts, metrics: amounts })),
  /** Campaigns whose clicks do not add up to what counts against their budgets. */
  spend: z.array(z.object({ campaign: z.string(), ledger: z.number(), account: z.number() })),
});
export type LedgerReport = z.infer<typeof ledgerReport>;
