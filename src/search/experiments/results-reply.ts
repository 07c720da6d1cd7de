import { z } from 'zod';

const interval = z.array(z.number()).length(2);
const difference = z.object({
  difference: z.number(),
  interval: interval.describe('95%, for results that are looked at once, at the end'),
  alwaysValid: interval.describe('95%, however often they are looked at'),
  pValue: z.number().describe('However often they are looked at'),
  isDifferent: z.boolean().describe('By the interval that is always valid'),
});
const metric = z.object({
  mean: z.number().describe('Of a shopper, on average'),
  toControl: difference
    .nullable()
    .describe('Null: of the control itself, or there are fewer than 30 shoppers in a group'),
});

/** What came of an experiment. */
export const resultsReply = z.object({
  name: z.string(),
  state: z.enum(['planned', 'running', 'ended']),
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  control: z.string().describe('The group that the others are compared with'),
  split: z.object({ chiSquare: z.number(), pValue: z.number(), isOff: z.boolean() }),
  shoppersLeftOut: z.int().describe('Seen in more than one group, or in one that is no more'),
  sample: z.number().describe('Of all shoppers, the share that is counted; 1 where the search log is no sample'),
  warnings: z.array(z.string()),
  groups: z.array(
    z.object({
      name: z.string(),
      share: z.number().describe('Of the shoppers in the experiment, that this group should have'),
      shoppers: z.int(),
      searches: z.int(),
      metrics: z.object({
        ctr: metric.describe("Share of a shopper's searches with a click"),
        addToCart: metric.describe('Share of the shoppers who put something into the cart'),
        conversion: metric.describe('Share of the shoppers who ordered'),
        revenue: metric.describe("Of a shopper, in the store's currency"),
      }),
      interleaving: z
        .object({
          won: z.int().describe("Searches in which more of the variant's picks were clicked"),
          lost: z.int().describe('Searches in which more picks of the template that serves were clicked'),
          tied: z.int(),
          shoppers: z.int().describe('Of whom any search was won or lost'),
          preference: difference
            .nullable()
            .describe('From -1, all prefer the template that serves, to 1; null: fewer than 30 shoppers say anything'),
        })
        .nullable()
        .describe('Null: the lists of this group are not interleaved'),
    }),
  ),
});
export type ResultsReply = z.output<typeof resultsReply>;
