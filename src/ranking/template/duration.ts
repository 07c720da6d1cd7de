const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

/** `14d`, `36h` -> milliseconds. */
export function durationMs(duration: string): number {
  const unit = UNITS[duration.slice(-1)] ?? Number.NaN;
  return Number(duration.slice(0, -1)) * unit;
}
