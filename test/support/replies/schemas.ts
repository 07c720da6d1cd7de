/**
 * What replies hold, as JSON Schema: written from sections 4.2 to 4.5 of the wire contract, not from the product, and refusing what those
 * do not name. `$ref`s are to the parts of the list; a route that answers more adds it with `withMore`.
 */

export interface Schema {
  [keyword: string]: unknown;
}

const NAME = 'contract';

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const number: Schema = { type: 'number' };
const integer: Schema = { type: 'integer' };
const count: Schema = { type: 'integer', minimum: 0 };
const id32: Schema = { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 };
const ref = (name: string): Schema => ({ $ref: `${NAME}#/$defs/${name}` });
const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more });
const byName = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });

/** An object of these and no others; those whose name ends with `?` may be absent. */
export function closed(fields: Record<string, Schema>): Schema {
  const names = Object.keys(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), fields[name]])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}

const installment = closed({ count: integer, price: number });
const images: Schema = { ...byName(text), required: ['default'] };
/** Texts, or objects as they were sent. */
const details = byName({ anyOf: [listOf(text), { type: 'object' }, listOf({ type: 'object' })] });

const sku = closed({
  sku: text,
  specs: byName(listOf(text)),
  properties: closed({
    name: text,
    url: text,
    images,
    status: { enum: ['available', 'unavailable'] },
    price: number,
    'oldPrice?': number,
    installment,
    stock: integer,
    'eanCode?': text,
    details,
  }),
  'customBusiness?': {},
});

const explanation = closed({
  score: number,
  text: number,
  boosts: listOf({ type: 'object', required: ['name', 'factor'], properties: { name: text, factor: number } }),
  plan: text,
  tier: { enum: ['pin', 'exact', 'all', 'some', null] },
  /** Words that are searched as others. */
  'changes?': listOf(closed({ word: text, as: text, kind: text })),
  'synonyms?': listOf(closed({ word: text, as: text })),
});

const onlyIds = {
  id: text,
  clickUrl: { type: 'string', pattern: '^/search/v3/clicks\\?(?!trackingId=)[^#]*trackingId=' },
  'explanation?': explanation,
};
const compact = {
  ...onlyIds,
  name: text,
  price: number,
  'oldPrice?': number,
  url: text,
  images,
  installment,
  status: { enum: ['AVAILABLE', 'UNAVAILABLE'] },
  brand: { type: ['string', 'null'] },
};
const placed = closed({ id: text, name: text, parents: listOf(text) });
const complete = {
  ...compact,
  collectInfo: closed({ productId: text, skuList: listOf(text, { minItems: 1 }) }),
  'cId?': text,
  'iId?': { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  categories: listOf(placed),
  tags: listOf(placed),
  specs: byName(listOf(closed({ id: text, label: text, 'properties?': {} }))),
  details,
  created: { type: 'string', format: 'date-time' },
  description: text,
  'selectedSku?': text,
  skus: listOf(sku, { minItems: 1 }),
  'customBusiness?': {},
};

const discreteValue = closed({
  id: id32,
  idO: text,
  label: text,
  size: count,
  applyLink: text,
  'selected?': { const: true },
  'filters?': listOf(ref('discreteValue'), { minItems: 1 }),
});
const bound = (name: string): Schema => closed({ value: number, unity: text, [name]: number });
const continuousValue = closed({
  size: count,
  unityId: id32,
  unN: text,
  min: bound('minN'),
  max: bound('maxN'),
  applyLink: text,
  'selected?': { const: true },
});
const filterOf = (type: string, value: Schema): Schema =>
  // `name` is what `filterNames=true` asks for beside the contract's.
  closed({ id: id32, 'name?': text, attribute: text, type: { const: type }, values: listOf(value, { minItems: 1 }) });

const sort = closed({ label: text, name: text, type: { const: 'sort' }, applyLink: text, selected: flag });
const banner = closed({ id: text, image: text, link: text, 'title?': text });

/** Parts that schemas name by `ref`. */
export const parts: Schema = {
  $id: NAME,
  $defs: {
    discreteValue,
    filter: { oneOf: [filterOf('discrete', ref('discreteValue')), filterOf('continuous', continuousValue)] },
    onlyIds: closed(onlyIds),
    compact: closed(compact),
    complete: closed(complete),
    product: { anyOf: [ref('onlyIds'), ref('compact'), ref('complete')] },
  },
};

/** Why nobody's behaviour ranked a reply. */
const reasons = 'no_profile personalize_false strength_0 holdout erased opted_out profiles_unavailable redirect'.split(
  ' ',
);
const queryTypes = ['search', 'corrected', 'ids', 'popular', 'redirect'];
const reply = {
  requestId: text,
  searchId: { type: 'string', format: 'uuid' },
  size: count,
  queries: closed({ original: text, normalized: text, processed: text, queryType: { enum: queryTypes } }),
  pagination: closed({ first: text, last: { type: 'string', pattern: 'page=\\d+' }, 'next?': text, 'prev?': text }),
  filters: listOf(ref('filter')),
  quickFilters: listOf(ref('filter')),
  suggestions: listOf(closed({ query: text, link: text })),
  sort: listOf(sort),
  banners: listOf(banner),
  products: listOf(ref('product')),
  'warnings?': listOf(closed({ path: text, message: text })),
  personalization: closed({
    applied: flag,
    profile: { enum: ['user', 'device', 'merged', 'none'] },
    'reason?': {
      enum: reasons,
    },
    template: text,
    'variant?': text,
  }),
};

/** A redirect reply has these beside the rest, which it need not have. */
const redirect = { 'queryType?': { const: 'redirect' }, 'link?': text, 'redirect?': closed({ term: text }) };

/** A search reply with what a route adds to it: `name` of a category, `hotsite`. */
export const withMore = (more: Record<string, Schema>): Schema => closed({ ...reply, ...redirect, ...more });

export const searchReply = withMore({});
export const queriesReply = withMore({
  terms: listOf(closed({ query: text, link: text, 'size?': count, 'category?': text, 'categoryId?': text })),
});
export const hotsiteReply = withMore({ hotsite: { type: 'object', required: ['title', 'description', 'sortRule'] } });
export const navigateReply = withMore({ name: text });

/** What is shown while a shopper types. */
export const autocompleteReply = closed({
  requestId: text,
  searchId: reply.searchId,
  queries: listOf(closed({ query: text, link: text, 'category?': text, 'categoryId?': text })),
  products: reply.products,
  personalization: reply.personalization,
  'warnings?': reply['warnings?'],
});
