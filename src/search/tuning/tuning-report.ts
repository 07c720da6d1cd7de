import { z } from 'zod';
import { LEFT_OUT } from '../replay/chosen-searches';
import { compared } from '../replay/replay-report';
import { whichTemplate } from '../templates/template-replies';

/** What tuning found (docs/templates.md). */

export const OBJECTIVES = ['ndcg', 'revenue'] as const;
export type Objective = (typeof OBJECTIVES)[number];

const change = { path: z.string(), from: z.number(), to: z.number() };
const part = {
  searches: z.int(),
  shoppers: z.int(),
  from: z.iso.datetime(),
  to: z.iso.datetime().describe('Exclusive'),
};

export const tuningReport = z.object({
  objective: z.enum(OBJECTIVES),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  at: z.iso.datetime(),
  start: whichTemplate.describe('What served when tuning was asked for: where the search began'),
  template: whichTemplate.nullable().describe('The candidate, which does not serve; null: nothing better was found'),
  verdict: z
    .enum(['better', 'no_difference', 'worse', 'nothing_found', 'too_few_searches'])
    .describe('By the test: whether the interval of the difference is above 0, holds it, or is below'),
  seed: z.int(),
  trials: z.object({ made: z.int(), resumed: z.int().describe('Made before the job was taken up again') }),
  searched: z.array(z.object({ path: z.string(), low: z.number(), high: z.number() })),
  changes: z.array(z.object(change)),
  train: z
    .object({ ...part, score: compared })
    .nullable()
    .describe('What the search saw'),
  validation: z
    .object({ groups: z.int(), score: compared })
    .nullable()
    .describe('The same searches, each shopper with what was found without them; null: of too few shoppers'),
  test: z
    .object({ ...part, personal: z.int(), score: compared })
    .nullable()
    .describe('The last part of the time, which the search never saw'),
  left: z.object(Object.fromEntries(LEFT_OUT.map((reason) => [reason, z.int()])) as Record<string, z.ZodInt>),
});
export type TuningReport = z.output<typeof tuningReport>;
