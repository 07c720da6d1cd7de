import { z } from 'zod';

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** `14d`, `36h` -> milliseconds. */
export function durationMs(duration: string): number {
  const unit = UNITS[duration.slice(-1)] ?? Number.NaN;
  return Number(duration.slice(0, -1)) * unit;
}

export const durationSchema = z
  .string()
  .regex(/^[1-9]\d{0,4}[dh]$/, 'a whole number of days or hours such as "14d" or "36h"');
