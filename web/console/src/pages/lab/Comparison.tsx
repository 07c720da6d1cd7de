import { Button, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useWords } from '../../app/language.tsx';
import { Empty } from '../../parts/notes.tsx';
import type { Preview } from '../../ranking/preview.ts';
import { ProductName } from '../../ranking/ProductName.tsx';
import { type Named, useNames } from '../../ranking/products.ts';
import { Legend, reachOf, ScoreBar } from '../../ranking/ScoreBar.tsx';
import { ruleNames } from '../../ranking/score-parts.ts';
import { movedOver, orderOf, type Placed, type Side } from './lab-data.ts';
import { labWords } from './words.ts';

interface ComparisonProps {
  store: string;
  preview: Preview;
  hasCandidate: boolean;
  onWhy(productId: string, side: Side): void;
}

/** Two orders of one query beside each other: two shoppers, or what serves and a candidate. */
export function Comparison({ store, preview, hasCandidate, onWhy }: ComparisonProps) {
  const words = useWords(labWords);
  const sides = preview.shoppers.flatMap(({ userId }): Side[] => [
    { userId, which: 'current' },
    ...(hasCandidate ? [{ userId, which: 'candidate' as const }] : []),
  ]);
  const first = preview.shoppers.length > 1 && hasCandidate ? 2 : 0;
  const [chosen, setChosen] = useState({ left: first, right: Math.min(first + 1, sides.length - 1) });
  const left = sides[chosen.left] ?? sides[0]!;
  const right = sides[chosen.right] ?? left;
  const before = orderOf(preview, left);
  const after = movedOver(preview, left, right);
  const names = useNames(
    store,
    [...before, ...after].map(({ id }) => id),
  );
  const acted = [...new Set([...before, ...after].flatMap(({ boosts }) => ruleNames(boosts)))];
  const pinned = [...before, ...after].some(({ tier }) => tier === 'pin');
  const nameOf = ({ userId, which }: Side): string =>
    `${userId ?? words.nobody} · ${which === 'current' ? preview.template.current : preview.template.candidate}`;
  const options = sides.map((side, index) => ({ value: String(index), label: nameOf(side) }));
  const shared = { reach: reachOf([...before, ...after]), names, store };
  return (
    <Stack>
      <Text size="sm">
        {acted.length > 0 || pinned
          ? `${words.rules}: ${[...acted, ...(pinned ? ['pin'] : [])].join(', ')}`
          : words.noRules}
      </Text>
      <Legend products={[...before, ...after]} label={words.legend} />
      <Text size="xs" c="dimmed">
        {words.bars}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {(['left', 'right'] as const).map((name) => {
          const side = name === 'left' ? left : right;
          return (
            <section key={name} aria-label={words[name]}>
              <NativeSelect
                label={words[name]}
                data={options}
                value={String(chosen[name])}
                onChange={({ currentTarget: { value } }) => setChosen((all) => ({ ...all, [name]: Number(value) }))}
              />
              <Personal of={preview} side={side} />
              <RankedList {...shared} products={name === 'left' ? before : after} onWhy={(id) => onWhy(id, side)} />
            </section>
          );
        })}
      </SimpleGrid>
      <Gone before={before} after={after} names={names} />
    </Stack>
  );
}

function Personal({ of, side }: { of: Preview; side: Side }) {
  const words = useWords(labWords);
  const told = of.shoppers.find(({ userId }) => userId === side.userId)?.personalization[side.which];
  return (
    <Text size="xs" c="dimmed" my={4}>
      {told?.['applied'] === true ? words.personal : words.neutral}
    </Text>
  );
}

function Gone({ before, after, names }: { before: Placed[]; after: Placed[]; names: ReadonlyMap<string, Named> }) {
  const words = useWords(labWords);
  const there = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !there.has(id));
  if (gone.length === 0) return null;
  return (
    <section aria-label={words.gone}>
      <Text size="sm" fw={600}>
        {words.gone}
      </Text>
      {gone.map(({ id }) => (
        <ProductName key={id} id={id} product={names.get(id)} />
      ))}
    </section>
  );
}

interface RankedListProps {
  products: readonly Placed[];
  reach: ReturnType<typeof reachOf>;
  names: ReadonlyMap<string, Named>;
  onWhy(id: string): void;
}

function RankedList({ products, reach, names, onWhy }: RankedListProps) {
  const words = useWords(labWords);
  if (products.length === 0) return <Empty />;
  return (
    <ol style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {products.map((product) => (
        <li key={product.id} data-product={product.id} style={{ padding: '6px 0' }}>
          <div style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
            <Text component="span" size="sm" w={28} ta="right">
              {product.rank}
            </Text>
            <Move move={product.move} />
            <div style={{ flex: 1, minWidth: 0 }}>
              <ProductName id={product.id} product={names.get(product.id)} />
              <ScoreBar product={product} reach={reach} />
            </div>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`${words.why} ${names.get(product.id)?.name ?? product.id}`}
              onClick={() => onWhy(product.id)}
            >
              {words.why}
            </Button>
          </div>
        </li>
      ))}
    </ol>
  );
}

function Move({ move }: { move: number | null | undefined }) {
  const words = useWords(labWords);
  // As wide as one, so that the bars of both sides compare.
  if (move === undefined) return <span style={{ width: 36 }} />;
  const said = move === null ? words.entered : move === 0 ? '=' : move > 0 ? `↑${move}` : `↓${-move}`;
  return (
    <Text component="span" size="xs" w={36} data-move={move ?? 'new'}>
      {said}
    </Text>
  );
}
