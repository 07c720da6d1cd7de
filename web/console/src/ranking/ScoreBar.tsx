import { Group, Text } from '@mantine/core';
import { colourOf, type Part, partsOf, type Scored } from './score-parts.ts';

const WIDTH = 240;
const HEIGHT = 14;

/** How far the longest bar of a list reaches to each side. */
export function reachOf(all: readonly Scored[]): { leastText: number; left: number; right: number } {
  const leastText = Math.min(...all.map(({ text }) => text).filter((text) => text > 0));
  const sums = all.map((one) => {
    const lengths = partsOf(one, leastText).map(({ length }) => length);
    const sum = (sign: number): number => lengths.reduce((total, length) => total + Math.max(0, sign * length), 0);
    return { left: sum(-1), right: sum(1) };
  });
  return {
    leastText,
    left: Math.max(0.01, ...sums.map(({ left }) => left)),
    right: Math.max(0.01, ...sums.map(({ right }) => right)),
  };
}

const said = ({ name, factor }: Part): string =>
  name === 'text' ? `text ${factor.toFixed(2)}` : `${name} ×${factor.toFixed(2)}`;

/** What a score is made of: what multiplies it to the right of the line, what divides it to the left. */
export function ScoreBar({ product, reach }: { product: Scored; reach: ReturnType<typeof reachOf> }) {
  const parts = partsOf(product, reach.leastText);
  const scale = WIDTH / (reach.left + reach.right);
  const axis = reach.left * scale;
  let [before, after] = [axis, axis];
  return (
    <svg
      role="img"
      aria-label={parts.map(said).join(', ') || said({ name: 'text', factor: product.text, length: 0 })}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width="100%"
      height={HEIGHT}
      preserveAspectRatio="none"
    >
      {parts.map((part) => {
        const width = Math.abs(part.length) * scale;
        if (part.length < 0) before -= width;
        const x = part.length < 0 ? before : after;
        if (part.length > 0) after += width;
        return (
          <rect key={part.name} x={x} y={2} width={width} height={HEIGHT - 4} fill={colourOf(part.name)}>
            <title>{said(part)}</title>
          </rect>
        );
      })}
      <rect x={axis - 0.5} width={1} height={HEIGHT} fill="currentColor" />
    </svg>
  );
}

export function Legend({ products, label }: { products: readonly Scored[]; label: string }) {
  const names = new Set(['text', ...products.flatMap(({ boosts }) => boosts.map(({ name }) => name))]);
  return (
    <Group gap="md" role="list" aria-label={label}>
      {[...names].map((name) => (
        <Group key={name} gap={4} role="listitem" wrap="nowrap">
          <svg width={12} height={12} aria-hidden>
            <rect width={12} height={12} fill={colourOf(name)} />
          </svg>
          <Text size="xs" component="span">
            <bdi>{name}</bdi>
          </Text>
        </Group>
      ))}
    </Group>
  );
}
