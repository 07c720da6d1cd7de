import { z } from 'zod';
import { spellings } from '../engine/facets';
import { sortNames } from '../engine/plan/sorts';
import { asList, first, listOf, lowerCased, shopperId, single } from '../http/fields';

const PRODUCT_FORMATS = ['onlyIds', 'compact', 'complete'] as const;
export type ProductFormat = (typeof PRODUCT_FORMATS)[number];
export const HIDEABLE = ['filters', 'quickFilters', 'suggestions', 'products', 'terms', 'sort'] as const;

/** `page * resultsPerPage` may not pass this. */
export const DEEPEST_RESULT = 10_000;

/** More are read as so many (contract 3). */
export const MOST_PER_PAGE = 100;

/** Digits alone, as people write numbers: neither `0x10` nor `1e3`. Longer ones are as good as the largest. */
const digits = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  const number = /^\s*[+-]?\d+(?:\.0*)?\s*$/.test(value) ? Number(value) : NaN;
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number));
};

/** What is below `min` or above `max` is read as these. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z
    .preprocess(digits, z.number({ error: 'must be a whole number' }).int('must be a whole number'))
    .transform((value) => Math.min(max, Math.max(min, value)));

const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });

const knownOf = (value: unknown): unknown => {
  const values = asList(value);
  return Array.isArray(values) ? values.filter((one) => HIDEABLE.includes(one)) : values;
};

const boolean = () =>
  z.preprocess(
    lowerCased,
    z
      .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
      .transform((value) => value === 'true' || value === '1')
      .optional(),
  );

/** Spaces alone are nothing typed. */
const typed = z.preprocess((value) => {
  const text = first(value);
  return typeof text === 'string' && text.trim() === '' ? undefined : text;
}, z.string().max(512, 'may have up to 512 characters').optional());

const MOST_PIDS = 100;
const MOST_FILTERS = 100;
const MOST_CHANNELS = 20;
/** Twice as many as there are. */
const MOST_HIDDEN = 12;

const ofLinks = single(z.string().max(256).optional()).catch(undefined);

/** What the OpenAPI page says of a parameter, with an example of a value. */
const described = <S extends z.ZodType>(schema: S, description: string, example: unknown): S =>
  schema.meta({ description, example });

const parameters = {
  terms: described(
    typed,
    'What the shopper typed. A search needs it, or pids or filter; /queries answers without it, too.',
    'tenis azul',
  ),
  pids: described(
    listOf(z.string().min(1).max(256), MOST_PIDS),
    'Products by id, in the order asked; paged only where resultsPerPage is given.',
    ['tenis-1', 'tenis-2'],
  ),
  page: described(
    single(integer(1).optional()).transform((page) => page ?? 1),
    `Pages begin with 1. page times resultsPerPage may not pass ${DEEPEST_RESULT}.`,
    2,
  ),
  resultsPerPage: described(
    single(integer(0, MOST_PER_PAGE).optional()),
    `Products of a page, 24 where absent, ${MOST_PER_PAGE} at most; 0: filters and size alone.`,
    12,
  ),
  sortBy: described(
    single(choice(sortNames).default('relevance')),
    'The order. relevance is the one that ranks for the shopper.',
    'ascPrice',
  ),
  filter: described(
    listOf(z.string().max(1024), MOST_FILTERS),
    `Values of one filter are ORed, filters ANDed. By the ids of a reply (d:<filterId>:<valueId>, c:<filterId>:<unitId>:<min>:<max>), or in words: ${spellings.join(', ')}.`,
    ['brand:Veloz', 'price:50..100'],
  ),
  salesChannel: described(
    listOf(z.string().min(1).max(256), MOST_CHANNELS),
    'Products as they are in that channel; of several, the first in which the product exists. Absent: the default channel of the store.',
    ['app'],
  ),
  showOnlyAvailable: described(boolean(), 'Leaves unavailable products out. Absent: the setting of the store.', true),
  productFormat: described(
    single(choice(PRODUCT_FORMATS).optional()),
    'How much of each product is answered. Absent: compact on /queries, else complete.',
    'compact',
  ),
  /** What is unknown is left out. */
  hide: described(
    z.preprocess(knownOf, listOf(choice(HIDEABLE), MOST_HIDDEN)),
    'Parts of the reply that are answered as empty lists, which is cheaper.',
    ['filters', 'sort'],
  ),
  filterNames: described(
    boolean(),
    'true: each filter of the reply has a name, which filters in words begin with, such as brand or spec.size.',
    true,
  ),
  userId: described(shopperId, 'The user whose behaviour ranks the reply, as the events name them.', 'u-1001'),
  deviceId: described(shopperId, 'The device whose behaviour ranks the reply, as the events name it.', 'd-42'),
  source: described(
    single(z.string().max(256).optional()).catch(undefined),
    'Where the shopper is: desktop, mobile, app, or a name of the store.',
    'mobile',
  ),
  personalize: described(boolean(), 'false: the ranking that everybody gets.', false),
  allowRedirect: described(boolean(), 'false: products also where a redirect of the store matches the terms.', false),
  explain: described(boolean(), 'With the keys of the store: why each product ranks where it does.', true),
  /** Found in links of clients in the field, and kept in ours. */
  ranking: described(ofLinks, 'Of links; accepted and repeated.', '10'),
  p: described(ofLinks, 'Of links; accepted and repeated.', 'home'),
  topsearch: described(ofLinks, 'Of links; accepted and repeated.', '1'),
  origin: described(ofLinks, 'Stands for an Origin header where none came.', 'https://www.store.example'),
};

/** Parameters of the searches (contract 4.1), names already canonical. */
export const searchParameters = z.object(parameters).superRefine(({ page, resultsPerPage }, context) => {
  if (page * (resultsPerPage ?? 24) > DEEPEST_RESULT) {
    const message = `times resultsPerPage may not pass ${DEEPEST_RESULT}; narrow the search with filter instead`;
    context.addIssue({ code: 'custom', path: ['page'], message });
  }
});

export type SearchParameters = z.infer<typeof searchParameters>;
