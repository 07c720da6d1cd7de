/** Money inside: integers of a millionth of the store's currency, so that rollups are exact. */
const PER_UNIT = 1_000_000;

/** The largest amount, in units: those of a thousand campaigns still add up exactly. */
export const MOST_UNITS = 1_000_000_000;

export function toMicros(units: number): number {
  return Math.round(units * PER_UNIT);
}

export function toUnits(micros: number): number {
  return micros / PER_UNIT;
}

/** Whether an amount has no more decimals than can be kept. */
export function isWholeMicros(units: number): boolean {
  return Math.abs(toUnits(toMicros(units)) - units) <= Math.abs(units) * Number.EPSILON;
}
