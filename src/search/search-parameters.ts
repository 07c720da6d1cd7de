import { z } from 'zod';
import { sortNames } from '../engine/plan/sorts';
import { listOf, shopperId, single } from '../http/fields';

const PRODUCT_FORMATS = ['onlyIds', 'compact', 'complete'] as const;
export type ProductFormat = (typeof PRODUCT_FORMATS)[number];
const HIDEABLE = ['filters', 'quickFilters', 'suggestions', 'products', 'terms', 'sort'] as const;

/** `page * resultsPerPage` may not pass this. */
export const DEEPEST_RESULT = 10_000;

const integer = (min: number, max?: number) => {
  const accepted = `must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`;
  const base = z.coerce.number({ error: accepted }).int(accepted).min(min, accepted);
  return max === undefined ? base : base.max(max, accepted);
};

const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });

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
    page: single(integer(1).default(1)),
    resultsPerPage: single(integer(0, 100).optional()),
    sortBy: single(choice(sortNames).default('relevance')),
    filter: listOf(z.string().max(1024), MOST_FILTERS),
    salesChannel: listOf(z.string().min(1).max(256), MOST_CHANNELS),
    showOnlyAvailable: boolean(),
    productFormat: single(choice(PRODUCT_FORMATS).optional()),
    hide: listOf(choice(HIDEABLE), MOST_HIDDEN),
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
