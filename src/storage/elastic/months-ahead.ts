/** This month and the next, UTC: `2026-01`. */
export function monthsAhead(now: number): string[] {
  const date = new Date(now);
  return [0, 1].map((ahead) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + ahead)).toISOString().slice(0, 7),
  );
}
