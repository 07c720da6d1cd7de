/** What a series of values at times does, by least squares. */
export function slopeOf(points: readonly { at: number; value: number }[]): number {
  const count = points.length;
  const meanAt = points.reduce((sum, { at }) => sum + at, 0) / count;
  const mean = points.reduce((sum, { value }) => sum + value, 0) / count;
  const covariance = points.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - mean), 0);
  const variance = points.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}
