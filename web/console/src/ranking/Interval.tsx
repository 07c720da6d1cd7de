import { Text } from '@mantine/core';
import { useFormats } from '../app/language.tsx';

interface Drawn {
  label: string;
  value: number;
  low: number;
  high: number;
}

const WIDTH = 280;
const HEIGHT = 24;
const EDGE = 8;

/** A difference and where it lies with 95%, beside a line at 0, and the same in numbers. */
export function Interval({ label, value, low, high }: Drawn) {
  const { number } = useFormats();
  const written = (one: number): string => number(one, { maximumSignificantDigits: 3, signDisplay: 'exceptZero' });
  const said = `${written(value)} (${written(low)} … ${written(high)})`;
  const most = Math.max(Math.abs(low), Math.abs(high), Math.abs(value), 1e-9) * 1.1;
  const at = (one: number): number => EDGE + ((one + most) / (2 * most)) * (WIDTH - 2 * EDGE);
  const colour = low > 0 ? 'green' : high < 0 ? 'red' : 'gray';
  const ink = `var(--mantine-color-${colour}-6)`;
  return (
    <>
      <svg
        role="img"
        aria-label={`${label}: ${said}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        style={{ maxWidth: '100%', display: 'block' }}
      >
        <line x1={at(0)} x2={at(0)} y1={0} y2={HEIGHT} stroke="currentColor" strokeDasharray="3 3" />
        <line x1={at(low)} x2={at(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} stroke={ink} strokeWidth={4} />
        <circle cx={at(value)} cy={HEIGHT / 2} r={5} fill={ink} stroke="currentColor" />
      </svg>
      <Text component="span" size="xs" aria-hidden>
        {said}
      </Text>
    </>
  );
}
