import { z } from 'zod';

/** What the searches answer (contract 4.2 to 4.7), for the OpenAPI document. */

const filterId = z.int32().min(1);
const named = <T extends z.ZodType>(item: T) => z.record(z.string(), item);

const installment = z.object({ count: z.number(), price: z.number() });
const images = z.object({ default: z.string() }).catchall(z.string());
const category = z.object({ id: z.string(), name: z.string(), parents: z.array(z.string()) });

/** Texts; objects as they were sent. */
const details = named(z.union([z.array(z.string()), z.looseObject({}), z.array(z.unknown())]));

const sku = z.object({
  sku: z.string(),
  specs: named(z.array(z.string())),
  properties: z.object({
    name: z.string(),
    url: z.string(),
    images,
    status: z.enum(['available', 'unavailable']),
    price: z.number(),
    oldPrice: z.number().optional(),
    installment,
    stock: z.int(),
    eanCode: z.string().optional(),
    details,
  }),
  customBusiness: z.unknown().optional(),
});

const boost = z.looseObject({
  name: z.string(),
  factor: z.number(),
  clamped: z.boolean().optional(),
  parts: z.array(z.object({ name: z.string(), weight: z.number(), add: z.number() })).optional(),
  /** Of `about`: categories that shoppers choose from after the query, which it is about, too: their names in stems. */
  chosen: z.array(z.string()).optional(),
});

const explanation = z.object({
  score: z.number(),
  text: z.number(),
  /** Signals, `personal`, and `rule:<id>` for each rule of the store that acted. */
  boosts: z.array(boost),
  plan: z.string(),
  tier: z.enum(['pin', 'exact', 'all', 'some']).nullable(),
  /** Words of the query that are searched as others, which the store has; words that the product has as one, and those that it lacks. */
  changes: z.array(
    z.object({
      word: z.string(),
      as: z.string(),
      kind: z.enum(['completion', 'correction', 'split', 'compound', 'omission']),
    }),
  ),
  /** Words of the query that the product does not have, and the synonyms that it has instead. */
  synonyms: z.array(z.object({ word: z.string(), as: z.string() })),
});

/** `onlyIds` has the first two alone, `compact` those up to `brand`. */
export const product = z.object({
  id: z.string(),
  clickUrl: z.string(),
  name: z.string().optional(),
  price: z.number().optional(),
  oldPrice: z.number().optional(),
  url: z.string().optional(),
  images: images.optional(),
  installment: installment.optional(),
  status: z.enum(['AVAILABLE', 'UNAVAILABLE']).optional(),
  brand: z.string().nullable().optional(),
  collectInfo: z.object({ productId: z.string(), skuList: z.array(z.string()) }).optional(),
  categories: z.array(category).optional(),
  tags: z.array(category).optional(),
  specs: named(z.array(z.object({ id: z.string(), label: z.string(), properties: z.unknown().optional() }))).optional(),
  details: details.optional(),
  created: z.iso.datetime().optional(),
  description: z.string().optional(),
  selectedSku: z.string().optional(),
  skus: z.array(sku).min(1).optional(),
  customBusiness: z.unknown().optional(),
  explanation: explanation.optional(),
});

const discreteValue = z.object({
  id: filterId,
  idO: z.string(),
  label: z.string(),
  size: z.int().min(0),
  applyLink: z.string(),
  selected: z.literal(true).optional(),
  /** Of a category: those below it. */
  get filters() {
    return z.array(discreteValue).optional();
  },
});

const continuousValue = z.object({
  size: z.int().min(0),
  unityId: filterId,
  unN: z.string(),
  min: z.object({ value: z.number(), unity: z.string(), minN: z.number() }),
  max: z.object({ value: z.number(), unity: z.string(), maxN: z.number() }),
  applyLink: z.string(),
  selected: z.literal(true).optional(),
});

/** `name`, where `filterNames` asks for it: what a filter in words begins with, such as `brand` or `spec.size`. */
const filterFields = { id: filterId, name: z.string().optional(), attribute: z.string() };
const filter = z.union([
  z.object({ ...filterFields, type: z.literal('discrete'), values: z.array(discreteValue).min(1) }),
  z.object({ ...filterFields, type: z.literal('continuous'), values: z.array(continuousValue).min(1) }),
]);

export type FilterReply = z.infer<typeof filter>;
export type DiscreteValue = z.infer<typeof discreteValue>;

const suggestion = z.object({ query: z.string(), link: z.string() });
const term = suggestion.extend({
  size: z.int().optional(),
  category: z.string().optional(),
  categoryId: z.string().optional(),
});
const sort = z.object({
  label: z.string(),
  name: z.string(),
  type: z.literal('sort'),
  applyLink: z.string(),
  selected: z.boolean(),
});

export const personalization = z.object({
  applied: z.boolean(),
  profile: z.enum(['user', 'device', 'merged', 'none']),
  reason: z.string().optional().meta({
    description:
      'Where applied is false: no_profile, personalize_false, strength_0, holdout, erased, opted_out, profiles_unavailable, or redirect, where the reply leads to another page',
  }),
  template: z.string(),
  variant: z.string().optional(),
});
export type Personalization = z.infer<typeof personalization>;

/** What was not taken as it was sent. */
export const warnings = z.array(z.object({ path: z.string(), message: z.string() })).optional();

const shared = {
  requestId: z.string(),
  searchId: z.uuid(),
  size: z.int().min(0),
  queries: z.object({
    original: z.string(),
    normalized: z.string(),
    processed: z.string(),
    queryType: z.enum(['search', 'corrected', 'ids', 'popular', 'redirect']),
  }),
  pagination: z.object({
    first: z.string(),
    last: z.string(),
    next: z.string().optional(),
    prev: z.string().optional(),
  }),
  filters: z.array(filter),
  quickFilters: z.array(filter),
  suggestions: z.array(suggestion),
  sort: z.array(sort),
  banners: z.array(z.object({ id: z.string(), image: z.string(), link: z.string(), title: z.string().optional() })),
  products: z.array(product),
  personalization,
  warnings,
};

/** Instead of products: where the query leads. */
const redirected = {
  queryType: z.literal('redirect').optional(),
  link: z.string().optional(),
  /** With `explain`: the term of the rule. */
  redirect: z.object({ term: z.string() }).optional(),
};

export const searchReply = z.object({ ...shared, ...redirected });
/** A category, or the products that share a value. */
export const navigatesReply = z.object({ ...shared, name: z.string() });
export const hotsitesReply = z.object({
  ...shared,
  hotsite: z.object({ title: z.string(), description: z.string(), sortRule: z.string().nullable() }),
});
/** Beside the products: the store's query terms that match. */
export const queriesReply = z.object({
  ...shared,
  ...redirected,
  terms: z.array(term),
});
