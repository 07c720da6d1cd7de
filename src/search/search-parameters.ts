import { z } from 'zod';
import { sortNames } from '../engine/plan/sorts';
import { asList, listOf, shopperId, single } from '../http/fields';

const PRODUCT_FORMATS = ['onlyIds', 'compact', 'complete'] as const;
export type ProductFormat = (typeof PRODUCT_FORMATS)[number];
export const HIDEABLE = ['filters', 'quickFilters', 'suggestions', 'products', 'terms', 'sort'] as const;

/** `page * resultsPerPage` may not pass this. */
export const DEEPEST_RESULT = 10_000;

/** More are read as so many (contract 3). */
export const MOST_PER_PAGE = 100;

/** What is below `min` or above `max` is read as these. */
const integer = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .transform((value) => Math.min(max, Math.max(min, value)));

const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });

const knownOf = (value: unknown): unknown => {
  const values = asList(value);
  return Array.isArray(values) ? values.filter((one) => HIDEABLE.includes(one)) : values;
};

const boolean = () =>
  single(
    z
      .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
      .transform((value) => value === 'true' || value === '1')
      .optional(),
  );

const MOST_PIDS = 100;
const MOST_FILTERS = 100;
const MOST_CHANNELS = 20;
/** Twice as many as there are. */
const MOST_HIDDEN = 12;

const ofLinks = single(z.string().max(256).optional()).catch(undefined);

/** Parameters of the searches (contract 4.1), names already canonical. */
export const searchParameters = z
  .object({
    terms: single(z.string().max(512, 'may have up to 512 characters').optional()),
    pids: listOf(z.string().min(1).max(256), MOST_PIDS),
    page: single(integer(1).optional()).transform((page) => page ?? 1),
    resultsPerPage: single(integer(0, MOST_PER_PAGE).optional()),
    sortBy: single(choice(sortNames).default('relevance')),
    filter: listOf(z.string().max(1024), MOST_FILTERS),
    salesChannel: listOf(z.string().min(1).max(256), MOST_CHANNELS),
    showOnlyAvailable: boolean(),
    productFormat: single(choice(PRODUCT_FORMATS).optional()),
    /** What is unknown is left out. */
    hide: z.preprocess(knownOf, listOf(choice(HIDEABLE), MOST_HIDDEN)),
    userId: shopperId,
    deviceId: shopperId,
    source: single(z.string().max(256).optional()).catch(undefined),
    personalize: boolean(),
    allowRedirect: boolean(),
    explain: boolean(),
    /** Found in links of clients in the field, and kept in ours. */
    ranking: ofLinks,
    p: ofLinks,
    topsearch: ofLinks,
    origin: ofLinks,
  })
  .superRefine(({ page, resultsPerPage }, context) => {
    if (page * (resultsPerPage ?? 24) > DEEPEST_RESULT) {
      const message = `times resultsPerPage may not pass ${DEEPEST_RESULT}; narrow the search with filter instead`;
      context.addIssue({ code: 'custom', path: ['page'], message });
    }
  });

export type SearchParameters = z.infer<typeof searchParameters>;
