import { z } from 'zod';
import { idField, timeField } from '../../http/fields';
import type { Charge } from '../ledger/click-ledger';
import { isWholeMicros, MOST_UNITS, toMicros } from '../../shared/micros';

export const PLACEMENTS = ['home', 'category', 'product', 'search'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** What an advertiser pays for. Amounts in units of the store's currency, times in ISO 8601. */
export const storedCampaign = z.object({
  id: z.string(),
  name: z.string(),
  /** Ids of products; beside what `filter` finds. */
  products: z.array(z.string()),
  /** As a search takes it: `brand:acme`, `category:shoes/running`, `price:50..100`. */
  filter: z.array(z.string()).optional(),
  placements: z.array(z.enum(PLACEMENTS)),
  /** In all. */
  budget: z.number(),
  /** A day of the store's. */
  dailyBudget: z.number().optional(),
  /** Per click. */
  bid: z.number(),
  startsAt: z.iso.datetime().optional(),
  endsAt: z.iso.datetime().optional(),
  status: z.enum(['active', 'paused']),
  /** Absent: all. */
  salesChannels: z.array(z.string()).optional(),
  /** Marked in the reply as the store's highlighted kind of ad. */
  superAds: z.boolean().optional(),
});
export type Campaign = z.infer<typeof storedCampaign>;

const MOST_PRODUCTS = 10_000;
const MOST_FILTERS = 50;
const MOST_CHANNELS = 100;

const amount = (least: number) => {
  const message = `An amount from ${least} to ${MOST_UNITS} is required, with up to 6 decimals`;
  return z.number(message).min(least, message).max(MOST_UNITS, message).refine(isWholeMicros, message);
};

const LEAST = 0.000_001;

/** A campaign as it is sent (contract section 7); its id is that of the route. */
export const campaignSchema = z
  .object({
    id: idField.optional(),
    name: z.string().min(1).max(256),
    products: z
      .array(idField)
      .max(MOST_PRODUCTS, `At most ${MOST_PRODUCTS} products are accepted; name more by filter`)
      .default([]),
    filter: z.array(z.string().min(1).max(1024)).max(MOST_FILTERS).optional(),
    placements: z.array(z.enum(PLACEMENTS, { error: `A placement is one of ${PLACEMENTS.join(', ')}` })).min(1),
    budget: amount(0),
    dailyBudget: amount(0).nullish(),
    bid: amount(LEAST),
    startsAt: timeField.nullish(),
    endsAt: timeField.nullish(),
    status: z.enum(['active', 'paused'], { error: 'The status is one of active, paused' }).default('active'),
    salesChannels: z.array(idField).min(1).max(MOST_CHANNELS).nullish(),
    superAds: z.boolean().nullish(),
  })
  .superRefine(({ products, filter, startsAt, endsAt }, context) => {
    if (products.length === 0 && (filter ?? []).length === 0) {
      const message = 'Name products by their ids, or by a filter such as brand:acme';
      context.addIssue({ code: 'custom', path: ['products'], message });
    }
    if (startsAt && endsAt && startsAt >= endsAt) {
      context.addIssue({ code: 'custom', path: ['endsAt'], message: 'It has to be later than startsAt' });
    }
  });

export type CampaignBody = z.infer<typeof campaignSchema>;

/** Fields that were not sent are left out. */
export function campaignOf(campaignId: string, body: CampaignBody): Campaign {
  const { id: _id, products, placements, ...rest } = body;
  const said = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined && value !== null));
  return {
    ...(said as Omit<Campaign, 'id' | 'products' | 'placements'>),
    id: campaignId,
    products: [...new Set(products)],
    placements: [...new Set(placements)],
  };
}

/** Epoch milliseconds, `until` excluded; infinite where the campaign names no time. */
export interface RunTime {
  from: number;
  until: number;
}

export function runTime({ startsAt, endsAt }: Campaign): RunTime {
  return {
    from: startsAt === undefined ? -Infinity : Date.parse(startsAt),
    until: endsAt === undefined ? Infinity : Date.parse(endsAt),
  };
}

export const isWithin = ({ from, until }: RunTime, now: number): boolean => from <= now && now < until;

/** Whether it may be shown and its clicks billed at this time, as far as its budget allows. */
export function isRunning(campaign: Campaign, now: number): boolean {
  return campaign.status === 'active' && isWithin(runTime(campaign), now);
}

export function chargeOf({ bid, budget, dailyBudget }: Campaign): Charge {
  return {
    cost: toMicros(bid),
    budget: toMicros(budget),
    dailyBudget: dailyBudget === undefined ? null : toMicros(dailyBudget),
  };
}
