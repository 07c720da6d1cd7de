import { z } from 'zod';
import { PLACEMENTS } from '../campaigns/campaign';

/** What the routes of the showcase answer, for the OpenAPI document. */

const money = z.object({
  formattedValue: z.string(),
  value: z.string(),
  integerPart: z.int(),
  decimalPart: z.int(),
  currencySymbol: z.string(),
  currencyCode: z.string(),
  thousandSeparator: z.string(),
  decimalSeparator: z.string(),
});

const flag = z.enum(['0', '1']);

const item = z.object({
  link: z.string(),
  px: z.string(),
  installment: z.object({ months: z.int(), amount: money }),
  hasSuperAds: flag,
  hasRetarget: flag,
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

export const showcaseReply = z.object({
  v: z.literal(2),
  data: z.array(z.object({ widget: z.string(), px: z.string(), data: z.array(item) })),
});

export const clickReply = z.object({ counted: z.boolean() });

export const campaignView = z.object({
  id: z.string(),
  name: z.string(),
  products: z.array(z.string()),
  filter: z.array(z.string()).optional(),
  placements: z.array(z.enum(PLACEMENTS)),
  budget: z.number(),
  dailyBudget: z.number().optional(),
  bid: z.number(),
  startsAt: z.iso.datetime().optional(),
  endsAt: z.iso.datetime().optional(),
  status: z.enum(['active', 'paused']),
  salesChannels: z.array(z.string()).optional(),
  superAds: z.boolean().optional(),
  spent: z.object({ total: z.number(), today: z.number() }),
});

const place = { campaign: z.string(), product: z.string(), placement: z.string(), day: z.string() };

const metricsRow = z.object({
  ...place,
  views: z.int(),
  clicks: z.int(),
  ctr: z.number(),
  conversions: z.int(),
  unverified: z.int(),
  revenue: z.number(),
  unverifiedRevenue: z.number(),
  spend: z.number(),
  gross: z.object({ views: z.int(), clicks: z.int() }),
  verdicts: z.record(z.string(), z.int()),
});

export const metricsReply = z.object({
  from: z.string(),
  to: z.string(),
  rows: z.array(metricsRow),
  widgets: z.array(z.object({ placement: z.string(), day: z.string(), views: z.int(), gross: z.int() })),
});

const amounts = z.object({ count: z.int(), amount: z.number() });

export const ledgerReport = z.object({
  consistent: z.boolean(),
  entries: z.int(),
  rollups: z.int(),
  differences: z.array(z.object({ ...place, measure: z.string(), ledger: amounts, metrics: amounts })),
  spend: z.array(z.object({ campaign: z.string(), ledger: z.number(), account: z.number() })),
});
