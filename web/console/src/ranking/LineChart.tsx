import { Paper, Text } from '@mantine/core';

const WIDTH = 320;
const HEIGHT = 120;
const EDGE = 10;

interface LineChartProps {
  title: string;
  points: readonly { day: string; value: number }[];
  /** As people write it. */
  format(value: number): string;
  /** Drawn across, dashed: what the number must not pass. */
  limit?: number;
}

/** One number by day. What stands beside the chart has the same in text. */
export function LineChart({ title, points, format, limit }: LineChartProps) {
  const most = Math.max(...points.map(({ value }) => value), limit ?? 0);
  const last = points.at(-1);
  const x = (index: number): number => EDGE + (index / Math.max(1, points.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (value: number): number => HEIGHT - EDGE - (most > 0 ? value / most : 0) * (HEIGHT - 2 * EDGE);
  return (
    <Paper withBorder p="xs">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <svg
        role="img"
        aria-label={`${title}: ${last ? `${last.day} ${format(last.value)}` : '–'}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
      >
        <line x1={EDGE} x2={WIDTH - EDGE} y1={HEIGHT - EDGE} y2={HEIGHT - EDGE} stroke="currentColor" opacity={0.4} />
        {limit !== undefined && (
          <line
            className="chart-limit"
            x1={EDGE}
            x2={WIDTH - EDGE}
            y1={y(limit)}
            y2={y(limit)}
            stroke="var(--mantine-color-red-6)"
            strokeDasharray="6 4"
          >
            <title>{format(limit)}</title>
          </line>
        )}
        <polyline
          points={points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
          fill="none"
          stroke="var(--mantine-color-blue-6)"
          strokeWidth={2}
        />
        {points.map(({ day, value }, index) => (
          <circle key={day} cx={x(index)} cy={y(value)} r={2} fill="var(--mantine-color-blue-6)">
            <title>{`${day}: ${format(value)}`}</title>
          </circle>
        ))}
      </svg>
      <Text size="xs" c="dimmed">
        {points[0]?.day} – {last?.day} · ≤ {format(most)}
      </Text>
    </Paper>
  );
}
