import { z } from 'zod';
import { durationMs } from '../../ranking/template/duration';
import { ApiError } from '../../shared/api-error';
import { addressFields } from './address-fields';
import { formatField } from '../imports/feed-syntax';
import { modeField } from '../imports/import-options';
import { mappingSchema } from '../imports/items/feed-mapping';

const NAME = /^[\w.-]{1,100}$/;

/** Of a feed or a mapping. */
export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new ApiError('invalid_id', 'A name is 1 to 100 letters, digits, dots, hyphens and underscores');
}

const MINUTE = 60_000;
const SHORTEST = 15 * MINUTE;

/** `15m`, `6h`, `1d` -> milliseconds. */
export const periodMs = (every: string): number =>
  every.endsWith('m') ? Number(every.slice(0, -1)) * MINUTE : durationMs(every);

const every = z
  .string()
  .regex(/^[1-9]\d{0,4}[mhd]$/, 'a whole number of minutes, hours or days such as "6h"')
  .refine((text) => periodMs(text) >= SHORTEST, 'at least 15m')
  .meta({ examples: ['6h'] });

export const anyMapping = z
  .union([z.string().regex(NAME), mappingSchema], 'the name of a mapping, or a mapping { fields, values }, is required')
  .describe('The name of a saved mapping, or a mapping');

export const feedSchema = z.strictObject({
  ...addressFields,
  format: formatField.optional(),
  mode: modeField,
  mapping: anyMapping.optional(),
  every,
});
export type FeedDefinition = z.output<typeof feedSchema>;

/** What became of a run. */
const outcome = z.object({
  jobId: z.string(),
  state: z.string(),
  at: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  error: z.string().optional(),
  accepted: z.int().optional(),
  unchanged: z.int().optional(),
  removed: z.int().optional(),
  rejected: z.int().optional(),
  notModified: z.boolean().optional(),
});

export const feedView = feedSchema.omit({ password: true }).extend({
  name: z.string(),
  nextAt: z.iso.datetime(),
  /** The newest first. */
  outcomes: z.array(outcome),
});
export type FeedView = z.output<typeof feedView>;
