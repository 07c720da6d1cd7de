import { z } from 'zod';
import { single } from '../../http/fields';
import { catalogProblems, productStates } from './findings';

const count = z.int();

const sample = z.object({
  id: z.string(),
  name: z.string().optional(),
  channel: z.string().optional(),
  ean: z.string().optional(),
  price: z.number().optional(),
  before: z.number().optional(),
});

const counts = <K extends string>(names: readonly K[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, count])) as Record<K, typeof count>);

/** What the last look found. `computedAt` null: there was none yet. */
export const healthView = z.object({
  computedAt: z.iso.datetime().nullable(),
  /** The store's day. */
  day: z.string().nullable(),
  /** Without removed ones. */
  products: count,
  /** Of the last day before that was looked at; absent where there is none. */
  before: z.object({ day: z.string(), products: count }).nullable(),
  /** Products by those of the day before. */
  ratio: z.number().nullable(),
  states: counts(productStates),
  problems: z.object(
    Object.fromEntries(catalogProblems.map((name) => [name, z.object({ count, samples: z.array(sample) })])) as Record<
      (typeof catalogProblems)[number],
      z.ZodObject<{ count: z.ZodInt; samples: z.ZodArray<typeof sample> }>
    >,
  ),
});
export type HealthView = z.output<typeof healthView>;

/** The products of one problem, a page of them; `next` is what to send as `after`. */
export const problemView = z.object({
  problem: z.enum(catalogProblems),
  count,
  samples: z.array(sample),
  next: z.string().nullable(),
});
export type ProblemView = z.output<typeof problemView>;

export const healthQuery = z.object({
  problem: single(z.enum(catalogProblems).optional()).meta({
    description: 'The products that have this problem, in place of the whole view.',
    example: catalogProblems[0],
  }),
  after: single(z.string().max(256).optional()).meta({
    description: 'With problem: the id of the last product of the page before.',
    example: 'tenis-1',
  }),
});
export type HealthQuery = z.output<typeof healthQuery>;
