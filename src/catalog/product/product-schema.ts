import { z } from 'zod';
import { ID_RULE, isId } from '../../shared/ids';

/** What is accepted as a product (contract 5): every field may be absent, a wrong type is refused, unknown fields stay. */

const NUMERIC = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*$/i;

/** Ids are opaque text; a number is taken as its text. */
export const idSchema = z
  .union([z.string(), z.number()], { error: `an id is required: ${ID_RULE}` })
  .transform(String)
  .refine((id) => isId(id), `an id is required: ${ID_RULE}`);

const number = z.union([z.number(), z.string().regex(NUMERIC)], { error: 'a number or a numeric text is required' });
const amount = z.union(
  [
    z.number().min(0),
    z
      .string()
      .regex(NUMERIC)
      .regex(/^\s*[^-\s]/),
  ],
  {
    error: 'a number of at least 0 is required, or its text',
  },
);
const text = z.string('a text is required');
const textOrNumber = z.union([z.string(), z.number(), z.boolean()], { error: 'a text or a number is required' });
const list = <T extends z.ZodType>(item: T, error: string) => z.array(item, error);
const named = <T extends z.ZodType>(item: T, error: string) => z.record(z.string(), item, error);
/** Absent or null: not said. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();

const time = z.union([z.string(), z.number()]).refine(
  (value) => {
    const timestamp = typeof value === 'number' || NUMERIC.test(value) ? Number(value) : Date.parse(value);
    return Math.abs(timestamp) <= 8.64e15;
  },
  { error: 'an ISO 8601 time or epoch milliseconds are required' },
);

const placed = z.looseObject({ id: maybe(textOrNumber), name: maybe(text), parents: maybe(z.array(z.unknown())) });
const placedOrText = z.union([z.string(), placed]);
const detail = z.union([textOrNumber, z.array(z.union([textOrNumber, z.looseObject({}), z.null()]))], {
  error: 'the values of details are texts or lists of texts',
});
const spec = z.union([textOrNumber, z.looseObject({}), z.array(z.union([textOrNumber, z.looseObject({})]))], {
  error: 'the values of specs are texts, objects { id, label } or lists of them',
});

const images = named(maybe(text), 'an object of image addresses by name is required, with "default" among them');
const installment = z.looseObject(
  { count: maybe(amount), price: maybe(amount) },
  'an object { count, price } is required',
);
const details = named(maybe(detail), 'an object of lists of texts by name is required');
const specs = named(maybe(spec), 'an object of specs by name is required');

const offered = {
  price: maybe(amount),
  oldPrice: maybe(amount),
  stock: maybe(number),
  url: maybe(text),
  installment: maybe(installment),
};

const skuFields = {
  ...offered,
  name: maybe(text),
  images: maybe(images),
  status: maybe(
    text.refine((value) => /^(un)?available$/i.test(value), 'the status of a SKU is one of available, unavailable'),
  ),
  eanCode: maybe(textOrNumber),
  details: maybe(details),
};

const sku = z.looseObject(
  {
    sku: idSchema,
    ...skuFields,
    specs: maybe(specs),
    properties: maybe(z.looseObject(skuFields, 'an object is required')),
  },
  'an object { sku, specs, properties } is required',
);

const status = text.refine(
  (value) => /^((un)?available|removed)$/i.test(value),
  'the status is one of available, unavailable, removed',
);
const skus = list(sku, 'a list of SKUs is required');
const rating = z.union([number, z.looseObject({ average: maybe(amount), count: maybe(amount) })], {
  error: 'a number or an object { average, count } is required',
});

const channelOverride = z.looseObject(
  { ...offered, status: maybe(status), skus: maybe(skus) },
  'an object of overrides is required',
);

/** Where in the record something is wrong is told by the paths of the issues. */
export const productSchema = z.looseObject(
  {
    id: maybe(idSchema),
    salesChannel: maybe(idSchema),
    ...offered,
    name: maybe(text),
    images: maybe(images),
    categories: maybe(
      z.union([z.string(), z.array(placedOrText)], {
        error: 'a text or a list of texts or objects { id, name, parents } is required',
      }),
    ),
    status: maybe(status),
    description: maybe(text),
    brand: maybe(text),
    tags: maybe(
      z.union([z.string(), z.array(placedOrText)], { error: 'a list of texts or objects { id, name } is required' }),
    ),
    specs: maybe(specs),
    details: maybe(details),
    skus: maybe(skus),
    eanCode: maybe(textOrNumber),
    created: maybe(time),
    sold: maybe(number),
    rating: maybe(rating),
    salesChannels: maybe(named(maybe(channelOverride), 'an object of overrides by sales channel is required')),
  },
  'a product is a JSON object',
);

/** `{ products: [...] }`: what each one is worth is found out one by one, so that a bad one spoils nothing. */
export const manyProductsSchema = z.looseObject({
  products: z
    .array(z.unknown(), 'a list of products is required')
    .max(1000, 'at most 1,000 products are accepted at once; send application/x-ndjson for more'),
});

/** `DELETE`: the sales channel may stand in the query or in the body. */
export const removalSchema = z.looseObject({ salesChannel: idSchema.nullish() });
