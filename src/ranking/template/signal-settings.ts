import { z } from 'zod';
import { durationSchema } from './duration-schema';

/** What a template may say of each signal of quality (`signals.ts`). */
const settings = {
  trend: z.strictObject({
    short: durationSchema.default('7d'),
    middle: durationSchema.default('30d'),
    long: durationSchema.default('365d'),
    prior: z.number().min(0.1).max(1000).default(3),
    exponent: z.number().min(0).max(2).default(0.1),
  }),
  rating: weight(1),
  freshness: z.strictObject({ weight: z.number().min(0).max(2).default(0.1), halfLife: durationSchema.default('30d') }),
  availability: z.strictObject({ unavailable: z.number().min(0.01).max(1).default(0.5) }),
  discount: weight(2),
};

function weight(most: number) {
  return z.strictObject({ weight: z.number().min(0).max(most).default(0.1) });
}

type Settings = typeof settings;
const names = Object.keys(settings) as (keyof Settings)[];

/** The `signals` of a template. A signal a document leaves out is off; without any `signals` all are on. */
export const signalsSchema = z
  .strictObject(
    Object.fromEntries(names.map((name) => [name, settings[name].optional()])) as {
      [N in keyof Settings]: z.ZodOptional<Settings[N]>;
    },
  )
  .prefault(Object.fromEntries(names.map((name) => [name, {}])));

export type SignalSettings = z.output<typeof signalsSchema>;
