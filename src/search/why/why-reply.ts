import { z } from 'zod';

/** Why a product stands where it does, or is not there; several may hold at once. */
export const whyReasons = [
  /** It is on the page. */
  'shown',
  'below_page',
  /** Further down than ranks are counted. */
  'too_deep',
  /** The store never sent it. */
  'unknown_product',
  'removed',
  /** It lacks a field that searches need. */
  'incomplete',
  'not_in_channel',
  'not_indexed',
  /** Searches find an older version of it. */
  'outdated',
  'unavailable',
  'filtered',
  'hidden_by_rule',
  'word_not_matched',
] as const;
export type WhyReason = (typeof whyReasons)[number];

const reason = z.object({
  reason: z.enum(whyReasons),
  message: z.string(),
  filters: z.array(z.string()).optional(),
  words: z.array(z.string()).optional(),
  channels: z.array(z.string()).optional(),
});
export type Reason = z.output<typeof reason>;

const boosts = z.array(z.looseObject({ name: z.string(), factor: z.number() }));
const scored = z.object({
  id: z.string(),
  rank: z.int(),
  tier: z.string().nullable(),
  score: z.number(),
  text: z.number(),
  boosts,
});
export type Scored = z.output<typeof scored>;

const difference = z.object({
  name: z.string(),
  own: z.number(),
  above: z.number(),
  ratio: z.number().describe('What this part of the score would have to be multiplied by'),
  parts: z.array(z.object({ name: z.string(), own: z.number(), above: z.number() })).optional(),
});

const lift = z.object({
  above: scored,
  needed: z
    .number()
    .nullable()
    .describe('What the score would have to be multiplied by; null: the other one is in a higher tier'),
  differences: z.array(difference),
});
export type Lift = z.output<typeof lift>;

export const whyReply = z.object({
  query: z.string(),
  productId: z.string(),
  userId: z.string().nullable(),
  size: z.int().describe('Products found'),
  rank: z.int().nullable(),
  page: z.int().nullable(),
  reasons: z.array(reason).min(1),
  product: scored.nullable(),
  next: lift.nullable().describe('The nearest product above it'),
  firstPage: lift.nullable().describe('The last product of the first page, where it is below it'),
  template: z.string(),
  personalization: z.looseObject({ applied: z.boolean() }),
});
export type WhyReply = z.output<typeof whyReply>;
