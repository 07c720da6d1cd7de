import { Button, Group, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../../app/language.tsx';
import { Empty } from '../../parts/notes.tsx';
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
  if (entries.length === 0) return <Empty />;
  return (
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
          {entries.map((entry, index) => {
            const texts = cells(entry);
            return (
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
            );
          })}
        </Table.Tbody>
      </Table>
    </Scroll>
  );
}
