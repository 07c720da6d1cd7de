import { z } from 'zod';
import { LEFT_OUT } from './chosen-searches';

/** What a replay found (docs/templates.md). */

const both = { current: z.number(), candidate: z.number() };
export const compared = z.object({
  ...both,
  difference: z.number(),
  interval: z
    .object({ low: z.number(), high: z.number() })
    .nullable()
    .describe('Of the difference, 95%, by shopper; null: of fewer than two shoppers'),
});

export const replayReport = z.object({
  template: z.object({ name: z.string(), version: z.int() }),
  against: z.object({ name: z.string(), version: z.int() }).describe('What served when it was replayed'),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  at: z.iso.datetime(),
  searches: z.object({
    used: z.int(),
    shoppers: z.int(),
    personal: z.int().describe('Ranked with what was known of the shopper by then'),
    left: z.object(Object.fromEntries(LEFT_OUT.map((reason) => [reason, z.int()])) as Record<string, z.ZodInt>),
  }),
  ndcg: compared.describe('nDCG@10'),
  mrr: compared,
  loss: z.number().describe('The share of nDCG@10 that the template loses; below 0: it gains'),
  overlap: z.number().describe('Mean rank-biased overlap of the first ten; 1: nothing moves'),
  changed: z.int().describe('Searches of which the first ten change'),
  coverage: z
    .object({ current: z.int(), candidate: z.int() })
    .describe('Products that were among the first ten of any search'),
  price: z
    .object({ current: z.number().nullable(), candidate: z.number().nullable() })
    .describe('Mean of the first ten'),
  brands: z.array(z.object({ brand: z.string(), ...both })).describe('Those whose share of the first ten changes most'),
  queries: z
    .array(z.object({ query: z.string(), searches: z.int(), overlap: z.number(), difference: z.number() }))
    .describe('Those that change most, of queries by at least three shoppers; `difference`: of nDCG@10'),
});
export type ReplayReport = z.output<typeof replayReport>;
