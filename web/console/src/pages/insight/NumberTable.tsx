import { Table, Title } from '@mantine/core';
import { Empty } from '../../parts/notes.tsx';
import { Scroll } from '../../ranking/Scroll.tsx';

interface NumberTableProps {
  title: string;
  heads: readonly string[];
  /** The first cell names its row. */
  rows: readonly (readonly string[])[];
}

export function NumberTable({ title, heads, rows }: NumberTableProps) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Empty />
      ) : (
        <Scroll label={title}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                {heads.map((head) => (
                  <Table.Th key={head}>{head}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((cells) => (
                <Table.Tr key={cells[0]}>
                  {cells.map((cell, column) => (
                    <Table.Td key={heads[column]} className="words">
                      <bdi>{cell}</bdi>
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Scroll>
      )}
    </section>
  );
}
