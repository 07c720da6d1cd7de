import { z } from 'zod';
import { ID_RULE, isId } from '../shared/ids';

/** Of a parameter that is repeated, the first. */
export const single = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

/** Ids of shoppers: longer or otherwise odd ones count as absent (contract 3). */
export const shopperId = z.preprocess(
  (value) => (isId(single(value)) ? single(value) : undefined),
  z.string().optional(),
);

/** An id in a body: numbers count as texts. */
export const idField = z.preprocess(
  (value) => (typeof value === 'number' && Number.isFinite(value) ? String(value) : value),
  z.custom<string>(isId, `An id is required: ${ID_RULE}`),
);
