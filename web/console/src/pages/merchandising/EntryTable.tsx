import { Button, Group, Stack, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../app/language.tsx';
import { Empty } from '../../parts/notes.tsx';
import { useFind, useFirst } from '../../parts/long-lists.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';
import { merchandisingWords } from './words.ts';

interface EntryTableProps<T> {
  heads: readonly string[];
  entries: readonly T[];
  /** The first one names the entry. */
  cells(entry: T): readonly string[];
  onRemove(index: number): void;
  extra?(entry: T, index: number): ReactNode;
}

/** A list of the store, as it is kept. */
export function EntryTable<T>({ heads, entries, cells, onRemove, extra }: EntryTableProps<T>) {
  const words = useWords(merchandisingWords);
  const { found, field } = useFind(
    entries.map((entry, index) => ({ entry, index, texts: cells(entry) })),
    ({ texts }) => texts.join('\n'),
  );
  const { shown, more } = useFirst(found);
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
            {shown.map(({ entry, index, texts }) => (
              <Table.Tr key={texts.join('\n')}>
                {texts.map((text, column) => (
                  <Table.Td key={heads[column]} className="words">
                    <bdi>{text}</bdi>
                  </Table.Td>
                ))}
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
