import { Group, Paper, Text } from '@mantine/core';

const WIDTH = 320;
const HEIGHT = 110;
const EDGE = 6;
const INK = 'var(--mantine-primary-color-filled)';

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
  const line = points.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ');
  return (
    <Paper withBorder p="xs">
      <Group justify="space-between" align="baseline" gap="xs" wrap="nowrap">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          ↑ {format(most)}
        </Text>
      </Group>
      <svg
        role="img"
        aria-label={`${title}: ${last ? `${last.day} ${format(last.value)}` : '–'}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width="100%"
        style={{ display: 'block' }}
      >
        {[0, 0.5, 1].map((share) => (
          <line
            key={share}
            x1={EDGE}
            x2={WIDTH - EDGE}
            y1={y(share * most)}
            y2={y(share * most)}
            stroke="currentColor"
            opacity={0.15}
          />
        ))}
        {limit !== undefined && <Limit y={y(limit)} label={format(limit)} />}
        {points.length > 1 && (
          <polygon points={`${line} ${x(points.length - 1)},${y(0)} ${x(0)},${y(0)}`} fill={INK} opacity={0.12} />
        )}
        <polyline points={line} fill="none" stroke={INK} strokeWidth={2} strokeLinejoin="round" />
        {points.map(({ day, value }, index) => (
          <circle key={day} cx={x(index)} cy={y(value)} r={index === points.length - 1 ? 3 : 1.5} fill={INK}>
            <title>{`${day}: ${format(value)}`}</title>
          </circle>
        ))}
      </svg>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          {points[0]?.day}
        </Text>
        <Text size="xs" c="dimmed">
          {last?.day}
        </Text>
      </Group>
    </Paper>
  );
}

function Limit({ y, label }: { y: number; label: string }) {
  return (
    <line
      className="chart-limit"
      x1={EDGE}
      x2={WIDTH - EDGE}
      y1={y}
      y2={y}
      stroke="var(--mantine-color-red-6)"
      strokeWidth={1.5}
      strokeDasharray="6 4"
    >
      <title>{label}</title>
    </line>
  );
}
