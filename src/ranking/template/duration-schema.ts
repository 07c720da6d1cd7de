import { z } from 'zod';

/** A duration as settings and templates hold it; `durationMs` reads it. */
export const durationSchema = z
  .string()
  .regex(/^[1-9]\d{0,4}[dh]$/, 'a whole number of days or hours such as "14d" or "36h"');
