import { z } from 'zod';
import { addDays, dayOf } from './store-day';

const timeMessage = 'A day (2026-01-31), a time (ISO 8601) or milliseconds since 1970 is required';

/** A day as it is written, or a time as epoch milliseconds, whose day depends on the store. */
const dayOrTime = z
  .string(timeMessage)
  .transform((text): string | number => {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Number.isNaN(Date.parse(text)) ? NaN : text;
    return /^-?\d+$/.test(text) ? Number(text) : Date.parse(text);
  })
  .refine((value) => typeof value === 'string' || Math.abs(value) <= 8.64e15, timeMessage)
  .optional();

/** Days of a period that names no first one. */
const USUAL_DAYS = 30;

/** Days from `from` to `to`, both included; absent: the last 30. */
export const metricsParameters = z
  .object({
    from: dayOrTime.meta({
      description: `The first day, as YYYY-MM-DD or a time; absent: of ${USUAL_DAYS} days.`,
      example: '2026-01-01',
    }),
    to: dayOrTime.meta({ description: 'The last day; absent: today.', example: '2026-01-31' }),
    format: z
      .enum(['json', 'csv'], { error: 'must be one of: json, csv' })
      .default('json')
      .meta({ description: 'How the reply is written.', example: 'csv' }),
  })
  .refine(({ from, to }) => typeof from !== typeof to || from === undefined || to === undefined || from <= to, {
    path: ['from'],
    message: 'has to be before to',
  });

export type MetricsParameters = z.infer<typeof metricsParameters>;
export type MetricsPeriod = Pick<MetricsParameters, 'from' | 'to'>;

/** Turns times into days of a store; both are included. */
export function daysOf(
  { from, to }: MetricsPeriod,
  { timeZone, now }: { timeZone: string; now: number },
): { from: string; to: string } {
  const dayIn = (time: MetricsPeriod['to']): string | undefined =>
    typeof time === 'number' ? dayOf(time, timeZone) : time;
  const last = dayIn(to) ?? dayOf(now, timeZone);
  return { from: dayIn(from) ?? addDays(last, 1 - USUAL_DAYS), to: last };
}
