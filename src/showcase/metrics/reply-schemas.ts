import { z } from 'zod';

/* What the routes of metrics and the check of the ledger answer: the types, and the OpenAPI document. */

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
