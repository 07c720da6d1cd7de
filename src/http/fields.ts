import { z } from 'zod';
import { ID_RULE, isId } from '../shared/ids';

/** Schemas for the values of a query string, where any key may be repeated, and for ids. */

export const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** A single value: of a repeated key, the first. */
export const single = <T extends z.ZodType>(schema: T) => z.preprocess(first, schema);

/** Whether something is so, in whatever casing: `True` is what some languages print. */
export const lowerCased = (value: unknown): unknown => {
  const one = first(value);
  return typeof one === 'string' ? one.trim().toLowerCase() : one;
};

/** Repeated keys, `key[]`, or a single value. */
export const asList = (value: unknown): unknown => (value === undefined || Array.isArray(value) ? value : [value]);
export const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.preprocess(asList, z.array(item).max(most, `may be given up to ${most} times`).optional());

/** Longer or otherwise odd ids of shoppers count as absent (contract 3): nothing fails for them. */
export const shopperId = z.preprocess((value) => {
  const id = first(value);
  return isId(id) ? id : undefined;
}, z.string().optional());

/** An id in a body: numbers count as texts. */
export const idField = z.preprocess(
  (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : value),
  z.custom<string>(isId, `An id is required: ${ID_RULE}`).meta({ type: 'string', minLength: 1, maxLength: 256 }),
);

const timeMessage = 'A time is required: ISO 8601, or milliseconds since 1970';
/** A moment in a body, as ISO 8601 in UTC. */
export const timeField = z
  .union([z.string(), z.number()], timeMessage)
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()), timeMessage)
  .transform((date) => date.toISOString())
  .pipe(z.string().meta({ format: 'date-time' }));
