import { Button, Group, Stack, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../app/language.tsx';
import { Empty } from '../../parts/notes.tsx';
import { useFind, useFirst } from '../../parts/long-lists.tsx';
import { ProductName } from '../../ranking/ProductName.tsx';
import { type Named, useNames } from '../../ranking/products.ts';
import { Scroll } from '../../ranking/Scroll.tsx';
import { merchandisingWords } from './words.ts';

interface EntryTableProps<T> {
  store: string;
  heads: readonly string[];
  entries: readonly T[];
  /** The first one names the entry. */
  cells(entry: T): readonly string[];
  /** Ids of products, which a last column names. */
  products?(entry: T): readonly string[];
  onRemove(index: number): void;
  extra?(entry: T, index: number): ReactNode;
}

/** Of an entry's products so many are named, and the others are shown by their ids. */
const MOST_NAMED = 3;

/** A list of the store, as it is kept. */
export function EntryTable<T>({ store, heads, entries, cells, products = none, onRemove, extra }: EntryTableProps<T>) {
  const words = useWords(merchandisingWords);
  const { found, field } = useFind(
    entries.map((entry, index) => ({ entry, index, texts: cells(entry), ids: products(entry) })),
    ({ texts, ids }) => [...texts, ...ids].join('\n'),
  );
  const { shown, more } = useFirst(found);
  const names = useNames(
    store,
    shown.flatMap(({ ids }) => ids.slice(0, MOST_NAMED)),
  );
  if (entries.length === 0) return <Empty />;
  return (
    <Stack gap="xs" align="flex-start">
      {field}
      <Scroll label={heads.join(', ')}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {[...heads, words.actions].map((head) => (
                <Table.Th key={head}>{head}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ entry, index, texts, ids }) => (
              <Table.Tr key={[...texts, ...ids].join('\n')}>
                {texts.map((text, column) => (
                  <Table.Td key={heads[column]} className="words">
                    <bdi>{text}</bdi>
                  </Table.Td>
                ))}
                {products !== none && (
                  <Table.Td className="words">
                    <Products ids={ids} names={names} />
                  </Table.Td>
                )}
                <Table.Td>
                  <Group gap={4} wrap="nowrap">
                    {extra?.(entry, index)}
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`${words.remove} ${texts[0]}`}
                      onClick={() => onRemove(index)}
                    >
                      {words.remove}
                    </Button>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scroll>
      {more}
    </Stack>
  );
}

const none = (): readonly string[] => [];

function Products({ ids, names }: { ids: readonly string[]; names: ReadonlyMap<string, Named> }) {
  const others = ids.slice(MOST_NAMED);
  return (
    <>
      {ids.slice(0, MOST_NAMED).map((id) => (
        <ProductName key={id} id={id} product={names.get(id)} />
      ))}
      {others.length > 0 && <bdi>{others.join(', ')}</bdi>}
    </>
  );
}
