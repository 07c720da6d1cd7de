interface Drawn {
  label: string;
  value: number;
  low: number;
  high: number;
}

const WIDTH = 280;
const HEIGHT = 24;
const EDGE = 8;

/** A difference and where it lies with 95%, beside a line at 0. */
export function Interval({ label, value, low, high }: Drawn) {
  const most = Math.max(Math.abs(low), Math.abs(high), Math.abs(value), 1e-9) * 1.1;
  const at = (number: number): number => EDGE + ((number + most) / (2 * most)) * (WIDTH - 2 * EDGE);
  const colour = low > 0 ? 'green' : high < 0 ? 'red' : 'gray';
  const ink = `var(--mantine-color-${colour}-6)`;
  return (
    <svg
      role="img"
      aria-label={`${label}: ${value.toPrecision(3)} (${low.toPrecision(3)} … ${high.toPrecision(3)})`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      style={{ maxWidth: '100%' }}
    >
      <line x1={at(0)} x2={at(0)} y1={0} y2={HEIGHT} stroke="currentColor" strokeDasharray="3 3" />
      <line x1={at(low)} x2={at(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} stroke={ink} strokeWidth={4} />
      <circle cx={at(value)} cy={HEIGHT / 2} r={5} fill={ink} stroke="currentColor" />
    </svg>
  );
}
