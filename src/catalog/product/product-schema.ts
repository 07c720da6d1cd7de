import { z } from 'zod';
import { ID_RULE, isId } from '../../shared/ids';

/** What is accepted as a product (contract 5): every field may be absent, a wrong type is refused, unknown fields stay. */

const NUMERIC = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?\s*$/i;
const NOT_NEGATIVE = /^\s*[^-\s]/;
const LAST_TIME = 8.64e15;

const idMessage = `an id is required: ${ID_RULE}`;
/** Ids are opaque text; a number is taken as its text. */
export const idSchema = z
  .union([z.string(), z.number()], idMessage)
  .transform(String)
  .refine((id) => isId(id), idMessage);

const numberMessage = 'a number or a numeric text is required, such as 19.9';
const number = z.union([z.number(), z.string().regex(NUMERIC, numberMessage)], numberMessage);
const amountMessage = 'a number of at least 0, or its text, is required, such as 19.9';
const amount = z.union(
  [z.number().min(0, amountMessage), z.string().regex(NUMERIC, amountMessage).regex(NOT_NEGATIVE, amountMessage)],
  amountMessage,
);
const text = z.string('a text is required');
const textOrNumber = z.union([z.string(), z.number(), z.boolean()], 'a text or a number is required');
const object = z.looseObject({});
/** Absent or null: not said. */
const maybe = <T extends z.ZodType>(schema: T) => schema.nullish();
/** In any casing. */
const oneOf = (what: string, values: readonly string[]) =>
  maybe(text.refine((value) => values.includes(value.toLowerCase()), `${what} is one of ${values.join(', ')}`));
const byName = <T extends z.ZodType>(value: T, error: string) => maybe(z.record(z.string(), maybe(value), error));

const time = z.union([z.string(), z.number()]).refine((value) => {
  const timestamp = typeof value === 'number' || NUMERIC.test(value) ? Number(value) : Date.parse(value);
  return Math.abs(timestamp) <= LAST_TIME;
}, 'an ISO 8601 time or epoch milliseconds are required');

const placed = z.looseObject({ id: maybe(textOrNumber), name: maybe(text), parents: maybe(z.array(z.unknown())) });
const placedOrTexts = (error: string) => maybe(z.union([z.string(), z.array(z.union([z.string(), placed]))], error));
const detail = z.union(
  [textOrNumber, object, z.array(z.union([textOrNumber, object, z.null()]))],
  'the values of details are texts, objects or lists of them',
);
const spec = z.union(
  [textOrNumber, object, z.array(z.union([textOrNumber, object]))],
  'the values of specs are texts, objects { id, label } or lists of them',
);
const rating = z.union(
  [number, z.looseObject({ average: maybe(amount), count: maybe(amount) })],
  'a number or an object { average, count } is required',
);
const installment = z.looseObject(
  { count: maybe(amount), price: maybe(amount) },
  'an object { count, price } is required',
);

const offered = {
  price: maybe(amount),
  oldPrice: maybe(amount),
  stock: maybe(number),
  url: maybe(text),
  installment: maybe(installment),
};

const name = maybe(text);
const images = byName(text, 'an object of image addresses by name is required, with "default" among them');
const eanCode = maybe(textOrNumber);
const details = byName(detail, 'an object of details by name is required');
const specs = byName(spec, 'an object of specs by name is required');

const skuFields = {
  ...offered,
  name,
  images,
  status: oneOf('the status of a SKU', ['available', 'unavailable']),
  eanCode,
  details,
};
const properties = z.looseObject(skuFields, 'an object is required');
const sku = z.looseObject(
  { sku: idSchema, ...skuFields, specs, properties: maybe(properties) },
  'an object { sku, specs, properties } is required',
);

const status = oneOf('the status', ['available', 'unavailable', 'removed']);
const skus = maybe(z.array(sku, 'a list of SKUs is required'));

/** The paths of the issues say where in the product something is wrong; a reply names the first, in the order of these fields. */
export const productSchema = z.looseObject(
  {
    id: maybe(idSchema),
    salesChannel: maybe(idSchema),
    ...offered,
    name,
    images,
    categories: placedOrTexts('a text or a list of texts or objects { id, name, parents } is required'),
    status,
    description: maybe(text),
    brand: maybe(text),
    tags: placedOrTexts('a list of texts or objects { id, name } is required'),
    specs,
    details,
    skus,
    eanCode,
    created: maybe(time),
    sold: maybe(number),
    rating: maybe(rating),
    salesChannels: byName(
      z.looseObject({ ...offered, status, skus }, 'an object of overrides is required'),
      'an object of overrides by sales channel is required',
    ),
  },
  'a product is a JSON object',
);

/** `{ products: [...] }`: each product is checked by itself, so that a bad one does not stop the others. */
export const manyProductsSchema = z.looseObject({
  products: z
    .array(z.unknown(), 'a list of products is required')
    .max(1000, 'at most 1,000 products are accepted at once; send application/x-ndjson for more'),
});

/** `DELETE`: the sales channel may stand in the query or in the body. */
export const removalSchema = z.looseObject({ salesChannel: idSchema.nullish() });
