import { Text } from '@mantine/core';
import type { Named } from './products.ts';

/** The name as text of its own direction: what a product is called turns nothing around it. */
export function ProductName({ id, product }: { id: string; product: Named | undefined }) {
  return (
    <div className="words">
      <Text size="sm" component="span" fw={600}>
        <bdi>{product?.name ?? id}</bdi>
      </Text>{' '}
      <Text size="xs" component="span" c="dimmed">
        <bdi>{product?.brand ?? ''}</bdi> <bdi>{id}</bdi>
      </Text>
    </div>
  );
}
