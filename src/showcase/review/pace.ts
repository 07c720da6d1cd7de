/** So many clicks in a row, each within `NEXT_MS` of the one before, are nobody's who looks at what they clicked. */
const ROW = 8;
const NEXT_MS = 3000;
/** So many clicks at intervals that hardly differ are a timer's. */
const TIMED = 10;
const VARIATION = 0.1;

/** Whether each of these times, in order, belongs to a row that no person clicks. */
export function hasPace(times: readonly number[]): boolean[] {
  const isPaced = times.map(() => false);
  for (let from = 0; from < times.length;) {
    let to = from + 1;
    while (to < times.length && gap(times, to) <= NEXT_MS) to += 1;
    if (to - from >= ROW) isPaced.fill(true, from, to);
    from = to;
  }
  for (let from = 0; from + TIMED <= times.length; from += 1) {
    if (isTimed(times.slice(from, from + TIMED))) isPaced.fill(true, from, from + TIMED);
  }
  return isPaced;
}

const gap = (times: readonly number[], index: number): number => (times[index] ?? 0) - (times[index - 1] ?? 0);

function isTimed(times: readonly number[]): boolean {
  const gaps = times.slice(1).map((_time, index) => gap(times, index + 1));
  const mean = gaps.reduce((sum, one) => sum + one, 0) / gaps.length;
  const variance = gaps.reduce((sum, one) => sum + (one - mean) ** 2, 0) / gaps.length;
  return Math.sqrt(variance) < VARIATION * mean;
}
