/** Days of all time zones begin at a quarter of an hour: within one, the day is the same. Milliseconds. */
const QUARTER = 900_000;

const formats = new Map<string, Intl.DateTimeFormat>();
const latest = new Map<string, { quarter: number; day: string }>();

/** The day it is in a time zone, as `2026-01-31`. `at`: epoch milliseconds. */
export function dayOf(at: number, timeZone: string): string {
  const quarter = Math.floor(at / QUARTER);
  const known = latest.get(timeZone);
  if (known?.quarter === quarter) return known.day;
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  const day = format.format(at);
  latest.set(timeZone, { quarter, day });
  return day;
}

/** The day so many days later (earlier where negative). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
