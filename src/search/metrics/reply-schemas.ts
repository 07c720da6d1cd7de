import { z } from 'zod';

const followed = {
  /** Products of a search that were clicked, each once. */
  clicks: z.int(),
  /** Clicks by search; 0 where there was none. */
  ctr: z.number(),
  carts: z.int(),
  /** Orders with a product of a search. */
  orders: z.int(),
  /** What was paid for those products, in the store's currency. */
  revenue: z.number(),
};

const counts = {
  /** With words, page 1, not by a bot. */
  searches: z.int(),
  noResults: z.int(),
  noResultRate: z.number(),
  ...followed,
  /** Of these searches, those that the log has: fewer where it holds a sample, by which all of the above is estimated. */
  logged: z.int(),
};

const termRow = z.object({ query: z.string(), ...counts });
export type TermRow = z.infer<typeof termRow>;

const dayRow = z.object({ day: z.string(), ...counts });
export type DayRow = z.infer<typeof dayRow>;

export const searchMetricsReply = z.object({
  /** Days of the store, both included. */
  from: z.string(),
  to: z.string(),
  ...counts,
  /** Whether the log holds a sample of these days, so that what is counted is an estimate. */
  sampled: z.boolean(),
  topTerms: z.array(termRow),
  noResultTerms: z.array(z.object({ query: z.string(), searches: z.int() })),
  days: z.array(dayRow),
});
export type SearchMetrics = z.infer<typeof searchMetricsReply>;
