import { z } from 'zod';
import { signalsSchema } from './signal-settings';
import { type TextField, textFieldDefaults, textFields } from './text-fields';

/**
 * Boost template: how text, business signals and a shopper's behaviour weigh against each other (docs/ranking.md). A
 * JSON document per store; unknown keys are refused with their path, so that a misspelt one never acts in silence.
 */

const weight = z.number().min(0).max(100);
const evidence = z.number().min(0).max(10);

/** `saturate`: x/(x+k) · `ln`: ln(1+x) · `lift`: over the store's own share, shrunk by k (ranking.md). */
const curves = ['saturate', 'ln', 'lift'] as const;

const affinity = (importance: number, curve: (typeof curves)[number], k: number) =>
  z
    .strictObject({
      importance: z.number().min(0).max(10).default(importance),
      curve: z.enum(curves).default(curve),
      k: z.number().min(0.01).max(10_000).default(k),
    })
    .prefault({});

function byField<T extends z.ZodType>(schema: (defaults: (typeof textFieldDefaults)[TextField]) => T) {
  const schemas = textFields.map((field) => [field, schema(textFieldDefaults[field])]);
  return z.strictObject(Object.fromEntries(schemas) as Record<TextField, T>);
}

const fields = byField((defaults) => weight.default(defaults.weight))
  .refine((weights) => textFields.some((field) => weights[field] > 0), 'at least one field must weigh more than 0')
  .prefault({});

const text = z
  .strictObject({
    /** BM25's saturation; with term frequency taken as 1 it only scales the length normalisation. */
    k1: z.number().min(0).max(5).default(1.2),
    b: byField((defaults) => z.number().min(0).max(1).default(defaults.b)).prefault({}),
  })
  .prefault({});

const boosted = {
  product: affinity(1.5, 'saturate', 1),
  related: affinity(0.1, 'lift', 40),
  'tag@category': affinity(0.03, 'lift', 40),
  'brand@leaf': affinity(0.1, 'ln', 1),
  'brand@category': affinity(0.03, 'lift', 40),
  brand: affinity(0.02, 'lift', 40),
  'attr@category': affinity(0.03, 'lift', 40),
  category: affinity(0.02, 'lift', 40),
};
export type BoostedKind = keyof typeof boosted;
export const boostedKinds = Object.keys(boosted) as BoostedKind[];

const affinities = z
  .strictObject({
    ...boosted,
    price: z.strictObject({ importance: z.number().min(0).max(10).default(0) }).prefault({}),
  })
  .prefault({});

export const boostTemplateSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/i, 'letters, digits, "-" and "_", up to 64')
    .default('default'),
  note: z.string().max(1000).optional(),
  /** 0: the same for everyone; 100: the whole of it. Most merchants need no other setting. */
  strength: z.number().min(0).max(100).default(100),
  maxBoost: z.number().min(1).max(10).default(3),
  /** Bound of the trend factor, either way. */
  maxQuality: z.number().min(1).max(10).default(3),
  fields,
  text,
  /** `step`: what a product keeps that is a step behind the thing asked for; 1: off. Never more than 1/`maxBoost`. */
  about: z.strictObject({ step: z.number().min(0.01).max(1).default(0.3) }).prefault({}),
  signals: signalsSchema,
  affinities,
  shrink: z
    .strictObject({
      k: z.number().min(0).max(1000).default(5),
      except: z.array(z.enum(boostedKinds)).max(boostedKinds.length).default(['product']),
    })
    .prefault({}),
  /** Of category pages and searches, which are meant now: times the importance of categories and brands. `weight` 0: off. */
  interest: z
    .strictObject({
      weight: z.number().min(0).max(100).default(10),
      k: z.number().min(0.001).max(1000).default(0.12),
    })
    .prefault({}),
  evidence: z
    .strictObject({
      transaction: evidence.default(1),
      cart: evidence.default(0.5),
      click: evidence.default(0.25),
      product: evidence.default(0.125),
      category: evidence.default(0.06),
      search: evidence.default(0.06),
    })
    .prefault({}),
  /** At most this share of one brand among the first 24; null: off. */
  maxShare: z.number().min(0.05).max(1).nullable().default(null),
});

export type BoostTemplate = z.output<typeof boostTemplateSchema>;

export const defaultTemplate: BoostTemplate = boostTemplateSchema.parse({});
