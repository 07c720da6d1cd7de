import { z } from 'zod';
import { sortNames } from '../../engine/plan/sorts';
import { isId } from '../../shared/ids';

export const PRODUCT_FORMATS = ['onlyIds', 'compact', 'complete'] as const;
export const HIDEABLE = ['filters', 'quickFilters', 'suggestions', 'products', 'terms', 'sort'] as const;

/** `page * resultsPerPage` may not pass this. */
export const DEEPEST_RESULT = 10_000;

const integer = (min: number, max?: number) => {
  const accepted = `must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}`;
  const base = z.coerce.number({ error: accepted }).int(accepted).min(min, accepted);
  return max === undefined ? base : base.max(max, accepted);
};

const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });

/** Repeated keys, `key[]`, or a single value. */
const list = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item).optional());

const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);
const one = <T extends z.ZodType>(schema: T) => z.preprocess(single, schema);

const boolean = () =>
  one(
    z
      .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
      .transform((value) => value === 'true' || value === '1')
      .optional(),
  );

/** Longer or otherwise odd ids of shoppers count as absent (contract 3): nothing fails for them. */
const shopperId = z.preprocess((value) => {
  const id = single(value);
  return isId(id) ? id : undefined;
}, z.string().optional());

/** Parameters of the searches (contract 4.1), names already canonical. */
export const searchParameters = z
  .object({
    terms: one(z.string().max(512, 'may have up to 512 characters').optional()),
    pids: list(z.string().min(1).max(256)).refine((ids) => (ids?.length ?? 0) <= 100, 'may name up to 100 products'),
    page: one(integer(1).default(1)),
    resultsPerPage: one(integer(0, 100).optional()),
    sortBy: one(choice(sortNames).default('relevance')),
    filter: list(z.string().max(1024)),
    salesChannel: list(z.string().min(1).max(256)),
    showOnlyAvailable: boolean(),
    productFormat: one(choice(PRODUCT_FORMATS).optional()),
    hide: list(choice(HIDEABLE)),
    userId: shopperId,
    deviceId: shopperId,
    source: one(z.string().optional()).catch(undefined),
    personalize: boolean(),
    allowRedirect: boolean(),
    explain: boolean(),
  })
  .superRefine(({ page, resultsPerPage }, context) => {
    if (page * (resultsPerPage ?? 24) > DEEPEST_RESULT) {
      const message = `times resultsPerPage may not pass ${DEEPEST_RESULT}; narrow the search with filter instead`;
      context.addIssue({ code: 'custom', path: ['page'], message });
    }
  });

export type SearchParameters = z.infer<typeof searchParameters>;
