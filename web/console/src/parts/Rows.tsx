import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFirst } from './long-lists.tsx';

interface RowsProps {
  /** What the table is about, for who does not see it. */
  label: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** A table that scrolls by itself where the window is narrow, also by keyboard; of many rows it shows the first. */
export function Rows({ label, head, rows }: RowsProps) {
  const { shown, more } = useFirst(rows);
  return (
    <>
      <Table.ScrollContainer minWidth={120 * head.length} type="native" tabIndex={0} role="region" aria-label={label}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              {head.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map(({ key, cells }) => (
              <Table.Tr key={key}>
                {cells.map((cell, index) => (
                  <Table.Td key={head[index]} className="words">
                    {cell}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more}
    </>
  );
}
