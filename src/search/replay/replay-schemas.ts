import { z } from 'zod';

/** Epoch milliseconds of a day or a time. */
export const dayOrTime = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: 'A day (2026-01-31, from midnight UTC) or a time (ISO 8601) is required',
  })
  .transform((text) => Date.parse(text));

/** The searches that are ranked again, and the version of the template; absent: the newest. */
export const replayBody = z
  .strictObject({ from: dayOrTime, to: dayOrTime.describe('Exclusive'), version: z.int().min(0).optional() })
  .refine(({ from, to }) => from < to, { path: ['from'], message: 'has to be before to' });
